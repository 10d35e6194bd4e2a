import { expect, it } from "vitest";

import { Catalogue } from "../../language/catalogue";
import { detailText } from "./words";

const IT = new Catalogue("it");
const HASH = "af1d682ef3991937c0ffee00af1d682ef3991937c0ffee00af1d682ef3991937";
const OTHER = `0b${HASH.slice(2)}`;

it("says which bet of which game has an alarm of its return, by its name (OFF-11, OFF-13)", () => {
  const alarm = { rounds: 812, game: "surrender", rules: HASH, currency: "EUR", bet: "dealer-pair" };
  expect(detailText(alarm, IT)).toBe("round: 812; gioco: Blackjack Surrender Multihand; regole: af1d682e; valuta: EUR; puntata: coppia del croupier");
  const seen = { place: "solo/surrender", game: "surrender", bet: "main" };
  expect(detailText(seen, IT)).toBe("tavolo: individuali; gioco: Blackjack Surrender Multihand; puntata: principale");
});

it("says what a self-check found, and what was accepted (OFF-11, OFF-12)", () => {
  const rules = { kind: "rules", subject: "link", recorded: HASH, found: OTHER, files: [] };
  const program = { kind: "program", subject: "", recorded: HASH, found: OTHER, files: ["sabot/cards.py"] };
  expect(detailText({ why: "demand", part: "rules", subject: "link", recorded: HASH, found: OTHER, files: [] }, IT)).toBe(
    "oggetto: Blackjack Link; perché: su richiesta; parte: regole; registrato: af1d682e; trovato: 0b1d682e",
  );
  expect(detailText({ why: "daily", part: "program", subject: "", recorded: HASH, found: OTHER, files: ["sabot/cards.py"] }, IT)).toBe(
    "perché: ogni 24 ore; parte: programma; registrato: af1d682e; trovato: 0b1d682e; file: sabot/cards.py",
  );
  expect(detailText({ recorded: "1.4.0", parts: 20 }, IT)).toBe("registrato: 1.4.0; parti: 20");
  expect(detailText({ version: "1.4.0", differences: [rules, program] }, IT)).toBe(
    "versione: 1.4.0; differenze: regole Blackjack Link af1d682e → 0b1d682e, programma af1d682e → 0b1d682e sabot/cards.py",
  );
});

it("says why a card was refused, and what a shoe came to (OFF-11, STU-05..10)", () => {
  const reading = { device: "shoe-1", scan: 52 };
  const said = (why: string) => detailText({ why, ...reading }, IT).replace("; dispositivo: shoe-1; lettura: 52", "");
  expect(said("card/not-due")).toBe("perché: Nessuna carta è attesa: mettila da parte e chiama il supervisore");
  expect(said("card/not-in-shoe")).toBe("perché: La carta è già uscita tante volte quante ne contiene il sabot");
  expect(said("scan/gap")).toBe("perché: Manca una lettura");
  expect(said("scan/reused")).toBe("perché: La lettura 52 era un'altra carta: ogni lettura ha un suo numero");
  expect(detailText({ counted: 211, dealt: 204 }, IT)).toBe("carte contate: 211; carte date: 204");
  expect(detailText({ by: 7, row: 31 }, IT)).toBe("operatore: 7; riga del registro: 31");
});

it("says which page of which players was looked at, and when something happened (OFF-03, OFF-22)", () => {
  expect(detailText({ players: [3, 4], page: "rounds-search" }, IT)).toBe("giocatori: 3, 4; pagina: ricerca dei round");
  expect(detailText({ happened: "2026-08-29T23:58:01.250Z" }, IT)).toBe("avvenuto il: 29/08/26, 23:58:01");
});
