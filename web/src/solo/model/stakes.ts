/** What lies on a place of a solo table at each moment, and what became of it. */

import { isOn, type BookLine } from "../../game/book";
import type { SoloGame } from "./solo.svelte";
import { place, stakes } from "./slip";

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

function sum(lines: readonly BookLine[], spot: number, kind: string): number {
  return lines
    .filter((line) => line.spot === spot && isOn(kind, line.why))
    .reduce((total, { stake }) => total + stake.own, 0);
}

/** What the bonus of a hand has won, which counts as the hand's win (LNK-34). */
export function bonusWon(game: SoloGame, spot: number): number {
  const line = game.settled.find((one) => one.spot === spot && one.why === "link");
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
