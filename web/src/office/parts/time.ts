/** Days that are chosen in a list, as the house is asked for them. */

import type { Catalogue } from "../../language/catalogue";
import { span } from "../../pages/list/period";
import type { Filter } from "./types";

/** Two fields: the first and the last day. */
export function timeFilters(texts: Catalogue): readonly Filter[] {
  return [
    { name: "from", label: texts.text("office.from"), kind: "date" },
    { name: "to", label: texts.text("office.to"), kind: "date" },
  ];
}

/** What stands in the address as the house is asked for it: days as moments, the order by its name. */
export function asked(chosen: Readonly<Record<string, string>>): Readonly<Record<string, string | number>> {
  const { from = "", to = "", sort, ...others } = chosen;
  const order = sort && { order: sort.startsWith("-") ? "newest" : "oldest" };
  return { ...others, ...order, ...span("dates", from, to, 0) };
}

/** A moment to the second. */
export function momentText(at: number, texts: Catalogue): string {
  const locale = texts.language === "it" ? "it-IT" : "en-GB";
  return new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}
