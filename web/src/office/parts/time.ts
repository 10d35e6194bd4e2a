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

type Choices = Readonly<Record<string, string>>;
type Asked = Readonly<Record<string, string | number>>;

/** What stands in the address, with days as moments. */
export function days({ from = "", to = "", ...others }: Choices): Asked {
  return { ...others, ...span("dates", from, to, 0) };
}

/** The same for a list that is sorted by time alone. */
export function byTime(chosen: Choices): Asked {
  const { sort, ...others } = chosen;
  return { ...days(others), ...(sort && { order: sort.startsWith("-") ? "newest" : "oldest" }) };
}

/** A moment to the second. */
export function momentText(at: number, texts: Catalogue): string {
  const locale = texts.language === "it" ? "it-IT" : "en-GB";
  return new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}
