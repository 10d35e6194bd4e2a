/** What is noted with a significant event, in words (OFF-11). */

import type { Catalogue } from "../../language/catalogue";

/** Details that are cents. */
const MONEY = ["amount", "stake", "staked", "win", "won", "paid"];

/** Names of what every row has, or that say the same as its column. */
const SAID = ["fact", "operator", "reason", "version"];

/** What is noted beside an event or a change, in words: names and values, and those inside them. */
export function detailText(detail: Readonly<Record<string, unknown>>, texts: Catalogue): string {
  return Object.entries(detail)
    .filter(([name, value]) => value !== null && value !== "" && !SAID.includes(name))
    .map(([name, value]) => (name === "facts" ? valueOf(name, value, texts) : `${texts.named("office.field", name)}: ${valueOf(name, value, texts)}`))
    .join("; ");
}

function valueOf(name: string, value: unknown, texts: Catalogue): string {
  if (typeof value === "number" && MONEY.includes(name)) return texts.amount(value);
  if (Array.isArray(value)) return value.map((each) => valueOf(name, each, texts)).join("; ");
  if (typeof value === "object" && value !== null) return detailText(value as Readonly<Record<string, unknown>>, texts);
  return String(value);
}
