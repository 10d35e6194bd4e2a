/** The operator's settings: contacts, and what registering needs. Loaded once, when a page needs them. */

import type { Operator } from "../wire";
import { operator as ask } from "../net/api";

class OperatorFacts {
  facts = $state.raw<Operator | null>(null);
  #asking = false;

  /** Load them, unless they are here or on their way. */
  load(): void {
    if (this.facts || this.#asking) return;
    this.#asking = true;
    void ask().then((reply) => {
      this.#asking = false;
      if ("value" in reply) this.facts = reply.value;
    });
  }
}

export const operator = new OperatorFacts();
