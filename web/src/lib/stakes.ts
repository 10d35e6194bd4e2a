/** What lies on a place of the felt at each moment, and what became of it. */

import type { BetSettled } from "../wire";
import type { Game } from "./game.svelte";
import { place, stakes } from "./slip";

/** Lines of the book that stand on the circle of a hand. */
const MAIN = ["initial", "double", "split"];

function isOn(kind: string, why: string): boolean {
  return kind === "main" ? MAIN.includes(why) : why === kind;
}

/** The stake on a place: chips before the deal, what the book holds in a round, what was settled after it. */
export function stakeOn(game: Game, spot: number, kind: string): number {
  const { table, slip } = game;
  const phase = table?.view.phase;
  if (!table || game.swept || (phase === "betting" && !table.view.spots.length))
    return stakes(slip)[place(spot, kind)] ?? 0;
  const { settled } = table.outcome;
  const lines = phase === "settled" || phase === "voided" ? settled : game.me?.part?.lines;
  if (lines) return sum(lines, spot, kind);
  const dealt = slip.placings.length ? stakes(slip) : slip.last;
  return dealt[place(spot, kind)] ?? 0;
}

function sum(lines: readonly Pick<BetSettled, "spot" | "why" | "stake">[], spot: number, kind: string): number {
  return lines
    .filter((line) => line.spot === spot && isOn(kind, line.why))
    .reduce((total, { stake }) => total + stake.own, 0);
}

/** What came back on a place, once all of its lines are settled; null before. */
export function paidOn(game: Game, spot: number, kind: string): number | null {
  if (!game.table || game.swept) return null;
  const lines = game.table.outcome.settled.filter((line) => line.spot === spot && isOn(kind, line.why));
  return lines.length ? lines.reduce((total, { paid }) => total + paid, 0) : null;
}

export interface HandResult {
  readonly result: string;
  /** Won or lost by the hand, stakes apart. */
  readonly net: number;
  readonly tone: "win" | "lose" | "even";
}

/** What became of a hand, its double counted in; null while it is open. */
export function handResult(game: Game, spot: number, hand: number): HandResult | null {
  const lines = (game.table?.outcome.settled ?? []).filter(
    (line) => line.spot === spot && line.hand === hand && MAIN.includes(line.why),
  );
  const [first] = lines;
  if (!first || game.swept) return null;
  const net = lines.reduce((total, { paid, stake }) => total + paid - stake.own, 0);
  return { result: first.result, net, tone: net > 0 ? "win" : net < 0 ? "lose" : "even" };
}
