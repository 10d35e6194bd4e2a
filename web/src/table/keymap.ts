/** Which key stands for what at a table: one meaning for each key, in every phase of every game (PLT-45). */

import type { Catalogue } from "../language/catalogue";

export const STARTS = ["deal"] as const;
export const STAKES = ["double-stakes"] as const;
export const DECISIONS = ["hit", "stand", "double", "split", "surrender", "cashback"] as const;
export const ANSWERS = ["accept", "refuse", "apply-all"] as const;
export const BONUS = ["spin", "continue"] as const;

/** What a key can stand for. */
export type Meaning = (typeof STARTS | typeof STAKES | typeof DECISIONS | typeof ANSWERS | typeof BONUS)[number];

/** The letter of a meaning, in the language of the page. */
export function letter(meaning: Meaning, texts: Catalogue): string {
  return texts.text(`key.${meaning}`);
}
