/** What lies on a place of a live table at each moment, and what became of it. */

import type { Stake } from "../../wire";
import type { LiveGame } from "./live.svelte";
import { face, place } from "./piles";

/** Lines of the book that stand on the circle of a hand. */
const MAIN: readonly string[] = ["initial", "double", "split"];

export interface Laid {
  /** Chips on the place, golden ones at face value. */
  readonly stake: number;
  readonly golden: boolean;
  /** A free bet beside them (FRB-04, FRB-06). */
  readonly free: number;
}

const NOTHING: Laid = { stake: 0, golden: false, free: 0 };

interface Line {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
}

/** The player's own lines: those on the table, or those of the round that is over. */
function lines(game: LiveGame): readonly Line[] {
  const { me } = game;
  return me?.part?.lines.length ? me.part.lines : (me?.results.settled ?? []);
}

function isOn(kind: string, why: string): boolean {
  return kind === "main" || kind === "behind" ? MAIN.includes(why) : why === kind;
}

/** What the player has on a place: chips while bets are open, then what the book holds. */
export function laidOn(game: LiveGame, spot: number, kind: string): Laid {
  if (game.table?.phase === "betting" || game.table?.phase === "closing") {
    const pile = game.piles[place(spot, kind, game.own)];
    const placed = pile ?? null;
    if (placed) return { stake: face(placed), golden: placed.golden.length > 0, free: 0 };
    if (game.table.phase === "betting") return NOTHING;
  }
  const own = lines(game).filter((line) => line.spot === spot && isOn(kind, line.why));
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

/** What came back on a side bet, once it is settled; null before. */
export function paidOn(game: LiveGame, spot: number, kind: string): number | null {
  const settled = game.me?.results.settled.filter((line) => line.spot === spot && isOn(kind, line.why)) ?? [];
  return settled.length ? settled.reduce((sum, { paid }) => sum + paid, 0) : null;
}

export interface HandResult {
  readonly result: string;
  /** Won or lost by the player on the hand, stakes apart. */
  readonly net: number;
  readonly tone: "win" | "lose" | "even";
}

/** What became of the player's stake on a hand, its double counted in; null while it is open, or without a stake. */
export function handResult(game: LiveGame, spot: number, hand: number): HandResult | null {
  const settled = (game.me?.results.settled ?? []).filter(
    (line) => line.spot === spot && line.hand === hand && MAIN.includes(line.why),
  );
  const [first] = settled;
  if (!first) return null;
  const net = settled.reduce((sum, { paid, stake }) => sum + paid - stake.own, 0);
  const lost = net < 0 || (net === 0 && first.result === "lose"); // a golden or a free bet that loses costs no money
  return { result: first.result, net, tone: net > 0 ? "win" : lost ? "lose" : "even" };
}

/** What the player paid to insure a hand, and what came of it; null where it is not insured. */
export function insuranceOn(game: LiveGame, spot: number): { readonly cost: number; readonly paid: number | null } | null {
  const settled = game.me?.results.settled.find((line) => line.spot === spot && line.why === "insurance");
  if (settled) return { cost: settled.stake.own, paid: settled.paid };
  const line = game.me?.part?.lines.find((found) => found.spot === spot && found.why === "insurance");
  return line ? { cost: line.stake.own, paid: null } : null;
}

/** What became of a side bet for everyone: what it pays to 1, 0 if it loses; null while it is open, or not there. */
export function sidePays(game: LiveGame, spot: number, kind: string): number | null {
  return game.table?.outcome.sides.find((side) => side.spot === spot && side.kind === kind)?.pays ?? null;
}
