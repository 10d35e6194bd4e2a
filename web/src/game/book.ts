/** What became of a player's bets: read from the lines of the round's book, at solo and at live tables. */

import type { BetSettled, Stake } from "../wire";

/** Why a line stands on the circle of a hand. */
export const ON_HAND: readonly string[] = ["initial", "double", "split"];

/** One bet in the book. */
export interface BookLine {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
}

/** The player's lines that are open, and those that are settled. */
export interface Book {
  readonly lines: readonly BookLine[];
  readonly settled: readonly BetSettled[];
}

export interface HandResult {
  readonly result: string;
  /** Won or lost by the player on the hand, stakes apart. */
  readonly net: number;
  readonly tone: "win" | "lose" | "even";
}

/** What lies for one hand, or for one side bet: the stake first, then what a double added; and what came back, once that is known. */
export interface HandStakes {
  readonly stakes: readonly Stake[];
  readonly paid: number | null;
}

/** Whether a line stands on the place of a kind of bet. */
export function isOn(kind: string, why: string): boolean {
  return kind === "main" || kind === "behind" ? ON_HAND.includes(why) : why === kind;
}

/** What lies on a place, hand by hand from the first; a split pair has two hands, everything else one. */
export function stakesOn({ lines, settled }: Book, spot: number, kind: string): readonly HandStakes[] {
  const here = (line: BookLine) => line.spot === spot && isOn(kind, line.why);
  const over = settled.filter(here);
  const open = lines.filter((line) => here(line) && !over.some(({ hand, why }) => hand === line.hand && why === line.why));
  const hands = [...new Set([...over, ...open].map(({ hand }) => hand))].sort((one, other) => one - other);
  return hands.map((hand) => {
    const own = [...over, ...open].filter((line) => line.hand === hand);
    own.sort((one, other) => Number(one.why === "double") - Number(other.why === "double"));
    const waits = open.some((line) => line.hand === hand);
    const paid = over.filter((line) => line.hand === hand).reduce((sum, line) => sum + line.paid, 0);
    return { stakes: own.map(({ stake }) => stake), paid: waits ? null : paid };
  });
}

/** What the player paid to insure a hand, and what came of it; null where it is not insured. */
export function insuranceOn({ lines, settled }: Book, spot: number): { readonly cost: number; readonly paid: number | null } | null {
  const insures = (line: BookLine) => line.spot === spot && line.why === "insurance";
  const over = settled.find(insures);
  if (over) return { cost: over.stake.own, paid: over.paid };
  const line = lines.find(insures);
  return line ? { cost: line.stake.own, paid: null } : null;
}

/** What became of the player's stake on a hand, its double and `bonus` counted in; null while it is open, or without a stake. */
export function handResult({ settled }: Pick<Book, "settled">, spot: number, hand: number, bonus = 0): HandResult | null {
  const lines = settled.filter((line) => line.spot === spot && line.hand === hand && ON_HAND.includes(line.why));
  const [first] = lines;
  if (!first) return null;
  const net = lines.reduce((sum, { paid, stake }) => sum + paid - stake.own, bonus);
  const lost = net < 0 || (net === 0 && first.result === "lose"); // a golden or a free bet that loses costs no money
  return { result: first.result, net, tone: net > 0 ? "win" : lost ? "lose" : "even" };
}
