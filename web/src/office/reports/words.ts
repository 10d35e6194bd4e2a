/** The cells of a report in words, and where a figure leads (OFF-20, OFF-22). */

import { GAMES } from "../../games";
import type { Catalogue } from "../../language/catalogue";
import type { Report } from "../../wire";
import { detailText } from "../events/words";
import { momentText } from "../parts/time";
import { withQuery } from "../query";

export type Row = Report["rows"][number];
type Cell = Row[number];
type Kind = Report["columns"][number]["kind"];

/** Columns of text whose words have names, and the heading of those. */
const NAMED: Readonly<Record<string, string>> = {
  severity: "office.severity",
  event: "office.event",
  change: "office.change",
  exclusion: "office.exclusion",
  signal: "office.signal",
};

export function titleOf(name: string, texts: Catalogue): string {
  return texts.named("office.report", name);
}

export function cellText(name: string, kind: Kind, cell: Cell, currency: Cell, texts: Catalogue): string {
  if (cell === null || cell === "") return kind === "text" ? "" : "–";
  if (kind === "moment") return momentText(Number(cell), texts);
  if (kind === "money") return texts.money(Number(cell), currency === "FUN" ? "FUN" : "EUR");
  if (kind === "share") return `${texts.percent(Number(cell))} %`;
  if (kind === "count") return texts.whole(Number(cell));
  const text = String(cell);
  if (name === "game") return GAMES[text]?.title ?? text;
  if (name === "bet") return text === "all" ? texts.text("office.reports.all-bets") : texts.named("kind", text);
  if (name === "rules") return text.slice(0, 8);
  if (name === "detail") return detailText(JSON.parse(text) as Readonly<Record<string, unknown>>, texts);
  return NAMED[name] ? texts.named(NAMED[name], text) : text;
}

/** Where a cell leads: to a player, a round, or what the figure is the sum of. */
export function drillOf(report: Report, index: number, row: Row): string | null {
  const column = report.columns[index];
  const cell = row[index] ?? null;
  if (!column || cell === null || cell === "") return null;
  if (column.kind === "player") return `/office/players/${cell}`;
  if (column.kind === "round") return `/office/rounds/${cell}`;
  const at = (name: string) => {
    const found = row[report.columns.findIndex((each) => each.name === name)];
    return found === undefined || found === null ? "" : String(found);
  };
  const interval = periodOf(report, at("period"));
  if (report.name === "performance" && ["rounds", "bets", "staked", "paid", "hold"].includes(column.name))
    return withQuery("/office/reports/figure", { of: "rounds", ...interval, game: at("game"), currency: at("currency"), bet: at("bet"), rules: at("rules") });
  if (report.name === "payments" && column.kind === "money")
    return withQuery("/office/reports/figure", { of: "movements", ...interval, currency: at("currency"), payments: "true" });
  const held = { accounts: "player", at_tables: "session", open: "escrow" }[column.name];
  if (report.name === "liability" && held)
    return withQuery("/office/reports/figure", { of: "movements", last: interval.last, currency: at("currency"), held });
  return null;
}

/** The days of a period of a report: `2026-08` is from its first day to its last, within the report's. */
function periodOf(report: Report, period: string): { readonly first: string; readonly last: string } {
  const first = report.first ?? "";
  if (!period) return { first, last: report.last };
  const begin = (period + "-01-01").slice(0, 10);
  const months = period.length === 4 ? 12 : 1;
  const [year = 0, month = 1] = begin.split("-").map(Number);
  const end = period.length === 10 ? period : new Date(Date.UTC(year, month - 1 + months, 0)).toISOString().slice(0, 10);
  return { first: begin > first ? begin : first, last: end < report.last ? end : report.last };
}
