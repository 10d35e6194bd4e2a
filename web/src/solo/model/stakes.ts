/** What lies on a place of the felt at each moment, and what became of it. */

import type { BetSettled } from "../../wire";
import type { SoloGame } from "./solo.svelte";
import { place, stakes } from "./slip";

/** Lines of the book that stand on the circle of a hand. */
const MAIN = ["initial", "double", "split"];

function isOn(kind: string, why: string): boolean {
  return kind === "main" ? MAIN.includes(why) : why === kind;
}

/** The stake on a place: chips before the deal, what the book holds in a round, what was settled after it. */
export function stakeOn(game: SoloGame, spot: number, kind: string): number {
  const { table, slip } = game;
  const phase = table?.view.phase;
  if (!table || game.swept || (phase === "betting" && !table.view.spots.length))
    return stakes(slip)[place(spot, kind)] ?? 0;
  const { settled } = table.outcome;
  const over = phase === "settled" || phase === "voided";
  const standing = over ? [] : game.me?.part?.lines;
  if (standing) return sum([...standing, ...settled], spot, kind);
  const dealt = slip.placings.length ? stakes(slip) : slip.last;
  return dealt[place(spot, kind)] ?? 0;
}

function sum(lines: readonly Pick<BetSettled, "spot" | "why" | "stake">[], spot: number, kind: string): number {
  return lines
    .filter((line) => line.spot === spot && isOn(kind, line.why))
    .reduce((total, { stake }) => total + stake.own, 0);
}

/** What came back on a place, once all of its lines are settled; null before. */
export function paidOn(game: SoloGame, spot: number, kind: string): number | null {
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

/** What became of a hand, its double and its bonus counted in; null while it is open. */
export function handResult(game: SoloGame, spot: number, hand: number): HandResult | null {
  const lines = (game.table?.outcome.settled ?? []).filter(
    (line) => line.spot === spot && line.hand === hand && MAIN.includes(line.why),
  );
  const [first] = lines;
  if (!first || game.swept) return null;
  const own = lines.reduce((total, { paid, stake }) => total + paid - stake.own, 0);
  const net = own + (hand === 0 ? bonusWon(game, spot) : 0);
  return { result: first.result, net, tone: net > 0 ? "win" : net < 0 ? "lose" : "even" };
}

/** What the player paid to insure a hand, and what came of it; null where it is not insured. */
export function insuranceOn(game: SoloGame, spot: number): { readonly cost: number; readonly paid: number | null } | null {
  if (game.swept) return null;
  const insures = (line: { readonly spot: number; readonly why: string }) =>
    line.spot === spot && line.why === "insurance";
  const settled = game.table?.outcome.settled.find(insures);
  if (settled) return { cost: settled.stake.own, paid: settled.paid };
  const line = game.me?.part?.lines.find(insures);
  return line ? { cost: line.stake.own, paid: null } : null;
}

/** What the bonus of a hand has won, which counts as the hand's win (LNK-34). */
export function bonusWon(game: SoloGame, spot: number): number {
  const line = game.swept ? undefined : game.table?.outcome.settled.find((one) => one.spot === spot && one.why === "link");
  return line && line.paid > 0 ? line.paid - line.stake.own : 0;
}

/** What the maximum win has cut off the round: what its lines pay together beyond what was paid (LNK-08). */
export function cutOff(game: SoloGame): number {
  const { paid, settled } = game.table?.outcome ?? { paid: null, settled: [] };
  return paid ? settled.reduce((total, line) => total + line.paid, 0) - paid.paid : 0;
}

/** What became of a side bet so far: its category and what it pays to 1; null while it is open, or not there. */
export function sideOutcome(game: SoloGame, spot: number, kind: string): { readonly category: string; readonly pays: number } | null {
  if (game.swept) return null;
  return game.table?.outcome.sides.find((side) => side.spot === spot && side.kind === kind) ?? null;
}
