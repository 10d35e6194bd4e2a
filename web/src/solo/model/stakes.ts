/** What lies on a place of a solo table at each moment, and what became of it. */

import { givenUp, isOn, stakesOn, type HandStakes, type SideOutcome } from "../../game/book";
import { isOver } from "../../game/table";
import type { SoloGame } from "./solo.svelte";
import { place, stakes } from "./slip";

/** What lies on a place, hand by hand: chips before the deal, what the book holds in a round, what was settled after it. */
export function laidOn(game: SoloGame, spot: number, kind: string): readonly HandStakes[] {
  const { table, slip } = game;
  if (!table || game.swept || (table.view.phase === "betting" && !table.view.spots.length)) return placed(stakes(slip)[place(spot, kind)]);
  const { settled } = table.outcome;
  const lines = isOver(table.view) ? [] : game.me?.part?.lines;
  if (lines) {
    const laid = stakesOn({ lines, settled }, spot, kind);
    const hands = table.view.spots.find((seen) => seen.spot === spot)?.hands ?? [];
    return isOn(kind, "initial") ? givenUp(laid, hands) : laid;
  }
  const dealt = slip.placings.length ? stakes(slip) : slip.last;
  return placed(dealt[place(spot, kind)]);
}

function placed(own = 0): readonly HandStakes[] {
  return own ? [{ stakes: [{ own, golden: [], free: 0 }], paid: null }] : [];
}

/** All that lies on a place together. */
export function stakeOn(game: SoloGame, spot: number, kind: string): number {
  return laidOn(game, spot, kind).flatMap(({ stakes: all }) => all).reduce((sum, { own }) => sum + own, 0);
}

/** What the bonus of a hand has won, which counts as the hand's win (LNK-34). */
export function bonusWon(game: SoloGame, spot: number): number {
  const line = game.settled.find((one) => one.spot === spot && one.why === "link");
  return line && line.paid > 0 ? line.paid - line.stake.own : 0;
}

/** What the maximum win leaves to be won in the round: bonuses before have taken their part (LNK-08, LNK-36); null without one. */
export function winLeft(game: SoloGame): number | null {
  const most = game.bounds?.options.max_win ?? null;
  if (most === null) return null;
  return Math.max(0, most - game.settled.reduce((won, { paid, stake }) => won + Math.max(0, paid - stake.own), 0));
}

/** What the maximum win has cut off the round: what its lines pay together beyond what was paid (LNK-08). */
export function cutOff(game: SoloGame): number {
  const { paid, settled } = game.table?.outcome ?? { paid: null, settled: [] };
  return paid ? settled.reduce((total, line) => total + line.paid, 0) - paid.paid : 0;
}

/** What became of a side bet so far: its category and what it pays to 1; null while it is open, or not there. */
export function sideOutcome(game: SoloGame, spot: number, kind: string): SideOutcome | null {
  if (game.swept) return null;
  return game.table?.outcome.sides.find((side) => side.spot === spot && side.kind === kind) ?? null;
}
