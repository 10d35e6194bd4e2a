// Written by `python -m tools.web web/src`; a test compares. Do not edit.

import type it from "./texts.it";
import type itOffice from "./texts.office.it";
import type en from "./texts.en";
import type enOffice from "./texts.office.en";

/** A text that every language has: one that is missing is an error of the compiler. */
export type Key = (keyof typeof it | keyof typeof itOffice) & (keyof typeof en | keyof typeof enOffice);
/** The languages by their own names. */
export const LANGUAGES = {
  "it": "Italiano",
  "en": "English"
} as const;

/** A part of the texts, by key. */
export type Texts = Readonly<Record<string, string>>;
/** Loads a part of the texts of a language. */
export type Loaders = Readonly<Record<keyof typeof LANGUAGES, () => Promise<{ readonly default: Texts }>>>;

/** What every page says. */
export const LOADERS: Loaders = {
  it: () => import("./texts.it"),
  en: () => import("./texts.en"),
};

/** What the back office says. */
export const OFFICE_LOADERS: Loaders = {
  it: () => import("./texts.office.it"),
  en: () => import("./texts.office.en"),
};
