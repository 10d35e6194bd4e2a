/** A field in which a number is written: what it means, or why it cannot be taken. */

import { speech } from "./speech.svelte";

/** What a text means: a number, or the sentence that says why it is none that can be taken. */
export type Reader = (text: string) => number | string;

export class Entry {
  text = $state("");
  /** The text that was refused: the reason is told until another is written. */
  #refused = $state<string | null>(null);
  readonly #read: Reader;

  constructor(read: Reader, text = "") {
    this.#read = read;
    this.text = text;
  }

  readonly #meant = $derived.by(() => this.#read(this.text));
  /** The number, where it can be taken. */
  readonly value = $derived(typeof this.#meant === "number" ? this.#meant : null);
  /** Why what is written was refused. */
  readonly reason = $derived(this.#refused === this.text && typeof this.#meant === "string" ? this.#meant : null);

  /** The number to go on with; if there is none, the field says why. */
  take(): number | null {
    this.#refused = this.value === null ? this.text : null;
    return this.value;
  }

  clear(): void {
    this.text = "";
    this.#refused = null;
  }
}

/** The amounts that a field takes, in cents; the sentence for more than `most` says whose bound that is. */
export interface Bounds {
  readonly currency: "EUR" | "FUN";
  readonly least?: number;
  readonly most?: number;
  readonly above?: "most" | "above-account" | "above-cap";
}

/** Reads amounts in the language of the page, within bounds that may change. */
export function amountWithin(bounds: () => Bounds): Reader {
  return (text) => {
    const { texts } = speech;
    const { currency, least = 1, most = Infinity, above = "most" } = bounds();
    const cents = texts.read(text);
    if (typeof cents === "string") return texts.text(`web.amount.${cents}`, { example: texts.amount(100_050) });
    if (cents === 0 && least > 0) return texts.text("web.amount.zero");
    if (cents < least) return texts.text("web.amount.least", { amount: texts.money(least, currency) });
    return cents > most ? texts.text(`web.amount.${above}`, { amount: texts.money(most, currency) }) : cents;
  };
}

/** Reads a whole number above zero. */
export const wholeNumber: Reader = (text) => {
  const written = text.trim();
  return /^[0-9]{1,9}$/.test(written) && Number(written) > 0 ? Number(written) : speech.texts.text("web.amount.whole");
};
