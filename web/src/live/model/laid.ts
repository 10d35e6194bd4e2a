/** What lies on a place of a live table at each moment, and what became of it. */

import { givenUp, isOn, stakesOn, type HandStakes, type SideOutcome } from "../../game/book";
import type { SpotView, Stake } from "../../wire";
import type { LiveGame } from "./live.svelte";
import { place } from "./piles";

/** What the player has on a place, hand by hand: chips while bets are open, then what the book holds. */
export function laidOn(game: LiveGame, spot: number, kind: string): readonly HandStakes[] {
  if (game.table?.phase === "betting" || game.table?.phase === "closing") {
    const pile = game.bets.piles[place(spot, kind, game.own)];
    if (pile) return [{ stakes: [{ ...pile, free: 0 }], paid: null }];
    if (game.table.phase === "betting") return [];
  }
  const laid = stakesOn(game, spot, kind);
  const hands = game.table?.view.spots.find((seen) => seen.spot === spot)?.hands ?? [];
  return isOn(kind, "initial") ? givenUp(laid, hands) : laid;
}

/** What became of a side bet for everyone: its category and what it pays to 1, 0 if it loses; null while it is open, or not there. */
export function sideOutcome(game: LiveGame, spot: number, kind: string): SideOutcome | null {
  return game.table?.outcome.sides.find((side) => side.spot === spot && side.kind === kind) ?? null;
}

/** What lies for each hand of another's seat, as everyone sees it: the stake, and what a double added. */
export function stakesOf({ stake, hands }: SpotView): readonly HandStakes[] {
  const bet = (free: boolean): Stake => ({ own: free ? 0 : stake, golden: [], free: free ? stake : 0 });
  return hands.map(({ doubled, split, result, ended }) => ({
    stakes: [bet(split === "free"), ...(doubled ? [bet(doubled === "free")] : [])],
    paid: result === "lose" || ended === "bust" ? 0 : null,
  }));
}
