/** The rules of a game in sentences, and its tables to print: all from what the engine reads (PLT-61). */

import type { BestTable, GamePage } from "../http";
import type { Catalogue } from "./catalogue";

/** The rules in words, in the order in which a round meets them. */
export function ruleLines({ rules, options }: GamePage, texts: Catalogue): readonly string[] {
  const odds = ([num, den]: readonly [number, number]) => ({ num, den });
  const solo = rules.backing === "solo";
  const names = rules.side_bets
    .filter(({ name }) => !options.side_bets_off.includes(name))
    .map(({ name }) => texts.named("kind", name));
  const checks = rules.checks.includes("ten") ? "check-both" : rules.checks.includes("ace") ? "check-ace" : "check-none";
  return [
    texts.text(solo ? "web.rule.shoe-solo" : "web.rule.shoe-live", { decks: rules.decks, cut: options.cut }),
    texts.text(`web.rule.${rules.backing}`, { spots: rules.spots, threshold: options.vote_threshold }),
    texts.text("web.rule.values"),
    texts.text("web.rule.blackjack", odds(rules.blackjack_pays)),
    texts.text("web.rule.wins", odds(rules.win_pays)),
    texts.text(rules.dealer_hits_soft_17 ? "web.rule.dealer-hits" : "web.rule.dealer-stands"),
    texts.text(rules.hole_card ? `web.rule.${checks}` : "web.rule.no-hole"),
    options.insurance && texts.text("web.rule.insurance", odds(rules.insurance_pays)),
    rules.even_money && texts.text("web.rule.even-money"),
    texts.text("web.rule.double"),
    rules.free_double.length > 0 && texts.text("web.rule.free-double", { totals: rules.free_double.join(", ") }),
    texts.text("web.rule.split"),
    rules.free_split.length > 0 && texts.text("web.rule.free-split"),
    texts.text(rules.double_after_split ? "web.rule.double-after-split" : "web.rule.no-double-after-split"),
    rules.surrender && texts.text("web.rule.surrender"),
    rules.cashback && texts.text("web.rule.cashback", { margin: texts.percent(options.cashback_margin / 10_000, 0) }),
    rules.charlie > 0 && texts.text("web.rule.charlie", { cards: rules.charlie }),
    rules.dealer_22_pushes && texts.text("web.rule.dealer-22"),
    rules.ten_up_returns_double && texts.text("web.rule.ten-up"),
    names.length > 0 && texts.text("web.rule.side-bets", { names: names.join(", ") }),
    rules.bonus !== null && texts.text("web.rule.link"),
    rules.buster_keeps_dealer && names.includes(texts.named("kind", "buster")) && texts.text("web.rule.buster"),
    options.max_win !== null && texts.text("web.rule.max-win", { amount: texts.amount(options.max_win) }),
  ].filter((line) => line !== false);
}

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
