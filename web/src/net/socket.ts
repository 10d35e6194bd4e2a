/**
 * The connection to the house. Every request has an id of its own. One without a response when the connection breaks is
 * sent again with the same id, and the house carries it out once. A new connection asks for the frames it missed.
 */

import { SUBPROTOCOL, type Request, type Failure, type Message } from "../wire";

/** A request without its id. */
export type Question = Request extends infer Each ? (Each extends Request ? Omit<Each, "id"> : never) : never;

/** Any message of the house but responses. */
export type Heard = Exclude<Message, { type: "answer" }>;

/** The last frame of a table that arrived before the connection broke. */
export interface Place {
  readonly table: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface Listener {
  told(message: Heard): void;
  /**
   * Whether the line can be trusted from now on: it cannot while it is gone, or while an answer is late (PLT-67). `sent` is
   * what the player has sent and the house has not answered; `silent` says that the line is there and nothing comes; `queued`
   * is what was asked without a line, and is sent with the next one.
   */
  line(sure: boolean, sent: readonly Question[], silent: boolean, queued: readonly Question[]): void;
  /** A request was answered; called before the line is trusted again for it, so that both are told together. */
  answered?(question: Question, failure: Failure | null): void;
  /** There is a new connection; the house has forgotten what was told on the one before. */
  opened?(): void;
  /** Where to go on after a break; null to open the table anew. */
  place(): Place | null;
  /** A response carries the house's clock; `asked` is when its request was sent. */
  clock?(at: number, asked: number): void;
}

/** The part of a WebSocket that is used, so that a test can hand in its own. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((message: { readonly data: unknown }) => void) | null;
}

export interface Surroundings {
  connect(protocol: string): Wire;
  newId(): string;
  /** Run something later; gives what takes it back. */
  later(act: () => void, milliseconds: number): () => void;
  /** The page's clock, in milliseconds. */
  now?(): number;
  /** A number from 0 to below 1, by chance. */
  random?(): number;
  /** Call back when the line may be there again; gives what takes it back. `anew` says that what was open is not trusted. */
  wake?(act: (anew: boolean) => void): () => void;
  /** Call back when the browser has lost its network; gives what takes it back. */
  lose?(act: () => void): () => void;
}

interface Pending {
  readonly question: Question;
  /** As it was sent; empty for what is asked on one connection only. */
  readonly text: string;
  readonly asked: number;
  /** Whether it has been sent. */
  left: boolean;
  readonly answered: (failure: Failure | null) => void;
  /** Takes back what is done when the answer is late. */
  expected: () => void;
}

/** Milliseconds after which an answer is late, and after which a connection on which nothing came since is given up. */
export const LATE = 2000;
const DEAD = 10_000;
/** Milliseconds between two attempts, by chance a third more or less; after so many that failed they grow longer. */
const PAUSE = 450;
const QUICK_ATTEMPTS = 40;
const LONGEST_PAUSE = 8000;
/** An attempt that takes longer was begun when there was no line: another one is faster. */
const LONGEST_ATTEMPT = 3000;

export class Line {
  readonly #opening: Question;
  readonly #listener: Listener;
  readonly #around: Surroundings;
  readonly #pending = new Map<string, Pending>();
  #wire: Wire | null = null;
  #open = false;
  #sure = false;
  /** Whether the listener was told that the line cannot be trusted. */
  #doubted = false;
  #heard = 0;
  #breaks = 0;
  #stopped = false;
  #cancel: () => void = () => undefined;
  /** What has no answer in time. */
  readonly #overdue = new Set<string>();
  readonly #deafen: readonly ((() => void) | undefined)[];

