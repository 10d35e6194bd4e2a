import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GamePage } from "../wire";
import { Catalogue } from "../language/catalogue";
import { bestParts, chances, lettersOf, UP_CARDS } from "./rules";

/** What the house answers of each game, written down by `python -m tests.golden`. */
const PAGES = JSON.parse(readFileSync(new URL("../../../tests/golden/games.json", import.meta.url), "utf-8")) as Record<
  string,
  Pick<GamePage, "game" | "rules" | "options" | "best">
>;

function page(name: string): GamePage {
  const found = PAGES[name];
  if (!found) throw new Error(`there is no game ${name}`);
  return { ...found, returns: [], limits: [], guide: {} };
}

const texts = new Catalogue("it");

describe.each(Object.keys(PAGES))("the help of %s", (name) => {
  it("has its best table, every cell with a meaning", () => {
    const parts = bestParts(page(name).best, texts);
    expect(parts.map((part) => part.name)).toEqual(["hard", "soft", "pairs"]);
    for (const { rows } of parts) for (const { cells } of rows) expect(cells).toHaveLength(UP_CARDS.length);
    for (const letter of lettersOf(parts)) expect(texts.named("strategy.cell", letter)).not.toBe(letter);
    expect(parts[2]?.rows[0]?.name).toBe("A A");
  });
});

it("makes chances of weights", () => {
  expect(chances([["a", 1], ["b", 3]])).toEqual([["a", 0.25], ["b", 0.75]]);
});
