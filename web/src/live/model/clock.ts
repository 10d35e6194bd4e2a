/** The house's clock, as far as the page can tell: its answers carry the time. */

export class HouseClock {
  /** Milliseconds by which the house's clock is ahead of the page's. */
  #ahead = 0;
  #unsure = Infinity;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The house answered at some moment between then and now; the quickest answer tells most. */
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
