import { expect, test } from "vitest";
import { Catalogue } from "./catalogue";

const IT = new Catalogue("it");

test("an error counts places from 1, in the words of the game's felt", () => {
  const failure = { code: "turn/not-yours", params: { turn: "1.1", named: "1.0" } };
  expect(["link", "freebet", "majority-eu"].map((game) => IT.at(game).error(failure))).toEqual([
    "Tocca a mano 2, parte 2, non a mano 2",
    "Tocca a posto 2, parte 2, non a posto 2",
    "Tocca a postazione 2, parte 2, non a postazione 2",
  ]);
  expect(IT.error({ code: "seat/not-yours", params: { spot: 0 } })).toBe("Il posto 1 non è tuo");
  expect(IT.error({ code: "bet/no-such-spot", params: { spot: -1, last: 4 } })).toContain("da 1 a 5");
});

test("names in an error are the game's own", () => {
  const failure = { code: "bet/no-such-bet", params: { kind: "top-3", known: "main, player-pair" } };
  expect(IT.at("freebet").error(failure)).toBe(
    "Questo tavolo non ha la puntata “migliori 3”: ha principale, coppie perfette",
  );
});

test("one second and many", () => {
  const told = [1, 15].map((seconds) => IT.error({ code: "rate/limited", params: { seconds } }));
  expect(told).toEqual(["Troppe richieste: riprova tra 1 secondo", "Troppe richieste: riprova tra 15 secondi"]);
});

test("a refusal that is the reason of another one is told in the language", () => {
  const reason = { code: "option/max-win-side", params: { most: 240_000, bet: "player-pair", stake: 10_000, expected: 9228, least: 9389 } };
  const sentence = IT.error({ code: "limits/settings", params: { name: "low", reason } });
  expect(sentence).toMatch(/^I limiti “low” non si possono usare: una vincita massima di 2\.400,00 abbassa il ritorno di /);
  expect(sentence).toContain("al suo massimo di 100,00, al 92,28%, sotto il 93,89%");
});
