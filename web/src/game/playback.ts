/**
 * Steps shown one after the other. A step stands for a time, or until it is ended from outside: by whoever drew it, or by
 * the player. Who is in a hurry sees the timed ones pass quickly, and waits for nothing that can be skipped.
 */

/** How long a step stands: milliseconds, or until `end` is called. */
export type Wait = number | "until-ended";
export type Step = () => Wait;

/** How long a timed step stands for a player in a hurry. */
const HURRIED = 40;

export class Playback {
  readonly #later: (act: () => void, milliseconds: number) => () => void;
  readonly #playing: (playing: boolean) => void;
  readonly #queue: Step[] = [];
  #cancel: () => void = () => undefined;
  #wait: Wait | null = null;
  #hurried = false;

  /** `playing` is called when there is something to show, and when all is shown. */
  constructor(later: (act: () => void, milliseconds: number) => () => void, playing: (playing: boolean) => void) {
    this.#later = later;
    this.#playing = playing;
  }

  add(...steps: Step[]): void {
    this.#queue.push(...steps);
    if (this.#wait === null) this.#go();
  }

  /** End a step that stands until it is ended. */
  end(): void {
    if (this.#wait === "until-ended") this.#go();
  }

  /** End a step that stands for a time, before its time. */
  skip(): void {
    if (typeof this.#wait !== "number") return;
    this.#cancel();
    this.#go();
  }

  /** Show what is left quickly. */
  hurry(): void {
    if (this.#wait === null) return;
    this.#hurried = true;
    this.skip();
  }

  /** Forget what is still to be shown. */
  clear(): void {
    this.#queue.length = 0;
    this.#cancel();
    this.#wait = null;
    this.#hurried = false;
    this.#playing(false);
  }

  #go(): void {
    this.#wait = 0;
    this.#playing(true);
    for (let step = this.#queue.shift(); step; step = this.#queue.shift()) {
      const wait = step();
      if (wait === 0) continue;
      this.#wait = wait;
      if (typeof wait === "number")
        this.#cancel = this.#later(() => this.#go(), this.#hurried ? Math.min(wait, HURRIED) : wait);
      return;
    }
    this.#wait = null;
    this.#hurried = false;
    this.#playing(false);
  }
}
