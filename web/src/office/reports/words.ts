/** The cells of a report in words, and where a figure leads (OFF-20, OFF-22). */

import { GAMES } from "../../games";
import type { Catalogue } from "../../language/catalogue";
import type { Report } from "../../wire";
import { detailText } from "../events/words";
import { placeText } from "../parts/place";
import { dayText, momentText } from "../parts/time";
import { withQuery } from "../query";

export type Row = Report["rows"][number];
type Cell = Row[number];
type Kind = Report["columns"][number]["kind"];

type Query = Parameters<typeof withQuery>[1];

/** Figures of the performance of games that rounds add up to. */
const COUNTED = ["rounds", "voided", "bets", "staked", "paid", "hold"];
/** Figures that payments one way add up to. */
const WAYS: Readonly<Record<string, "in" | "out">> = { deposits: "in", deposited: "in", withdrawals: "out", withdrawn: "out" };
/** What each number of a signal is the sum of, by signal and column; thresholds and counts of days and hours are of nothing. */
const SIGNALS: Readonly<Record<string, Readonly<Record<string, "in" | "out" | "rounds">>>> = {
  "deposits-day": { value: "in", amount: "in" },
  "deposits-month": { amount: "in" },
  "losses-day": { amount: "rounds" },
  "losses-month": { amount: "rounds" },
  "withdrawn-unplayed": { amount: "out", beside: "rounds" },
  chasing: { value: "in", amount: "in", beside: "rounds" },
};

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

/** What moved money: a payment, an order, or a step of a round. */
export function causeText(cause: string, texts: Catalogue): string {
  const own = texts.named("office.cause", cause);
  return own === cause ? texts.named("action", cause) : own;
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
  if (name === "table") return placeText(text, texts);
  if (name === "period" && text.length === 10) return dayText(text, texts);
  if (name === "day" && text.length === 10) return dayText(text, texts);
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
  const interval = periodOf(report, at("period") || at("day"));
  const [game, currency, player] = [at("game"), at("currency"), at("player")];
  /** Rounds that ended in the period, payments in it, or all movements until its end. */
  const rounds = (of: Query) => figure({ of: "rounds", ...interval, currency, ...of });
  const payments = (of: Query) => figure({ of: "movements", ...interval, currency, payments: true, ...of });
  const balance = (of: Query) => figure({ of: "movements", last: interval.last, currency, ...of });
  switch (report.name) {
    case "performance":
      if (column.name === "open") return balance({ held: "escrow", game });
      return COUNTED.includes(column.name) ? rounds({ game, bet: at("bet"), rules: at("rules") }) : null;
    case "payments":
      return ["count", "money"].includes(column.kind) ? payments({ way: WAYS[column.name] }) : null;
    case "liability": {
      const held = { accounts: "player", at_tables: "session", open: "escrow" }[column.name];
      return held ? balance({ held }) : null;
    }
    case "activity":
      if (WAYS[column.name]) return payments({ player, way: WAYS[column.name] });
      return ["count", "money"].includes(column.kind) ? rounds({ player }) : null;
    case "signals": {
      const of = SIGNALS[at("signal")]?.[column.name];
      if (of === undefined) return null;
      return of === "rounds" ? rounds({ player }) : payments({ player, way: of });
    }
    default:
      return null;
  }
}

function figure(query: Query): string {
  return withQuery("/office/reports/figure", query);
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
