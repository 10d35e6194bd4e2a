import { expect, it } from "vitest";
import { GAMES } from "../games";
import type { TableHead } from "../wire";
import { Catalogue } from "../language/catalogue";
import { familyOf, favouritesFirst, gameWords, inOrder, isSolo, LINEUP, matches, prizesOf, returned, stateOf, tableWords, titleOf } from "./lineup";

const [it_, en] = [new Catalogue("it"), new Catalogue("en")];

const TABLE: TableHead = {
  table: "live/majority-eu",
  title: "Majority di notte",
  game: "majority-eu",
  currency: "FUN",
  eu: true,
  phase: "betting",
  paused: false,
  taken: 0,
  seats: 0,
  humans: 1,
  bots: 4,
  minimum: 100,
  maximum: 50_000,
  side_minimum: 100,
  side_maximum: 10_000,
  max_win: null,
  vip: 0,
  closed: "",
  held: [],
  results: [],
  video: [],
};

it("offers five games, and knows every rule set of theirs", () => {
  expect(LINEUP.map(titleOf)).toEqual([
    "Blackjack Surrender Multihand",
    "Cashback Blackjack",
    "Blackjack Link",
    "Classic Free Bet Blackjack",
    "Majority Rules Speed Blackjack Live",
  ]);
  for (const { names } of LINEUP) for (const name of names) expect(GAMES[name], name).toBeDefined();
  expect(["surrender", "link", "freebet", "majority-us", "classic-6", "nothing"].map(isSolo)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(familyOf("majority-us")).toBe("majority");
});

it("says what every side bet pays, LINK's wheel and tables too (PLT-70)", () => {
  for (const texts of [it_, en])
    for (const game of Object.values(GAMES))
      for (const { name } of game.sideBets) {
        const prizes = prizesOf(game, name, texts.at(game.name));
        expect(prizes.length, `${game.name} ${name}`).toBeGreaterThan(2);
        expect(new Set(prizes.map((prize) => prize.name)).size).toBe(prizes.length);
      }
  const { link } = GAMES;
  expect(link && prizesOf(link, "link", it_).map(({ name, odds }) => `${name}: ${odds}`)).toEqual([
    ...["X5: 5 a 1", "X10: 10 a 1", "X15: 15 a 1", "X25: 25 a 1", "X50: 50 a 1"],
    ...["LINK: da 3 a 1 fino a 6.900 a 1", "MEGA LINK: da 6 a 1 fino a 13.800 a 1"],
    ...["MINI: 20 a 1", "MINOR: 100 a 1", "MAJOR: 500 a 1", "GRAND: 2000 a 1"],
  ]);
});

it("has a line and a short title for each in both languages", () => {
  for (const texts of [it_, en])
    for (const { family } of LINEUP) {
      expect(texts.named("web.tagline", family)).not.toBe(family);
      expect(texts.named("web.short-title", family)).not.toBe(family);
    }
});

it("says what a bet gives back", () => {
  expect([returned(GAMES["surrender"], "main", it_), returned(GAMES["surrender"], "main", en)]).toEqual([
    "99,66 %",
    "99.66 %",
  ]);
  expect(returned(GAMES["link"], "link", it_)).toBe("");
});

it.each([
  ["", true],
  ["  ", true],
  ["resa", false],
  ["metà", true],
  ["META", true],
  ["multi surr", true],
  ["21+3 da soli", true],
  ["dal vivo", false],
])("finds Surrender by %j: %s", (written, found) =>
  expect(matches(written, gameWords({ family: "surrender", names: ["surrender"] }, it_))).toBe(found),
);

it("finds a table by title, game, dealing and money", () => {
  for (const written of ["notte", "majority eu", "denaro finto", "speed", "fun"])
    expect(matches(written, tableWords(TABLE, it_)), written).toBe(true);
  expect(matches("US", tableWords(TABLE, it_))).toBe(false);
});

it("puts tables for the player's money first, and says what each is doing", () => {
  const euro: TableHead = { ...TABLE, table: "live/a-euro", currency: "EUR", paused: true };
  expect(inOrder([TABLE, euro], "EUR").map(({ table }) => table)).toEqual(["live/a-euro", "live/majority-eu"]);
  expect(inOrder([euro, TABLE], "FUN").map(({ table }) => table)).toEqual(["live/majority-eu", "live/a-euro"]);
  expect([stateOf(TABLE, it_), stateOf(euro, it_), stateOf(TABLE, en)]).toEqual([
    "puntate aperte",
    "in pausa",
    "bets open",
  ]);
});

it("puts favourites first and leaves the rest in order", () => {
  expect(favouritesFirst([1, 2, 3, 4], (one) => one > 2)).toEqual([3, 4, 1, 2]);
});
