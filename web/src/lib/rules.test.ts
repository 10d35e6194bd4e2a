import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GamePage } from "../http";
import { Catalogue, LANGUAGES } from "./catalogue";
import { bestParts, chances, lettersOf, ruleLines, UP_CARDS } from "./rules";

/** What the house answers of each game, written down by `python -m tests.golden`. */
const PAGES = JSON.parse(readFileSync(new URL("../../../tests/golden/games.json", import.meta.url), "utf-8")) as Record<
  string,
  Pick<GamePage, "game" | "rules" | "options" | "best">
>;

function page(name: string): GamePage {
  const found = PAGES[name];
  if (!found) throw new Error(`there is no game ${name}`);
  return { ...found, returns: [], limits: [] };
}

const texts = new Catalogue("it");

describe.each(Object.keys(PAGES))("the help of %s", (name) => {
  it.each(LANGUAGES)("has its rules in words (%s)", (language) => {
    const lines = ruleLines(page(name), new Catalogue(language));
    expect(lines.length).toBeGreaterThan(8);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.filter((line) => /\{|\}|undefined|NaN|web\./.test(line))).toEqual([]);
  });

  it("has its best table, every cell with a meaning", () => {
    const parts = bestParts(page(name).best, texts);
    expect(parts.map((part) => part.name)).toEqual(["hard", "soft", "pairs"]);
    for (const { rows } of parts) for (const { cells } of rows) expect(cells).toHaveLength(UP_CARDS.length);
    for (const letter of lettersOf(parts)) expect(texts.named("strategy.cell", letter)).not.toBe(letter);
    expect(parts[2]?.rows[0]?.name).toBe("A A");
  });
});

function says(name: string, ...parts: string[]): void {
  const lines = ruleLines(page(name), texts).join("\n");
  for (const part of parts) expect(lines).toContain(part);
}

it("tells what sets each game apart", () => {
  says("surrender", "RESA", "Charlie: 7 carte", "asso o un dieci scoperto");
  says("cashback", "meno 1 %", "non la guarda", "Charlie: 10 carte");
  says("link", "alla pari", "LINK", "500.000,00");
  says("freebet", "9, 10, 11 hard", "fa 22", "7 posti", "Dopo una divisione non si raddoppia");
  says("majority-eu", "Distribuzione EU", "Da 3 giocatori", "Buster");
  says("majority-us", "con un dieci no");
});

it("follows the rules, not the name", () => {
  const { rules, options, ...rest } = page("surrender");
  const other = { ...rest, rules: { ...rules, surrender: false, decks: 2, blackjack_pays: [6, 5] as const }, options };
  const lines = ruleLines(other, texts).join("\n");
  expect(lines).not.toContain("RESA");
  expect(lines).toContain("2 mazzi");
  expect(lines).toContain("6 a 5");
});

it("makes chances of weights", () => {
  expect(chances([["a", 1], ["b", 3]])).toEqual([["a", 0.25], ["b", 0.75]]);
});