  /** `opening` is what shows a table from the beginning: `open` a solo game, `enter` a live table. */
  constructor(opening: Question, listener: Listener, around: Surroundings) {
    this.#opening = opening;
    this.#listener = listener;
    this.#around = around;
    this.#deafen = [
      around.wake?.((anew) => this.#wake(anew)),
      around.lose?.(() => {
        if (this.#wire && !this.#stopped) this.#drop(this.#wire);
      }),
    ];
    this.#connect();
  }

  /** Ask something; the answer is null when it was carried out, or why it was not. */
  ask(question: Question): Promise<Failure | null> {
    const id = this.#around.newId();
    const text = JSON.stringify({ ...question, id });
    return new Promise((answered) => {
      const pending = { question, text, asked: this.#now(), left: false, answered, expected: () => undefined };
      this.#pending.set(id, pending);
      if (this.#open) this.#send(id, pending);
      else if (this.#doubted) this.#tell(false); // else the table is being opened, and nothing is wrong
    });
  }

  /**
   * Ask whether the house still answers, if nothing was heard of it for so many milliseconds and nothing is awaited.
   * `question` changes nothing; only if it is refused is the table asked for again.
   */
  check(quiet: number, question: Question): void {
    if (!this.#open || this.#pending.size || this.#now() - this.#heard < quiet) return;
    void this.#askAside(question).then((failure) => failure && this.reopen());
  }

  /** Tell the listener whether the line can be trusted, and what is not answered. */
  #tell(silent: boolean): void {
    const asked = [...this.#pending.values()].filter(({ text }) => text);
    this.#doubted = !this.#sure;
    const those = (left: boolean) => asked.filter((one) => one.left === left).map(({ question }) => question);
    this.#listener.line(this.#sure, those(true), silent, those(false));
  }

  /** Send what is asked, and await the answer. */
  #send(id: string, pending: Pending, text = pending.text): void {
    this.#wire?.send(text);
    pending.left = true;
    pending.expected();
    pending.expected = this.#around.later(() => this.#miss(id), LATE);
  }

  /** An answer is late: what the page shows may not be so any more. */
  #miss(id: string): void {
    const [pending, wire] = [this.#pending.get(id), this.#wire];
    if (!pending || !wire) return;
    const since = this.#heard;
    this.#overdue.add(id);
    this.#sure = false;
    this.#tell(true);
    pending.expected = this.#around.later(() => {
      if (this.#wire === wire && this.#heard === since) this.#drop(wire);
    }, DEAD - LATE);
  }

  /** What is shown is what the house says. */
  #trust(): void {
    if (this.#sure || !this.#open || this.#overdue.size) return;
    this.#sure = true;
    this.#tell(false);
  }

  /** Ask for the table from the beginning: after a gap, or when the house has thrown it away. */
  reopen(): void {
    void this.#reopen();
  }

  async #reopen(): Promise<void> {
    const place = this.#listener.place();
    const question: Question = place
      ? { type: "resume", table: place.table, epoch: place.epoch, since: place.seq }
      : this.#opening;
    const failure = await this.#askAside(question);
    if (failure && place) await this.#askAside(this.#opening);
  }

  #now(): number {
    return this.#around.now?.() ?? 0;
  }

  /** Hang up for good. */
  stop(): void {
    this.#stopped = true;
    this.#deafen.forEach((end) => end?.());
    this.#cancel();
    this.#wire?.close();
  }

  /** Send on this connection only: the next one sends its own. */
  #askAside(question: Question): Promise<Failure | null> {
    const id = this.#around.newId();
    return new Promise((answered) => {
      const pending = { question, text: "", asked: this.#now(), left: false, answered, expected: () => undefined };
      this.#pending.set(id, pending);
      this.#send(id, pending, JSON.stringify({ ...question, id }));
    });
  }

  #connect(): void {
    const wire = this.#around.connect(SUBPROTOCOL);
    this.#wire = wire;
    let tried = true;
    this.#cancel = this.#around.later(() => {
      if (tried && this.#wire === wire) this.#drop(wire);
    }, LONGEST_ATTEMPT);
    wire.onopen = () => {
      tried = false;
      this.#cancel();
      this.#breaks = 0;
      this.#heard = this.#now();
      void this.#reopen().then(() => this.#askAgain(wire));
    };
    wire.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as Message);
    wire.onclose = () => {
      tried = false;
      this.#cancel();
      this.#lost();
    };
  }

  /** The line may be there again: do not wait for the next attempt. */
  #wake(anew: boolean): void {
    if (this.#stopped || (this.#wire && !anew)) return;
    if (this.#wire) this.#drop(this.#wire);
    this.#cancel();
    this.#connect();
  }

  /** Give a connection up without waiting for its end, which may take minutes where there is no line. */
  #drop(wire: Wire): void {
    wire.onopen = wire.onmessage = null;
    const { onclose } = wire;
    wire.onclose = null;
    wire.close();
    onclose?.();
  }

  /** The table is shown, and takes questions: those that wait, and those to come. */
  #askAgain(wire: Wire): void {
    if (this.#wire !== wire) return;
    this.#open = true;
    for (const [id, pending] of this.#pending)
      if (pending.text) {
        this.#overdue.add(id); // what became of it comes with its answer, and only then is the line trusted
        this.#send(id, pending);
      }
    this.#trust();
    this.#listener.opened?.();
  }

  #lost(): void {
    this.#open = false;
    this.#sure = false;
    this.#wire = null;
    this.#overdue.clear();
    for (const [id, { text, expected }] of this.#pending) {
      expected();
      if (!text) this.#pending.delete(id);
    }
    this.#tell(false);
    if (this.#stopped) return;
    const growth = 2 ** Math.max(0, this.#breaks - QUICK_ATTEMPTS);
    const chance = (2 + 2 * (this.#around.random?.() ?? 0.5)) / 3;
    const pause = Math.round(Math.min(PAUSE * growth, LONGEST_PAUSE) * chance);
    this.#breaks += 1;
    this.#cancel = this.#around.later(() => this.#connect(), pause);
  }

  #hear(message: Message): void {
    this.#heard = this.#now();
    if (message.type !== "answer") {
      this.#listener.told(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    this.#overdue.delete(message.id);
    pending?.expected();
    if (pending) this.#listener.clock?.(message.at, pending.asked);
    if (pending?.text) this.#listener.answered?.(pending.question, message.error);
    pending?.answered(message.error);
    this.#trust();
  }
}
