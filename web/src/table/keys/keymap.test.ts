import { describe, expect, it } from "vitest";
import { GAMES } from "../../games";
import { Catalogue, LANGUAGES } from "../../language/catalogue";
import { answersForAll, letter, MEANINGS, meanings } from "./keymap";

describe.each(LANGUAGES)("the letters of a table (PLT-45), %s", (language) => {
  const texts = new Catalogue(language);

  it("mean one thing each, in every phase of every game", () => {
    const letters = MEANINGS.map((meaning) => letter(meaning, texts));
    for (const each of letters) expect(each).toMatch(/^[a-y]$/); // digits are chips, and Z is for undo
    expect(new Set(letters).size).toBe(MEANINGS.length);
  });

  it("are named as the buttons are", () => {
    for (const game of Object.values(GAMES))
      for (const meaning of meanings(game)) expect(texts.label(meaning, game.name)).not.toBe(meaning);
  });
});

it.each([
  ["surrender", "double-stakes deal repeat-deal double-deal hit stand double split surrender accept refuse", true],
  ["cashback", "double-stakes deal repeat-deal double-deal hit stand double split cashback accept refuse apply-all", false],
  ["link", "double-stakes deal repeat-deal double-deal hit stand double split accept refuse spin continue", true],
  ["freebet", "double-stakes deal hit stand double split accept refuse", false],
  ["majority-eu", "double-stakes hit stand double split accept refuse", false],
] as const)("the tables of %s have their own", (name, all, forAll) => {
  const game = GAMES[name];
  if (!game) throw new Error(name);
  expect([meanings(game).join(" "), answersForAll(game)]).toEqual([all, forAll]);
});
