/**
 * The presenter's console of a table: what the house shows of it, and orders and readings, one after the other.
 *
 * A reading has the next number of the console. One that got no answer is sent again with its number until it has one: the
 * house deals its card once (STU-05). When a reading is refused, those behind it are not sent: their places are not theirs.
 */

import type { Reply } from "../../net/api";
import type { AnyStudioOrder, Console, Failure } from "../../wire";
import type { Reading } from "./reader";

/** The house, as a console asks it; a test hands in its own. */
export interface Studio {
  look(): Promise<Reply<Console>>;
  order(order: AnyStudioOrder): Promise<Reply<Console>>;
  read(reading: Reading & { readonly scan: number }): Promise<Reply<Console>>;
  later(act: () => void, milliseconds: number): () => void;
}

/** Milliseconds until a reading without an answer is sent again. */
const AGAIN = 1000;
const NO_ANSWER = "house/unreachable";

export class StudioDesk {
  view = $state.raw<Console | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Why the console could not be asked for just now: what it shows may be old. */
  lost = $state.raw<Failure | null>(null);
  /** Whether an order or a reading is on its way. */
  busy = $state(false);
  /** Readings that were typed and not sent, because one before them was refused. */
  dropped = $state(0);
  /** Whether a reading got no answer and is sent again. */
  repeating = $state(false);
  /** How many readings were taken: the page says each. */
  taken = $state(0);
  readonly #studio: Studio;
  readonly #readings: Reading[] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** Orders and readings so far: a view that was asked for before one of them is old. */
  #acts = 0;
  #looking = false;
  #stopped = false;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Ask for the console, unless something that answers with it is on its way. */
  async look(): Promise<void> {
    if (this.busy || this.#looking || this.#stopped) return;
    const acts = this.#acts;
    this.#looking = true;
    const reply = await this.#studio.look();
    this.#looking = false;
    if (acts !== this.#acts) return;
    if ("value" in reply) this.#show(reply.value);
    else this.lost = reply.failure;
  }

  /** Carry an order out; gives whether it was. */
  order(order: AnyStudioOrder): Promise<boolean> {
    return this.#inTurn(async () => {
      this.failure = null;
      this.dropped = 0;
      return this.#answered(await this.#studio.order(order));
    });
  }

  /** The presenter is there; nothing waits for the answer. */
  touch(): void {
    void this.#studio.order({ type: "touch" });
  }

  /** A card was read at the console: it is sent when those before it have their answers. */
  read(reading: Reading): void {
    this.#readings.push(reading);
    void this.#inTurn(() => this.#sendNext());
  }

  stop(): void {
    this.#stopped = true;
    this.#readings.length = 0;
  }

  async #sendNext(): Promise<boolean> {
    const reading = this.#readings.shift();
    if (!reading || !this.view) return false;
    this.failure = null;
    this.dropped = 0;
    const numbered = { ...reading, scan: this.view.console_scan + 1 };
    let reply = await this.#studio.read(numbered);
    while ("failure" in reply && reply.failure.code === NO_ANSWER && !this.#stopped) {
      this.repeating = true;
      await new Promise<void>((again) => this.#studio.later(again, AGAIN));
      reply = await this.#studio.read(numbered);
    }
    this.repeating = false;
    if (this.#answered(reply)) {
      this.taken += 1;
      return true;
    }
    this.dropped = this.#readings.length;
    this.#readings.length = 0;
    // A refused reading has used its number up.
    const seen = await this.#studio.look();
    if ("value" in seen) this.#show(seen.value);
    return false;
  }

  #answered(reply: Reply<Console>): boolean {
    if ("failure" in reply) this.failure = reply.failure;
    else this.#show(reply.value);
    return "value" in reply;
  }

  #show(view: Console): void {
    this.view = view;
    this.lost = null;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    this.#acts += 1;
    this.busy = true;
    const turn = this.#acts;
    const done = this.#last.then(act).finally(() => {
      if (turn === this.#acts) this.busy = false;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}
