/** Periods of the history, by the days of the player's own clock. */

import type { Wanted } from "../../net/api";

export const PERIODS = ["today", "week", "month", "all", "dates"] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Readonly<Record<"today" | "week" | "month", number>> = { today: 1, week: 7, month: 30 };

/** The times of a period, by the days of the player's own clock. */
export function span(period: Period, from: string, to: string, now: number): Pick<Wanted, "since" | "until"> {
  if (period === "all") return {};
  if (period !== "dates") return { since: dayStart(new Date(now), 1 - DAYS[period]) };
  return { ...(from && { since: dayStart(dateOf(from)) }), ...(to && { until: dayStart(dateOf(to), 1) }) };
}

/** The midnight at which a day begins, some days later or earlier; days are not always 24 hours long. */
function dayStart(day: Date, later = 0): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime();
}

function dateOf(written: string): Date {
  return new Date(`${written}T00:00`);
}
