/** What of a list is looked at: kept while the page is open, so that a round's page leads back to it. */

import type { Wanted } from "../../net/api";
import type { Currency } from "../../shell/routes";
import { span, type Period } from "./period";

class ListFilter {
  /** What the house calls it in a request. */
  readonly name: "game" | "way";
  period = $state<Period>("month");
  /** The first and the last day, as a date field writes them. */
  from = $state("");
  to = $state("");
  /** The one game, or way of payments, that is looked at; empty for all. */
  what = $state("");
  currency = $state<Currency | "">("");

  /** Whether nothing is left out. */
  readonly whole = $derived(this.period === "all" && !this.what && !this.currency);

  constructor(name: "game" | "way") {
    this.name = name;
  }

  /** Leave nothing out. */
  clear(): void {
    this.period = "all";
    this.what = this.currency = "";
  }

  wanted(now: number): Wanted {
    return {
      ...(this.what && { [this.name]: this.what }),
      ...(this.currency && { currency: this.currency }),
      ...span(this.period, this.from, this.to, now),
    };
  }
}

export type { ListFilter };
export const historyFilter = new ListFilter("game");
export const movementsFilter = new ListFilter("way");
