/** What lies on a place of a live table at each moment, and what became of it. */

import { isOn } from "../../game/book";
import type { LiveGame } from "./live.svelte";
import { face, place } from "./piles";

export interface Laid {
  /** Chips on the place, golden ones at face value. */
  readonly stake: number;
  readonly golden: boolean;
  /** A free bet beside them (FRB-04, FRB-06). */
  readonly free: number;
}

const NOTHING: Laid = { stake: 0, golden: false, free: 0 };

/** What the player has on a place: chips while bets are open, then what the book holds. */
export function laidOn(game: LiveGame, spot: number, kind: string): Laid {
  if (game.table?.phase === "betting" || game.table?.phase === "closing") {
    const pile = game.piles[place(spot, kind, game.own)];
    const placed = pile ?? null;
    if (placed) return { stake: face(placed), golden: placed.golden.length > 0, free: 0 };
    if (game.table.phase === "betting") return NOTHING;
  }
  const lines = game.lines.length ? game.lines : game.settled;
  const own = lines.filter((line) => line.spot === spot && isOn(kind, line.why));
  if (!own.length) return NOTHING;
  return own.reduce<Laid>(
    (sum, { stake }) => ({
      stake: sum.stake + face(stake),
      golden: sum.golden || stake.golden.length > 0,
      free: sum.free + stake.free,
    }),
    NOTHING,
  );
}

/** What became of a side bet for everyone: what it pays to 1, 0 if it loses; null while it is open, or not there. */
export function sidePays(game: LiveGame, spot: number, kind: string): number | null {
  return game.table?.outcome.sides.find((side) => side.spot === spot && side.kind === kind)?.pays ?? null;
}
