/** Fields for amounts that may be left empty, and for limits from one amount to another. */

import { amountWithin, Entry } from "../../language/entry.svelte";
import { speech } from "../../language/speech.svelte";
import type { Limits } from "../../wire";

export type Money = "EUR" | "FUN";

/** An amount in cents, as it stands in a field. */
export function amountEntry(currency: () => Money, cents: number): Entry {
  return new Entry(amountWithin(() => ({ currency: currency() })), speech.texts.plain(cents));
}

/** An amount in cents that may be left out: 0 stands for none. */
export function optionalEntry(currency: () => Money, cents: number | null): Entry {
  const amount = amountWithin(() => ({ currency: currency() }));
  return new Entry((text) => (text.trim() ? amount(text) : 0), cents === null ? "" : speech.texts.plain(cents));
}

/** Two fields: from the least to the most. */
export class LimitsEntry {
  readonly minimum: Entry;
  readonly maximum: Entry;

  constructor(currency: () => Money, { minimum, maximum }: Limits) {
    this.minimum = amountEntry(currency, minimum);
    const most = amountWithin(() => ({ currency: currency(), least: this.minimum.value ?? 1 }));
    this.maximum = new Entry(most, speech.texts.plain(maximum));
  }

  /** The limits to go on with; if a field has none, it says why. */
  take(): Limits | null {
    const [minimum, maximum] = [this.minimum.take(), this.maximum.take()];
    return minimum === null || maximum === null ? null : { minimum, maximum };
  }
}
