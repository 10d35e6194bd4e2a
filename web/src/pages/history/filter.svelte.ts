/** Which rounds of the history are looked at: kept while the page is open, so that a round's page leads back to them. */

import type { Wanted } from "../../net/api";
import type { Currency } from "../../shell/routes";
import { span, type Period } from "./period";

class HistoryFilter {
  period = $state<Period>("month");
  /** The first and the last day, as a date field writes them. */
  from = $state("");
  to = $state("");
  game = $state("");
  currency = $state<Currency | "">("");

  /** Whether nothing is left out. */
  readonly whole = $derived(this.period === "all" && !this.game && !this.currency);

  /** Leave nothing out. */
  clear(): void {
    this.period = "all";
    this.game = this.currency = "";
  }

  wanted(now: number): Wanted {
    return {
      ...(this.game && { game: this.game }),
      ...(this.currency && { currency: this.currency }),
      ...span(this.period, this.from, this.to, now),
    };
  }
}

export const historyFilter = new HistoryFilter();
