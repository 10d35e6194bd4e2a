/** A game's tables to print, from what the engine reads (PLT-61). */

import type { BestTable, GamePage } from "../wire";
import type { Catalogue } from "../language/catalogue";

/** The dealer's up cards, in the order of a table's columns. */
export const UP_CARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"] as const;

export interface BestRow {
  readonly name: string;
  /** Letters: H S D P R, and Ds Rs where the other choice is to stand. */
  readonly cells: readonly string[];
}

type Best = Pick<GamePage, "best" | "best_by_dealing">;
type Kind = keyof BestTable;

export interface BestPart {
  readonly name: Kind;
  readonly rows: readonly BestRow[];
}

/** The columns: the up cards, the ace once for each way of dealing (MAJ-30). */
export function columnsOf({ best_by_dealing }: Best): readonly string[] {
  const ways = Object.keys(best_by_dealing);
  return ways.length ? [...UP_CARDS.slice(0, -1), ...ways.map((way) => `A ${way}`)] : UP_CARDS;
}

/** The best table, part by part, the highest hands first. */
export function bestParts({ best, best_by_dealing }: Best, texts: Catalogue): readonly BestPart[] {
  const ways = Object.values(best_by_dealing);
  const lettersOf = (kind: Kind, total: string, letters: string) =>
    ways.length ? letters.slice(0, -1) + ways.map((table) => table[kind][total]?.at(-1) ?? "").join("") : letters;
  const rows = (kind: Kind, name: (total: number) => string): BestRow[] =>
    Object.entries(best[kind])
      .map(([total, letters]) => ({ total: Number(total), cells: Array.from(lettersOf(kind, total, letters), cell) }))
      .sort((one, other) => rank(other.total) - rank(one.total))
      .map(({ total, cells }) => ({ name: name(total), cells }));
  // A pair of aces, 1, stands over the tens.
  const rank = (total: number) => (total === 1 ? 99 : total);
  return [
    { name: "hard", rows: rows("hard", String) },
    { name: "soft", rows: rows("soft", (total) => texts.text("web.help.soft-total", { total })) },
    { name: "pairs", rows: rows("pairs", (value) => (value === 1 ? "A A" : `${value} ${value}`)) },
  ];
}

function cell(letter: string): string {
  return letter === "d" ? "Ds" : letter === "r" ? "Rs" : letter;
}

/** The letters that a table uses, for its legend; two that a game writes alike are one. */
export function lettersOf(parts: readonly BestPart[], texts: Catalogue): readonly string[] {
  const used = new Set(parts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)));
  const written = new Map<string, string>();
  for (const letter of ["Rs", "R", "P", "Ds", "D", "S", "H"])
    if (used.has(letter)) written.set(texts.named("strategy.letter", letter), letter);
  return [...written.values()].reverse();
}

/** Outcomes with their chances, from weights. */
export function chances<T>(weights: readonly (readonly [T, number])[]): readonly (readonly [T, number])[] {
  const sum = weights.reduce((whole, [, weight]) => whole + weight, 0);
  return weights.map(([outcome, weight]) => [outcome, weight / sum]);
}

/** The digits after the sign with which every chance of a table is written as it is, from one to four. */
export function digits(all: readonly number[]): number {
  const exact = (count: number) => all.every((chance) => Math.abs(chance * 100 - Number((chance * 100).toFixed(count))) < 1e-9);
  return [1, 2, 3].find(exact) ?? 4;
}
