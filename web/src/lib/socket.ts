/**
 * The line to the house. Every question has an id of its own; one that got no answer before the line broke is asked again
 * with the same id, which the house carries out once. After a break the line asks for what it missed.
 */

import { SUBPROTOCOL, type Ask, type Failure, type Frame, type Told } from "../wire";

/** A question without its id. */
export type Question = Ask extends infer Each ? (Each extends Ask ? Omit<Each, "id"> : never) : never;

/** What is still known of a table when the line comes back. */
export interface Place {
  readonly table: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface Listener {
  /** Anything the house says, answers apart. */
  told(message: Exclude<Told, { type: "answer" }> | Frame): void;
  /** The line is there, or gone. */
  line(open: boolean): void;
  /** Where to go on after a break; null to open the game anew. */
  place(): Place | null;
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
}

interface Pending {
  readonly text: string;
  readonly answered: (failure: Failure | null) => void;
}

const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

export class Line {
  readonly #game: string;
  readonly #currency: "EUR" | "FUN";
  readonly #listener: Listener;
  readonly #around: Surroundings;
  readonly #pending = new Map<string, Pending>();
  #wire: Wire | null = null;
  #open = false;
  #breaks = 0;
  #stopped = false;
  #cancel: () => void = () => undefined;

  constructor(game: string, currency: "EUR" | "FUN", listener: Listener, around: Surroundings) {
    this.#game = game;
    this.#currency = currency;
    this.#listener = listener;
    this.#around = around;
    this.#connect();
  }

  /** Ask something; the answer is null when it was carried out, or why it was not. */
  ask(question: Question): Promise<Failure | null> {
    const id = this.#around.newId();
    const text = JSON.stringify({ ...question, id });
    return new Promise((answered) => {
      this.#pending.set(id, { text, answered });
      if (this.#open) this.#wire?.send(text);
    });
  }

  /** Ask for the game from the beginning: after a gap, or when the house has thrown the table away. */
  reopen(): void {
    const place = this.#listener.place();
    const question: Question = place
      ? { type: "resume", table: place.table, epoch: place.epoch, since: place.seq }
      : { type: "open", game: this.#game, currency: this.#currency };
    void this.#askAside(question).then((failure) => {
      if (failure && place) void this.#askAside({ type: "open", game: this.#game, currency: this.#currency });
    });
  }

  /** Hang up for good. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    this.#wire?.close();
  }

  /** Ask on this connection only: what is asked anew on the next one anyway. */
  #askAside(question: Question): Promise<Failure | null> {
    const id = this.#around.newId();
    return new Promise((answered) => {
      this.#pending.set(id, { text: "", answered });
      this.#wire?.send(JSON.stringify({ ...question, id }));
    });
  }

  #connect(): void {
    const wire = this.#around.connect(SUBPROTOCOL);
    this.#wire = wire;
    wire.onopen = () => {
      this.#open = true;
      this.#breaks = 0;
      this.#listener.line(true);
      this.reopen();
      for (const { text } of this.#pending.values()) if (text) wire.send(text);
    };
    wire.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as Told | Frame);
    wire.onclose = () => this.#lost();
  }

  #lost(): void {
    this.#open = false;
    for (const [id, { text }] of this.#pending) if (!text) this.#pending.delete(id);
    this.#listener.line(false);
    if (this.#stopped) return;
    const pause = Math.min(SHORTEST_PAUSE * 2 ** this.#breaks, LONGEST_PAUSE);
    this.#breaks += 1;
    this.#cancel = this.#around.later(() => this.#connect(), pause);
  }

  #hear(message: Told | Frame): void {
    if (!("type" in message) || message.type !== "answer") {
      this.#listener.told(message);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    pending?.answered(message.error);
  }
}
