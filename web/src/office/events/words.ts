/** The kinds of significant events, and what is noted with one, in words (OFF-11). */

import type { Catalogue } from "../../language/catalogue";
import type { OfficeEvent } from "../../wire";

export const SEVERITIES: readonly OfficeEvent["severity"][] = ["alarm", "warning", "info"];
export const KINDS: readonly OfficeEvent["kind"][] = [
  "login-failed",
  "login-locked",
  "login-unlocked",
  "second-factor",
  "role",
  "player-locked",
  "player-unlocked",
  "large-win",
  "large-stake",
  "void",
  "correction",
  "scan-refused",
  "dealer-late",
  "shoe-miscounted",
  "pause",
  "resume",
  "supervisor-called",
  "configuration",
  "adjustment",
  "clock",
  "unavailable",
  "available",
  "self-check",
  "return-alarm",
];

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
