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
  /** Whether it was lost, or could not be made: not while it is made for the first time. */
  lost = $state(false);
  /** Whether the connection stands, and the house does not answer. */
  silent = $state(false);
  /** What the player has sent and the house has not answered, since the connection cannot be trusted. */
  sent = $state.raw<readonly Question[]>([]);
  /** What was asked without a connection, and is sent with the next one. */
  queued = $state.raw<readonly Question[]>([]);
  /** What became of both, once that is known. */
  outcomes = $state.raw<readonly Outcome[]>([]);
  /** Whether the connection is back: it is said for a while. */
  returned = $state(false);
  /** Where the table stood when the connection was last trusted, and when it was trusted again or an outcome came. */
  #before = $state.raw<Moment | null>(null);
  #after = $state.raw<Moment | null>(null);
  readonly #line: Line;
  readonly #moment: () => Moment | null;
  readonly #changed: () => void;
  #cancel: () => void = () => undefined;

  /** `moment` is where the table stands by the newest that was told, null before that; `changed` is called when there is something new to say. */
  constructor(
    opening: Question,
    listener: Omit<Listener, "line" | "answered">,
    around: Surroundings,
    moment: () => Moment | null,
    changed: () => void,
  ) {
    this.#changed = changed;
    this.#moment = moment;
    const told = (questions: readonly Question[]) => questions.filter(({ type }) => !UNTOLD.includes(type));
    const line = (sure: boolean, sent: readonly Question[], silent: boolean, queued: readonly Question[]) => {
      const was = this.lost;
      this.silent = silent;
      this.sure = sure;
      this.lost = !sure;
      if (!sure) {
        this.#cancel();
        this.returned = false;
        if (!was) [this.#before, this.outcomes] = [moment(), []];
        [this.sent, this.queued] = [told(sent), told(queued)];
      } else if (this.#before) {
        this.returned = true;
        this.#after = moment();
        this.#cancel = around.later(() => {
          this.returned = false;
          this.#before = null;
          this.outcomes = [];
        }, RETURNED);
      }
      if (was === sure && (this.returned || !sure)) changed();
    };
    const answered = (question: Question, failure: Failure | null) => this.#become(question, failure);
    this.#line = new Line(opening, { ...listener, line, answered }, around);
  }

  /** What happened while the connection could not be trusted: nothing, the round went on, it ended, another began. */
  get meanwhile(): "same" | "on" | "over" | "next" {
    const [before, after] = [this.#before, this.#after];
    if (!before || !after || (before.round === after.round && before.step === after.step)) return "same";
    if (before.round !== after.round) return "next";
    return after.over ? "over" : "on";
  }

  /** Ask something; the answer is null when it was carried out, or why it was not. */
  ask(question: Question): Promise<Failure | null> {
    return this.#line.ask(question);
  }

  /** A request was answered; it is told if it was said that its outcome is not known. */
  #become(question: Question, failure: Failure | null): void {
    if (![...this.sent, ...this.queued].includes(question)) return;
    const others = (questions: readonly Question[]) => questions.filter((other) => other !== question);
    [this.sent, this.queued] = [others(this.sent), others(this.queued)];
    this.outcomes = [...this.outcomes, { question, failure }];
    this.#after = this.#moment();
    if (this.sure) this.#changed();
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
