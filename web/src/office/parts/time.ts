/** Days that are chosen in a list, as the house is asked for them. */

import type { Catalogue } from "../../language/catalogue";
import type { Filter } from "./types";

/** Days and times of the back office are those of UTC, as in the codes of rounds and in reports. */
const UTC = "UTC";
const DAY_MS = 86_400_000;

/** Two fields: the first and the last day. */
export function timeFilters(texts: Catalogue): readonly Filter[] {
  return [
    { name: "from", label: texts.text("office.from"), kind: "date" },
    { name: "to", label: texts.text("office.to"), kind: "date" },
  ];
}

type Choices = Readonly<Record<string, string>>;
type Asked = Readonly<Record<string, string | number>>;

/** What stands in the address, with days as moments. */
export function days({ from = "", to = "", ...others }: Choices): Asked {
  return { ...others, ...(from && { since: Date.parse(from) }), ...(to && { until: Date.parse(to) + DAY_MS }) };
}

/** The same for a list that is sorted by time alone. */
export function byTime(chosen: Choices): Asked {
  const { sort, ...others } = chosen;
  return { ...days(others), ...(sort && { order: sort.startsWith("-") ? "newest" : "oldest" }) };
}

/** A moment to the second. */
export function momentText(at: number, texts: Catalogue): string {
  return new Date(at).toLocaleString(localeOf(texts), { dateStyle: "short", timeStyle: "medium", timeZone: UTC });
}

/** A day in full, or with its month alone for a chart; it is written `2026-08-29`. */
export function dayText(day: string, texts: Catalogue, short = false): string {
  const form: Intl.DateTimeFormatOptions = { day: "2-digit", month: "2-digit", timeZone: UTC };
  if (!short) form.year = "numeric";
  return new Date(day).toLocaleDateString(localeOf(texts), form);
}

function localeOf({ language }: Catalogue): string {
  return language === "it" ? "it-IT" : "en-GB";
}
