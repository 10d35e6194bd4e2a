/** The stream of numbers that two seeds make, and the shoe shuffled by it, as docs/play/fairness.md tells. */

import { hex, hmac, sha256, utf8 } from "./sha256";

/** What an outcome is worth in a draw: the outcomes with their weights. */
export type Weights<T> = readonly (readonly [T, number])[];

export class Stream {
  readonly #hash: (message: Uint8Array) => Uint8Array;
  readonly #text: string;
  #block = new DataView(new ArrayBuffer(0));
  #blocks = 0;
  #at = 0;

  constructor(serverSeed: Uint8Array, clientSeed: string, purpose: "shoe" | "bonus" | "salt") {
    this.#hash = hmac(serverSeed);
    this.#text = `sabot/1|${purpose}|${clientSeed}|${hex(sha256(serverSeed))}|`;
  }

  /** Block `index`, 32 bytes. */
  block(index: number): Uint8Array {
    return this.#hash(utf8(`${this.#text}${index}`));
  }

  /** A number below `n`, every one as likely as the next: words that would favour the small ones are thrown away. */
  below(n: number): number {
    const most = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const word = this.#word();
      if (word < most) return word % n;
    }
  }

  /** One of several outcomes. */
  pick<T>(weights: Weights<T>): T {
    let number = this.below(weights.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [outcome, weight] of weights) {
      if (number < weight) return outcome;
      number -= weight;
    }
    throw new Error("a number below the sum of all weights is below one of their sums");
  }

  #word(): number {
    if (this.#at === this.#block.byteLength) {
      this.#block = new DataView(this.block(this.#blocks).buffer as ArrayBuffer);
      this.#blocks += 1;
      this.#at = 0;
    }
    this.#at += 4;
    return this.#block.getUint32(this.#at - 4);
  }
}

/** The cards of a shoe in the order they are dealt. */
export function shoeOrder(serverSeed: Uint8Array, clientSeed: string, decks: number): readonly number[] {
  const stream = new Stream(serverSeed, clientSeed, "shoe");
  const cards = Array.from({ length: 52 * decks }, (_, index) => index % 52);
  for (let k = 0; k < cards.length; k += 1) {
    const j = k + stream.below(cards.length - k);
    [cards[k], cards[j]] = [cards[j] ?? 0, cards[k] ?? 0];
  }
  return cards;
}
