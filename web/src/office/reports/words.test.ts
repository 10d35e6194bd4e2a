import { beforeAll, expect, it } from "vitest";

import { Catalogue, loadTexts, needOfficeTexts } from "../../language/catalogue";
import type { Report } from "../../wire";
import { detailText } from "../events/words";
import { causeText, drillOf } from "./words";

beforeAll(() => {
  needOfficeTexts();
  return loadTexts("it");
});

/** A report of two days with one row. */
function report(name: string, columns: Readonly<Record<string, Report["columns"][number]["kind"]>>, row: Report["rows"][number]): Report {
  return {
    name,
    house: "sabot",
    first: "2026-08-01",
    last: "2026-08-30",
    by: "month",
    made_at: 0,
    closed: true,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
    rows: [row],
    thresholds: [],
    more: false,
  };
}

function leads(made: Report): Record<string, string | null> {
  return Object.fromEntries(made.columns.map(({ name }, index) => [name, drillOf(made, index, made.rows[0] ?? [])]));
}

it("opens every figure of a player's activity to rounds or payments of that player (OFF-22)", () => {
  const made = report("activity", { player: "player", currency: "text", rounds: "count", won: "money", withdrawals: "count", withdrawn: "money" }, [7, "EUR", 3, -500, 1, 900]);
  const rounds = "/office/reports/figure?of=rounds&first=2026-08-01&last=2026-08-30&currency=EUR&player=7";
  const payments = "/office/reports/figure?of=movements&first=2026-08-01&last=2026-08-30&currency=EUR&payments=true&player=7&way=out";
  expect(leads(made)).toEqual({ player: "/office/players/7", currency: null, rounds, won: rounds, withdrawals: payments, withdrawn: payments });
});

it("opens the figures of a game by their bet and rules, and open money to its movements (OFF-22)", () => {
  const made = report("performance", { period: "text", game: "text", rules: "text", currency: "text", bet: "text", voided: "count", staked: "money", actual: "share", open: "money" }, ["2026-08", "link", "af1d", "EUR", "all", 2, 100, 0.9, 40]);
  const rounds = "/office/reports/figure?of=rounds&first=2026-08-01&last=2026-08-30&currency=EUR&game=link&bet=all&rules=af1d";
  expect(leads(made)).toMatchObject({
    voided: rounds,
    staked: rounds,
    actual: null,
    open: "/office/reports/figure?of=movements&last=2026-08-30&currency=EUR&held=escrow&game=link",
  });
});

it("opens numbers and sums of payments to those of their way, and the net to both (OFF-22)", () => {
  const columns = { period: "text", currency: "text", deposits: "count", deposited: "money", withdrawals: "count", withdrawn: "money", net: "money" } as const;
  const made = report("payments", columns, ["2026-08", "FUN", 3, 700, 1, 200, 500]);
  const both = "/office/reports/figure?of=movements&first=2026-08-01&last=2026-08-30&currency=FUN&payments=true";
  expect(leads(made)).toEqual({
    period: null,
    currency: null,
    deposits: `${both}&way=in`,
    deposited: `${both}&way=in`,
    withdrawals: `${both}&way=out`,
    withdrawn: `${both}&way=out`,
    net: both,
  });
});

it("opens the amounts of a signal to what they are the sum of, on its day or in its month (OFF-21, OFF-22)", () => {
  const columns = { signal: "text", player: "player", currency: "text", day: "text", value: "count", amount: "money", beside: "money" } as const;
  const numbers = (...row: Report["rows"][number]) => {
    const { value, amount, beside } = leads(report("signals", columns, row));
    return { value, amount, beside };
  };
  const of = (kind: string, first: string, last: string) => `/office/reports/figure?of=${kind}&first=2026-08-${first}&last=2026-08-${last}&currency=EUR`;
  const paid = (first: string, last: string, way: string) => `${of("movements", first, last)}&payments=true&player=7&way=${way}`;
  const played = (first: string, last: string) => `${of("rounds", first, last)}&player=7`;
  expect(numbers("deposits-day", 7, "EUR", "2026-08-03", 4, 250_000, 200_000)).toEqual({ value: paid("03", "03", "in"), amount: paid("03", "03", "in"), beside: null });
  expect(numbers("deposits-month", 7, "EUR", "2026-08", null, 1_250_000, 1_000_000)).toEqual({ value: null, amount: paid("01", "30", "in"), beside: null });
  expect(numbers("losses-day", 7, "EUR", "2026-08-03", null, 250_000, 200_000)).toEqual({ value: null, amount: played("03", "03"), beside: null });
  expect(numbers("losses-month", 7, "EUR", "2026-08", null, 1_250_000, 1_000_000)).toEqual({ value: null, amount: played("01", "30"), beside: null });
  expect(numbers("chasing", 7, "EUR", "2026-08-03", 3, 90_000, 80_000)).toEqual({ value: paid("03", "03", "in"), amount: paid("03", "03", "in"), beside: played("03", "03") });
  expect(numbers("withdrawn-unplayed", 7, "EUR", "", null, 90_000, 1_000)).toEqual({ value: null, amount: paid("01", "30", "out"), beside: played("01", "30") });
  expect(numbers("nights", 7, "EUR", "", 6, null, null)).toEqual({ value: null, amount: null, beside: null });
  expect(numbers("short-lived", 7, "", "2026-08-03", 5, null, null)).toEqual({ value: null, amount: null, beside: null });
});

it("says what changed in words, before and after, and nothing in codes", () => {
  const texts = new Catalogue("it");
  const limits = { subject: "limits/surrender/EUR", proposal: 3, changes: [{ field: "high.main.maximum", before: 200_000, after: 90_000 }] };
  expect(detailText(limits, texts)).toBe("oggetto: Limiti: Blackjack Surrender Multihand, EUR; proposta: 3; alti · puntata principale · massimo: 2.000,00 → 900,00");
  expect(detailText({ subject: "switch/game/link", changes: [{ field: "", before: true, after: false }] }, texts)).toBe("oggetto: Blackjack Link; aperto → chiuso");
  expect(detailText({ amount: -1_234, currency: "EUR", player: 7 }, texts)).toBe("importo: -12,34; valuta: EUR; giocatore: 7");
  expect(detailText({ parts: [{ kind: "rules", subject: "link", sha256: "af1d682ef3991937" }] }, texts)).toBe("parti: regole Blackjack Link af1d682e");
  expect(detailText({ by: 7, table: "live/one", role: "auditor" }, texts)).toBe("operatore: 7; tavolo: one; ruolo: revisore");
  expect(["place-bets", "hit", "sit", "take-back"].map((cause) => causeText(cause, texts))).toEqual(["puntate", "carta", "portato al tavolo", "carta ritirata"]);
});
