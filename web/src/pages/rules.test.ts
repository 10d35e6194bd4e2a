import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GamePage } from "../wire";
import { Catalogue } from "../language/catalogue";
import { bestParts, chances, columnsOf, digits, lettersOf } from "./rules";

/** What the house answers of each game, written down by `python -m tests.golden`. */
const PAGES = JSON.parse(readFileSync(new URL("../../../tests/golden/games.json", import.meta.url), "utf-8")) as Record<
  string,
  Pick<GamePage, "game" | "rules" | "options" | "best" | "best_by_dealing">
>;

function page(name: string): GamePage {
  const found = PAGES[name];
  if (!found) throw new Error(`there is no game ${name}`);
  return { ...found, returns: [], return_notes: {}, limits: [], guide: {} };
}

describe.each(Object.keys(PAGES))("the help of %s", (name) => {
  it("has its best table, every cell with a meaning", () => {
    const texts = new Catalogue("it").at(name);
    const parts = bestParts(page(name), texts);
    expect(parts.map((part) => part.name)).toEqual(["hard", "soft", "pairs"]);
    for (const { rows } of parts) for (const { cells } of rows) expect(cells).toHaveLength(columnsOf(page(name)).length);
    for (const letter of lettersOf(parts, texts)) expect(texts.named("strategy.cell", letter)).not.toBe(letter);
    expect(parts[2]?.rows[0]?.name).toBe("A A");
  });
});

it.each(["majority-eu", "majority-us"])("prints the letters of the regulation and both aces at %s (MAJ-30)", (name) => {
  for (const language of ["it", "en"] as const) {
    const texts = new Catalogue(language).at(name);
    const parts = bestParts(page(name), texts);
    expect(columnsOf(page(name)).slice(-3)).toEqual(["10", "A EU", "A US"]);
    expect(lettersOf(parts, texts).map((letter) => texts.named("strategy.letter", letter))).toEqual(["H", "S", "D", "SP"]);
    const written = new Set(parts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)).map((each) => texts.named("strategy.letter", each)));
    expect([...written].sort()).toEqual(["D", "H", "S", "SP"]);
    const eights = parts[2]?.rows.find((row) => row.name === "8 8")?.cells.slice(-2);
    expect(eights).toEqual(["H", "P"]);
  }
});

it("makes chances of weights", () => {
  expect(chances([["a", 1], ["b", 3]])).toEqual([["a", 0.25], ["b", 0.75]]);
});

it("writes chances with as many digits as they have", () => {
  const bonus = page("link").rules.bonus;
  if (!bonus) throw new Error("there is no bonus");
  const all = [bonus.wheel, bonus.cells, bonus.tiles, bonus.diamonds].map((weights) => chances<unknown>(weights).map(([, chance]) => chance));
  expect(all.map(digits)).toEqual([1, 2, 1, 1]);
  expect(new Catalogue("it").percent(chances(bonus.cells).find(([times]) => times === 50)?.[1] ?? 0, 2)).toBe("0,06");
  expect([digits([1 / 3]), digits([0.00001])]).toEqual([4, 3]);
});
