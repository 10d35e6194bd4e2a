/** A list that comes in pages from the house, newest first. */

import type { Failure } from "../../wire";
import type { Reply } from "../../net/api";

interface Page {
  /** Where the next page begins; null after the last one. */
  readonly next: string | number | null;
}

export class Listing<P extends Page> {
  pages = $state.raw<readonly P[]>([]);
  waiting = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly next = $derived(this.pages.at(-1)?.next ?? null);
  /** Counts choices, so that a page that comes late for another choice is not shown. */
  #choice = 0;

  readonly #fetch: (before: P["next"]) => Promise<Reply<P>>;

  constructor(fetch: (before: P["next"]) => Promise<Reply<P>>) {
    this.#fetch = fetch;
  }

  /** Begin again with the first page; the old ones stay until it is there. */
  async first(): Promise<void> {
    this.#choice += 1;
    await this.#look(null);
  }

  /** Take the next page; gives whether it came. */
  more(): Promise<boolean> {
    return this.#look(this.next);
  }

  async #look(before: P["next"]): Promise<boolean> {
    const chosen = this.#choice;
    this.waiting = true;
    const reply = await this.#fetch(before);
    if (chosen !== this.#choice) return false;
    this.waiting = false;
    this.failure = "failure" in reply ? reply.failure : null;
    if ("failure" in reply) return false;
    this.pages = before === null ? [reply.value] : [...this.pages, reply.value];
    return true;
  }
}
