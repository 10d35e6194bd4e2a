/** Which quality plays: the player's choice, or by how well the video comes (STU-21). */

/** What was counted of a stream since it began. */
export interface Counts {
  /** Seconds in which the picture stood still. */
  readonly frozen: number;
  readonly lost: number;
  readonly received: number;
}

export interface Reading extends Counts {
  readonly at: number;
}

/** Milliseconds that are looked at, and without trouble before a better quality is tried. */
const LOOKED_AT = 5000;
const CALM = 60_000;
/** Trouble: so many seconds frozen, or such a part of the packets lost. */
const FROZEN = 1;
const LOST = 0.05;

/** The qualities of a table by their places, the best first: one worse in trouble, one better after a calm minute. */
export class AutomaticQuality {
  place: number;
  #readings: readonly Reading[] = [];
  #calmSince: number | null = null;

  /** `place` is the quality that is tried first. */
  constructor(place: number) {
    this.place = place;
  }

  /** What was counted, once a second; of `count` qualities gives the place of the one to play. */
  read(reading: Reading, count: number): number {
    this.#readings = [...this.#readings.filter(({ at }) => reading.at - at <= LOOKED_AT), reading];
    this.#calmSince ??= reading.at;
    if (this.#troubled(reading)) this.#go(Math.min(this.place + 1, count - 1));
    else if (reading.at - this.#calmSince >= CALM) this.#go(Math.max(this.place - 1, 0));
    return this.place;
  }

  /** Another stream plays: what was counted of the one before says nothing of it. */
  restart(): void {
    this.#readings = [];
    this.#calmSince = null;
  }

  #go(place: number): void {
    this.place = place;
    this.restart();
  }

  #troubled(last: Reading): boolean {
    const [first] = this.#readings;
    if (!first || last.at - first.at < LOOKED_AT) return false;
    const lost = last.lost - first.lost;
    const sent = lost + last.received - first.received;
    return last.frozen - first.frozen >= FROZEN || (sent > 0 && lost / sent > LOST);
  }
}
