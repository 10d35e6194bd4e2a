import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Line, RoundEvent, RoundView } from "../wire";
import { Catalogue, LANGUAGES } from "../language/catalogue";
import { handResult } from "./book";
import { timeOf } from "./code";
import { lineOf, noticeText, openRound, placeName, stakeText, tell, wonWords } from "./round";
import { sectionName, tileName } from "./say";
import { EMPTY } from "./table";

interface Scene {
  title: string;
  steps: { events: RoundEvent[] }[];
}

const texts = new Catalogue("it");

function scenes(game: string): Scene[] {
  const path = new URL(`../../../tests/golden/${game}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8")) as Scene[];
}

function roundOf(scene: Scene, game: string): RoundView {
  const line: Line = { code: "261115-130501-K7QA", at: 0, game, currency: "FUN", staked: 0, paid: 0, golden: false, state: "settled" };
  return { line, moments: scene.steps.map(({ events }, index) => ({ at: index, events, moved: index })), notices: [] };
}

describe.each(["surrender", "cashback", "link"])("the rounds of %s", (game) => {
  it.each(scenes(game).map((scene) => [scene.title, scene] as const))("%s", (_, scene) => {
    for (const language of LANGUAGES) {
      const opened = openRound(roundOf(scene, game), new Catalogue(language));
      const lines = opened.steps.flatMap((step) => step.lines);
      // Every event has words, and none shows a key, a param or a hole in a sentence.
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => /\{|\}|undefined|NaN|web\./.test(line))).toEqual([]);
      const events = scene.steps.flatMap(({ events }) => events);
      const dealt = events.filter(({ type }) => type === "card-dealt" || type === "hole-shown").length;
      const shown = [opened.view.dealer, ...opened.view.spots.flatMap(({ hands }) => hands)];
      expect(shown.reduce((sum, { cards }) => sum + cards.length, 0)).toBe(dealt);
      if (opened.paid) expect(opened.settled.reduce((sum, { paid }) => sum + paid, 0) - opened.capped).toBe(opened.paid.paid);
    }
  });
});

it("tells the steps of a bonus apart", () => {
  const bonus = scenes("link").map((scene) => openRound(roundOf(scene, "link"), texts)).find((opened) => opened.bonus.length);
  expect(bonus?.bonus[0]).toBe("Mano 1: blackjack con LINK, si gira la ruota.");
  expect(bonus?.bonus.some((line) => line.startsWith("La ruota si ferma su "))).toBe(true);
  expect(bonus?.bonus.at(-1)).toMatch(/^Il bonus paga \d+ a 1\.$/);
});

it("names wheel and tiles of a bonus as a screen reader and the help do", () => {
  const say = (event: RoundEvent) => tell(event, EMPTY, "link", texts);
  const section = "mega-link";
  expect(say({ type: "wheel-stopped", spot: 0, section })).toContain(sectionName(section, texts));
  const tiles = [3, "diamond"] as const;
  const opened = say({ type: "table-opened", spot: 0, feature: "link", tiles, cells: [], spins: 3 });
  expect(opened).toContain(tiles.map((tile) => tileName(tile, texts)).join(" "));
});

it("names with their places what one's own side bets have won with (PLT-70)", () => {
  const stake = { own: 200, golden: [], free: 0 };
  const line = (spot: number, why: "21+3" | "dealer-pair", paid: number) =>
    ({ type: "bet-settled", player: "7", spot, hand: 0, why, stake, result: paid ? "win" : "lose", paid, golden_back: [] }) as const;
  const side = (spot: number, kind: string, category: string, pays: number) => ({ type: "side-bet-decided", spot, kind, category, pays }) as const;
  const sides = [side(1, "21+3", "flush", 5), side(0, "21+3", "flush", 5), side(2, "21+3", "", 0), side(-1, "dealer-pair", "mixed", 6)];
  const settled = [line(1, "21+3", 1200), line(2, "21+3", 0), line(-1, "dealer-pair", 1400)];
  expect(wonWords({ sides, settled }, "surrender", texts.at("surrender"))).toEqual([
    "Mano 2, 21+3: colore 5\u00a0a\u00a01",
    "Banco, coppia del croupier: coppia rossa/nera 6\u00a0a\u00a01",
  ]);
});

it("says what happened only at live tables, too", () => {
  const say = (event: RoundEvent) => tell(event, EMPTY, "majority-eu", texts);
  const bet = { spot: 1, kind: "main", stake: 500, golden: [1000] };
  expect(say({ type: "bet-returned", player: "7", bet, reason: "below-minimum" })).toBe(
    "Torna la puntata Postazione 2 principale 15,00.",
  );
  expect(say({ type: "vote-cast", player: "7", spot: 0, hand: 0, action: "hit" })).toBe("Postazione 1: voti carta.");
  expect(say({ type: "card-burnt" })).toBe("Una carta è bruciata, coperta.");
  expect(say({ type: "acted", spot: 0, hand: 0, action: "double", free: true, tally: [] })).toBe(
    "Postazione 1: raddoppia, gratis.",
  );
  const consents = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const;
  const said = consents.map(([double, split]) => say({ type: "consent-given", player: "7", double, split }));
  expect(new Set(said).size).toBe(4);
  expect(say({ type: "player-joined", player: "7", balance: 1 })).toBe("");
});

it("names places as each game does", () => {
  expect(["surrender", "freebet", "majority-us"].map((game) => placeName(2, game, texts))).toEqual([
    "Mano 3",
    "Posto 3",
    "Postazione 3",
  ]);
  expect(placeName(-1, "surrender", texts)).toBe("Banco");
});

it("adds up a hand and says what stood on a line", () => {
  const line = { type: "bet-settled", player: "7", spot: 0, hand: 0, golden_back: [] } as const;
  const stake = (own: number, golden: number[] = [], free = 0) => ({ own, golden, free });
  const settled = [
    { ...line, why: "initial", stake: stake(1000), result: "win", paid: 2000 },
    { ...line, why: "double", stake: stake(1000), result: "win", paid: 2000 },
    { ...line, why: "21+3", stake: stake(500), result: "lose", paid: 0 },
  ] as const;
  expect(handResult({ settled }, 0, 0)).toMatchObject({ net: 2000, result: "win" });
  expect(handResult({ settled }, 1, 0)).toBeNull();
  expect(lineOf(settled[2], EMPTY, "surrender", texts)).toBe("Mano 1");
  expect([stake(1000), stake(0, [500]), stake(0, [], 700)].map((each) => stakeText(each, texts))).toEqual([
    "10,00",
    "0,00 + Fiche Dorate 5,00",
    "gratis 7,00",
  ]);
});

it("tells what the time-out decided where it happened, and why a bet went back", () => {
  const [scene] = scenes("surrender");
  if (!scene) throw new Error("there is a scene");
  const played = roundOf(scene, "surrender");
  const view = { ...played, line: { ...played.line, game: "freebet" } };
  const told = { game: "freebet", currency: "FUN", round: view.line.code, hand: 0 } as const;
  const notices = [
    { ...told, at: 1, what: "decided", spot: 2, detail: "hit", amount: 0 },
    { ...told, at: 2, what: "not-covered", spot: 2, detail: "double hit", amount: 1000 },
    { ...told, at: 2, what: "limit-reached", spot: 1, detail: "split", amount: 0 },
    { ...told, at: 99, what: "bet-returned", spot: 0, detail: "seat-left", amount: 500 },
  ] as const;
  const steps = openRound({ ...view, notices }, texts).steps;
  const said = steps.flatMap(({ lines }) => lines);
  expect(said).toContain("Posto 3: tempo scaduto, decisione automatica: carta.");
  expect(said).toContain("Posto 3: il saldo non copriva RADDOPPIA per 10,00, decisione automatica: carta.");
  expect(said).toContain("Posto 2: il tuo limite di perdita giornaliero non consentiva DIVIDI, resta in gioco la puntata semplice.");
  expect(said.at(-1)).toBe("Posto 1: 5,00 restituiti al saldo, il giocatore ha lasciato il posto.");
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).sort((one, other) => one - other));
});

it("tells one who comes back to a solo table what was done meanwhile, in either language (PLT-49)", () => {
  const told = { game: "surrender", currency: "FUN", round: "", hand: 0, at: 0, detail: "" } as const;
  const notices = [
    { ...told, what: "insurance-refused", spot: 0, amount: 0 },
    { ...told, what: "even-money-refused", spot: 4, amount: 0 },
    { ...told, what: "decided", spot: 0, detail: "stand", amount: 0 },
    { ...told, what: "money-returned", spot: -1, amount: 90_000 },
  ] as const;
  const said = (language: "it" | "en") => notices.map((notice) => noticeText(notice, "surrender", new Catalogue(language)));
  expect(said("it")).toEqual([
    "Mano 1: tempo scaduto, assicurazione rifiutata.",
    "Mano 5: tempo scaduto, offerta alla pari rifiutata.",
    "Mano 1: tempo scaduto, decisione automatica: stai.",
    "Eri assente: 900,00 sono tornati dal tavolo al tuo conto.",
  ]);
  expect(said("en")).toEqual([
    "Hand 1: time is up, insurance refused.",
    "Hand 5: time is up, even money refused.",
    "Hand 1: time is up, decided automatically: stand.",
    "You were away: 900.00 went from the table back to your account.",
  ]);
});

it("reads the time in a code, and opens a round that was voided", () => {
  expect(timeOf("261115-130501-K7QA")).toBe("13:05:01");
  const [scene] = scenes("surrender");
  if (!scene) throw new Error("there is a scene");
  const view = roundOf(scene, "surrender");
  const opened = openRound({ ...view, line: { ...view.line, state: "voided" } }, texts);
  expect([opened.voided, opened.settled]).toEqual([true, []]);
});
