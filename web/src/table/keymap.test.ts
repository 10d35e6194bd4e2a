import { describe, expect, it } from "vitest";
import { GAMES, type Game } from "../games";
import { Catalogue, LANGUAGES } from "../language/catalogue";
import { ANSWERS, BONUS, DECISIONS, letter, STAKES, STARTS, type Meaning } from "./keymap";

/** The buttons with a key in each phase of a game. */
function phases(game: Game): Record<string, readonly Meaning[]> {
  const may = { surrender: game.surrender, cashback: game.cashback } as Record<string, unknown>;
  return {
    betting: [...STARTS, ...STAKES],
    offers: ANSWERS,
    decisions: DECISIONS.filter((action) => !(action in may) || may[action]),
    bonus: game.bonus ? BONUS : [],
  };
}

describe.each(LANGUAGES)("the keys of a table (PLT-45), %s", (language) => {
  const texts = new Catalogue(language);

  it.each(Object.keys(GAMES))("mean one thing each in all phases of %s", (name) => {
    const game = GAMES[name];
    if (!game) throw new Error(name);
    const meanings: Record<string, Meaning> = {};
    for (const [phase, buttons] of Object.entries(phases(game)))
      for (const meaning of buttons) {
        const key = letter(meaning, texts);
        expect(key, `${phase}: ${meaning}`).toMatch(/^[a-z]$/); // digits are chips
        expect(meanings[key] ?? meaning, `${key} in ${phase}`).toBe(meaning);
        meanings[key] = meaning;
      }
  });

  it("are the same in every game", () => {
    const all = [...STARTS, ...STAKES, ...DECISIONS, ...ANSWERS, ...BONUS];
    expect(new Set(all.map((meaning) => letter(meaning, texts))).size).toBe(all.length);
  });
});
