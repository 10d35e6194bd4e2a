import { describe, expect, it } from "vitest";
import { Catalogue, LANGUAGES, preferred } from "./catalogue";
import { amount, chipLabel, readAmount } from "./money";

it.each([
  [0, "0,00"],
  [5, "0,05"],
  [-50, "-0,50"],
  [123_450, "1.234,50"],
  [100_000_000, "1.000.000,00"],
])("writes %i cents", (cents, text) => expect(amount(cents, ",", ".")).toBe(text));

const ITALIAN = { decimal: ",", thousands: "." };
const ENGLISH = { decimal: ".", thousands: "," };

describe("amounts as a person writes them", () => {
  /** In Italian; in English with the signs exchanged. */
  it.each([
    ["10", 1_000],
    ["0", 0],
    ["0,00", 0],
    ["2,5", 250],
    ["2,50", 250],
    ["25,", 2_500],
    [",5", 50],
    ["007", 700],
    ["1000", 100_000],
    ["1.000", 100_000],
    ["1.000,50", 100_050],
    ["1000,50", 100_050],
    ["12.345.678,90", 1_234_567_890],
    ["123456789012", 12_345_678_901_200],
    // The keypad's own point.
    ["2.5", 250],
    ["2.50", 250],
    ["1000.50", 100_050],
    // Around it.
    [" 7 ", 700],
    ["1\u00a0000,50", 100_050],
    ["€ 10", 1_000],
    ["10,50 €", 1_050],
    ["10 eur", 1_000],
    ["5.000,00 FUN", 500_000],
    // Nothing.
    ["", "empty"],
    ["  ", "empty"],
    ["€", "empty"],
    // Not two decimals.
    ["1,505", "decimals"],
    ["1,000", "decimals"],
    ["1.000,505", "decimals"],
    // No amounts.
    [",", "unreadable"],
    [".", "unreadable"],
    ["-1", "unreadable"],
    ["+1", "unreadable"],
    ["1e3", "unreadable"],
    ["0x10", "unreadable"],
    ["dieci", "unreadable"],
    ["10 12 €€", "unreadable"],
    ["1,0,0", "unreadable"],
    ["1,000,5", "unreadable"],
    ["1000.000", "unreadable"],
    ["1.00.000", "unreadable"],
    ["1..000", "unreadable"],
    ["1.000.", "unreadable"],
    [".500", "unreadable"],
    ["1,000.50", "unreadable"],
    ["1234567890123", "unreadable"],
    ["١٠", "unreadable"],
  ])("reads %j", (text, cents) => {
    expect(readAmount(text, ITALIAN)).toBe(cents);
    const english = text.replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
    expect(readAmount(english, ENGLISH)).toBe(cents);
  });

  it.each(LANGUAGES)("reads what the page writes, %s", (language) => {
    const texts = new Catalogue(language);
    for (const cents of [0, 1, 50, 99, 100, 1_050, 99_999, 100_000, 123_456_789])
      for (const written of [texts.amount(cents), texts.plain(cents), texts.money(cents, "EUR"), texts.money(cents, "FUN")])
        expect(texts.read(written), written).toBe(cents);
  });
});

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
