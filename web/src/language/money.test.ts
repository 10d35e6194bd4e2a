import { expect, it } from "vitest";
import { Catalogue, LANGUAGES, preferred } from "./catalogue";
import { amount, chipLabel, parseAmount } from "./money";

it.each([
  [0, "0,00"],
  [5, "0,05"],
  [-50, "-0,50"],
  [123_450, "1.234,50"],
  [100_000_000, "1.000.000,00"],
])("writes %i cents", (cents, text) => expect(amount(cents, ",", ".")).toBe(text));

it.each([
  ["10", 1000],
  ["2,5", 250],
  ["2.50", 250],
  [" 7 ", 700],
  ["", null],
  ["1,234", null],
  ["-1", null],
])("reads %j", (text, cents) => expect(parseAmount(text)).toBe(cents));

it("names chips shortly", () => {
  expect([50, 100, 2500, 100_000].map((chip) => chipLabel(chip, ","))).toEqual(["0,50", "1", "25", "1K"]);
});

it("speaks both languages", () => {
  const [it, en] = [new Catalogue("it"), new Catalogue("en")];
  expect([it.money(123_450, "EUR"), en.money(123_450, "EUR")]).toEqual(["1.234,50 €", "€1,234.50"]);
  expect([it.card(0), en.card(0)]).toEqual(["asso di picche", "ace of spades"]);
  expect([it.label("hit", "surrender"), it.label("hit", "link")]).toEqual(["CARTA", "PRENDI CARTA"]);
  const failure = { code: "bet/below-minimum", params: { kind: "main", stake: 50, minimum: 100, maximum: 50_000 } };
  expect(it.error(failure)).toBe("La puntata di 0,50 (principale) è sotto il minimo: punta da 1,00 a 500,00");
  expect(en.error(failure)).toBe("Stake 0.50 on main is below the minimum: stake from 1.00 to 500.00");
  expect(it.error({ code: "no/such", params: {} })).toContain("no/such");
});

it("falls back to Italian", () => {
  expect(LANGUAGES).toEqual(["it", "en"]);
  expect([preferred(["de", "en-GB"]), preferred(["de"]), preferred([])]).toEqual(["en", "it", "it"]);
});
