/** Limits of the player's own, time-outs and self-exclusion: what can be chosen, and what it means (PLT-50). */

import type { InForce, Protecting } from "../wire";
import type { Catalogue } from "../language/catalogue";
import { amountWithin } from "../language/entry.svelte";
import { speech } from "../language/speech.svelte";

/** The end of a self-exclusion for good, as the house sends it. */
export const FOR_GOOD = 253_402_300_799_999;

const DAY = 24 * 60 * 60 * 1000;

export type LimitKind = "deposit-day" | "loss-day" | "session-minutes";
export const LIMITS: readonly LimitKind[] = ["deposit-day", "loss-day", "session-minutes"];

/** Lengths of time to choose from, as the catalogue calls them. */
export type Span = "day" | "week" | "month" | "half-year" | "year" | "five-years" | "for-good";
export const PAUSES: readonly Span[] = ["day", "week", "month"];
export const EXCLUSIONS: readonly Span[] = ["half-year", "year", "five-years", "for-good"];

const DAYS: Readonly<Record<Exclude<Span, "for-good">, number>> = {
  day: 1,
  week: 7,
  month: 30,
  "half-year": 182,
  year: 365,
  "five-years": 5 * 365 + 1,
};

/** When a span that begins now ends. */
export function endOf(span: Span, now: number): number {
  return span === "for-good" ? FOR_GOOD : now + DAYS[span] * DAY;
}

/** The most that a limit can be: ten thousand million. */
const MOST = 10 ** 12;
/** Minutes of a day. */
const MINUTES = 24 * 60;
const amounts = amountWithin(() => ({ currency: "EUR", least: 0, most: MOST }));

/** The value of a limit that a person wrote, cents or whole minutes; or why it is none. */
export function limitOf(kind: LimitKind, written: string): number | string {
  if (kind !== "session-minutes") return amounts(written);
  const minutes = /^\d{1,4}$/.test(written.trim()) ? Number(written) : 0;
  return minutes >= 1 && minutes <= MINUTES ? minutes : speech.texts.text("web.care.bad-minutes");
}

/** The request that sets a limit. */
export function wish(kind: LimitKind, value: number | null): Protecting {
  if (kind === "deposit-day") return { deposit_day: value };
  return kind === "loss-day" ? { loss_day: value } : { session_minutes: value };
}

/** A limit in words. */
export function limitText(kind: LimitKind, value: number | null, texts: Catalogue): string {
  if (value === null) return texts.text("web.care.none");
  if (kind === "session-minutes") return texts.text("web.care.minutes", { minutes: value });
  return texts.money(value, "EUR");
}

/** Why a player was let in to withdraw and for nothing else (PLT-73); `excluded` is the end of a self-exclusion, if that is why. */
export function whyWithdrawing(excluded: number | null, texts: Catalogue): string {
  if (excluded === null) return texts.text("web.door.locked");
  if (excluded >= FOR_GOOD) return texts.text("web.door.excluded-for-good");
  return texts.text("web.door.excluded-until", { until: texts.dateTime(excluded) });
}

export function found(rows: readonly InForce[], kind: InForce["kind"]): InForce | undefined {
  return rows.find((row) => row.kind === kind);
}
