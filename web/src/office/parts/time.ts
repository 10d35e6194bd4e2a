/** Days that are chosen in a list, as the house is asked for them. */

import type { Catalogue } from "../../language/catalogue";
import type { Filter } from "./types";

/** Days and times of the back office are those of UTC, as in the codes of rounds and in reports. */
const UTC = "UTC";
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Two fields: the first and the last day. */
export function timeFilters(texts: Catalogue): readonly Filter[] {
  return [
    { name: "from", label: texts.text("office.from"), kind: "date" },
    { name: "to", label: texts.text("office.to"), kind: "date" },
  ];
}

/** The same with the time of day, to the minute. */
export function momentFilters(texts: Catalogue): readonly Filter[] {
  return timeFilters(texts).map((filter) => ({ ...filter, kind: "moment" }));
}

type Choices = Readonly<Record<string, string>>;
type Asked = Readonly<Record<string, string | number>>;

/** What stands in the address, with days, or minutes of days, as moments; the last one counts whole. */
export function days({ from = "", to = "", ...others }: Choices): Asked {
  const after = to.includes("T") ? MINUTE_MS : DAY_MS;
  return { ...others, ...(from && { since: momentOf(from) }), ...(to && { until: momentOf(to) + after }) };
}

function momentOf(written: string): number {
  return Date.parse(written.includes("T") ? `${written}Z` : written);
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

/** The time of day to the second, as the codes of rounds have it. */
export function timeText(at: number, texts: Catalogue): string {
  return new Date(at).toLocaleTimeString(localeOf(texts), { timeStyle: "medium", timeZone: UTC });
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
