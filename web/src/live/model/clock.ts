/** The house's clock, worked out from the times in its responses. */

export class HouseClock {
  /** Milliseconds by which the house's clock is ahead of the page's. */
  #ahead = 0;
  #unsure = Infinity;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The house answered at some moment between then and now; the quickest response is the most exact. */
  compare(at: number, asked: number): void {
    const now = this.#now();
    if (!at || now - asked > this.#unsure) return;
    this.#unsure = now - asked;
    this.#ahead = at - (now + asked) / 2;
  }

  /** The time by the house's clock. */
  now(): number {
    return this.#now() + this.#ahead;
  }
}
