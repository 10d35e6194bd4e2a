/** A table's connection as its page tells it: whether it can be trusted, what was sent into it, what became of that (PLT-67). */

import type { Failure } from "../wire";
import { Line, type Listener, type Question, type Surroundings } from "./socket";

/** Milliseconds for which a table says that the connection is back. */
export const RETURNED = 8000;
/** What the page sends by itself: nobody waits for what becomes of it. */
const UNTOLD: readonly Question["type"][] = ["open", "enter", "resume", "watch-lobby", "tell-delay", "send-seed", "see"];

/** Where a table stands, to say afterwards whether anything has happened. */
export interface Moment {
  readonly round: string;
  /** The phase and the turn of the round. */
  readonly step: string;
  readonly over: boolean;
}

/** A request whose answer was late or lost at first, and what became of it. */
export interface Outcome {
  readonly question: Question;
  readonly failure: Failure | null;
}

export class Connection {
  /** Whether what the page shows is what the house says. */
  sure = $state(false);
  /** Whether the connection stands, and the house does not answer. */
  silent = $state(false);
  /** What the player has sent and the house has not answered, since the connection cannot be trusted. */
  sent = $state.raw<readonly Question[]>([]);
  /** What became of it, once that is known. */
  outcomes = $state.raw<readonly Outcome[]>([]);
  /** Whether the connection is back: it is said for a while. */
  returned = $state(false);
  /** Where the table stood when the connection was last trusted. */
  before = $state.raw<Moment | null>(null);
  readonly #line: Line;
  readonly #moment: () => Moment | null;
  readonly #changed: () => void;
  #cancel: () => void = () => undefined;

  /** `moment` is where the table stands, null before it is shown; `changed` is called when there is something new to say. */
  constructor(
    opening: Question,
    listener: Omit<Listener, "line">,
    around: Surroundings,
    moment: () => Moment | null,
    changed: () => void,
  ) {
    this.#changed = changed;
    this.#moment = moment;
    const line = (sure: boolean, sent: readonly Question[], silent: boolean) => {
      const was = this.sure;
      const told = sent.filter(({ type }) => !UNTOLD.includes(type));
      this.silent = silent;
      this.sure = sure;
      if (!sure) {
        this.#cancel();
        this.returned = false;
        if (was) [this.before, this.outcomes] = [moment(), []];
        this.sent = told;
      } else if (this.before) {
        this.returned = true;
        this.#cancel = around.later(() => {
          this.returned = false;
          this.before = null;
          this.outcomes = [];
        }, RETURNED);
      }
      if (was !== sure && moment() && (this.returned || !sure)) changed();
    };
    this.#line = new Line(opening, { ...listener, line }, around);
  }

  /** What happened while the connection could not be trusted: nothing, the round went on, it ended, another began. */
  get meanwhile(): "same" | "on" | "over" | "next" {
    const [before, now] = [this.before, this.#moment()];
    if (!before || !now || (before.round === now.round && before.step === now.step)) return "same";
    if (before.round !== now.round) return "next";
    return now.over ? "over" : "on";
  }

  /** Ask something; the answer is null when it was carried out, or why it was not. */
  async ask(question: Question): Promise<Failure | null> {
    const failure = await this.#line.ask(question);
    if (this.sent.includes(question)) {
      this.sent = this.sent.filter((other) => other !== question);
      this.outcomes = [...this.outcomes, { question, failure }];
      if (this.sure) this.#changed();
    }
    return failure;
  }

  /** As `Line.check`. */
  check(quiet: number, question: Question): void {
    this.#line.check(quiet, question);
  }

  reopen(): void {
    this.#line.reopen();
  }

  stop(): void {
    this.#cancel();
    this.#line.stop();
  }
}
