/** What is noted with a significant event, in words (OFF-11). */

import type { Catalogue } from "../../language/catalogue";

/** Details that are cents. */
const MONEY = ["amount", "stake", "staked", "win", "won", "paid"];

export function detailText(detail: Readonly<Record<string, unknown>>, texts: Catalogue): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${texts.named("office.field", name)}: ${valueOf(name, value, texts)}`)
    .join("; ");
}

function valueOf(name: string, value: unknown, texts: Catalogue): string {
  if (typeof value === "number" && MONEY.includes(name)) return texts.amount(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
