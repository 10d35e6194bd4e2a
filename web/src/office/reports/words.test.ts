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
  const payments = "/office/reports/figure?of=movements&first=2026-08-01&last=2026-08-30&currency=EUR&payments=true&player=7";
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

it("opens numbers and sums of payments alike", () => {
  const made = report("payments", { period: "text", currency: "text", deposits: "count", deposited: "money" }, ["2026-08", "FUN", 3, 700]);
  expect(leads(made).deposits).toBe(leads(made).deposited);
  expect(leads(made).deposits).toContain("payments=true");
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
