/** What the operator has set: whom players turn to, and what registering asks. Asked for once, when a page needs it. */

import type { Operator } from "../wire";
import { operator as ask } from "../net/api";

class OperatorFacts {
  facts = $state.raw<Operator | null>(null);
  #asking = false;

  /** What is known, and a question for what is not. */
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
