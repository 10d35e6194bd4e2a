/** A game's tables to print, from what the engine reads (PLT-61). */

import type { BestTable } from "../wire";
import type { Catalogue } from "../language/catalogue";

/** The dealer's up cards, in the order of a table's columns. */
export const UP_CARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"] as const;

export interface BestRow {
  readonly name: string;
  /** Letters: H S D P R, and Ds Rs where the other choice is to stand. */
  readonly cells: readonly string[];
}

export interface BestPart {
  readonly name: "hard" | "soft" | "pairs";
  readonly rows: readonly BestRow[];
}

/** The best table, part by part, the highest hands first. */
export function bestParts(best: BestTable, texts: Catalogue): readonly BestPart[] {
  const rows = (table: Readonly<Record<string, string>>, name: (total: number) => string): BestRow[] =>
    Object.entries(table)
      .map(([total, letters]) => ({ total: Number(total), cells: Array.from(letters, cell) }))
      .sort((one, other) => rank(other.total) - rank(one.total))
      .map(({ total, cells }) => ({ name: name(total), cells }));
  // A pair of aces, 1, stands over the tens.
  const rank = (total: number) => (total === 1 ? 99 : total);
  return [
    { name: "hard", rows: rows(best.hard, String) },
    { name: "soft", rows: rows(best.soft, (total) => texts.text("web.help.soft-total", { total })) },
    { name: "pairs", rows: rows(best.pairs, (value) => (value === 1 ? "A A" : `${value} ${value}`)) },
  ];
}

function cell(letter: string): string {
  return letter === "d" ? "Ds" : letter === "r" ? "Rs" : letter;
}

/** The letters that a table uses, for its legend. */
export function lettersOf(parts: readonly BestPart[]): readonly string[] {
  const used = new Set(parts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)));
  return ["H", "S", "D", "Ds", "P", "R", "Rs"].filter((letter) => used.has(letter));
}

/** Outcomes with their chances, from weights. */
export function chances<T>(weights: readonly (readonly [T, number])[]): readonly (readonly [T, number])[] {
  const sum = weights.reduce((whole, [, weight]) => whole + weight, 0);
  return weights.map(([outcome, weight]) => [outcome, weight / sum]);
}
