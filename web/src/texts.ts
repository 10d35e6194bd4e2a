// Written by `python -m tools.web web/src`; a test compares. Do not edit.

import type it from "./texts.it";
import type en from "./texts.en";

/** A text that every language has: one that is missing is an error of the compiler. */
export type Key = keyof typeof it & keyof typeof en;
export type Texts = Readonly<Record<Key, string>>;

/** The languages by their own names. */
export const LANGUAGES = {
  "it": "Italiano",
  "en": "English"
} as const;

/** Loads the texts of a language. */
export const LOADERS: Readonly<Record<keyof typeof LANGUAGES, () => Promise<{ readonly default: Texts }>>> = {
  it: () => import("./texts.it"),
  en: () => import("./texts.en"),
};
