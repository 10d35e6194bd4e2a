/**
 * Chips before the deal: placing, undo, clear, double, repeat (COM-50..52, COM-55). Each change is looked at before it is
 * made, so that a button is off when it would be refused; the house checks everything again at the deal.
 */

import type { Bet, Failure, Limits, LimitsShown, TableOptions } from "../../wire";
import { DEALER } from "../../game/table";
import { check, limits, type Bounds } from "../../table/betting/check";

/** Chips put down in one step, or all stakes: cents by place. A place is `spot/kind`. */
export type Chips = Readonly<Record<string, number>>;

export interface Slip {
  /** The steps in which the chips on the table were placed. */
  readonly placings: readonly Chips[];
  /** The stakes last dealt. */
  readonly last: Chips;
}

/** The slip after a change, or why there is none. */
export type Change = { readonly slip: Slip } | { readonly failure: Failure };

export const NO_CHIPS: Slip = { placings: [], last: {} };

export function place(spot: number, kind: string): string {
  return `${spot}/${kind}`;
}

function parts(at: string): { spot: number; kind: string } {
  const cut = at.indexOf("/");
  return { spot: Number(at.slice(0, cut)), kind: at.slice(cut + 1) };
}

export function stakes(slip: Slip): Chips {
  const sum: Record<string, number> = {};
  for (const placing of slip.placings)
    for (const [at, chip] of Object.entries(placing)) sum[at] = (sum[at] ?? 0) + chip;
  return sum;
}

export function total(chips: Chips): number {
  return Object.values(chips).reduce((sum, stake) => sum + stake, 0);
}

/** The bets of a deal: hand by hand, each main bet before its side bets, the dealer's place last. */
export function bets(slip: Slip): readonly Bet[] {
  const order = (bet: Bet) => (bet.spot === DEALER ? 100 : bet.spot) * 2 + (bet.kind === "main" ? 0 : 1);
  return Object.entries(stakes(slip))
    .map(([at, stake]) => ({ ...parts(at), stake, golden: [] }))
    .sort((one, other) => order(one) - order(other));
}

// Changes

export function press(slip: Slip, spot: number, kind: string, chip: number, bounds: Bounds): Change {
  return put(slip, { [place(spot, kind)]: chip }, bounds);
}

/** RADDOPPIA: every stake on the table, all or nothing. */
export function double(slip: Slip, bounds: Bounds): Change {
  return put(slip, stakes(slip), bounds);
}

/** RIPUNTA: the stakes last dealt, or `times` as much, instead of what lies on the table. */
export function repeat(slip: Slip, times: number, bounds: Bounds): Change {
  const chips = Object.fromEntries(Object.entries(slip.last).map(([at, stake]) => [at, stake * times]));
  return put({ ...slip, placings: [] }, chips, bounds, false);
}

/** ANNULLA: the last placing, as one step. */
export function undo(slip: Slip): Slip {
  return { ...slip, placings: slip.placings.slice(0, -1) };
}

export function clear(slip: Slip): Slip {
  return { ...slip, placings: [] };
}

/** The stakes were dealt: RIPUNTA repeats them from now on. */
export function dealt(placed: readonly Bet[]): Slip {
  return { placings: [], last: stakesOf(placed) };
}

export function stakesOf(placed: readonly Bet[]): Chips {
  return Object.fromEntries(placed.map((bet) => [place(bet.spot, bet.kind), bet.stake]));
}

/** More chips; where stakes do not `grow` any more, none may be below its minimum. */
function put(slip: Slip, chips: Chips, bounds: Bounds, grow = true): Change {
  const after = { ...slip, placings: [...slip.placings, chips] };
  const placed = bets(after);
  const failure = placed.length ? check(placed, bounds, grow) : { code: "bet/none", params: {} };
  return failure ? { failure } : { slip: after };
}

/** The first stake that is below its minimum yet, with that minimum: it is refused at the deal (COM-25). */
export function tooLow(slip: Slip, options: TableOptions): { readonly kind: string; readonly stake: number; readonly minimum: number } | null {
  const low = bets(slip).find(({ kind, stake }) => stake < limits(kind, options).minimum);
  return low ? { kind: low.kind, stake: low.stake, minimum: limits(low.kind, options).minimum } : null;
}

/** The options of a table with the limits that the player has chosen (COM-54). */
export function withLimits(options: TableOptions, chosen: LimitsShown | undefined): TableOptions {
  if (!chosen) return options;
  const range = ([minimum, maximum]: readonly [number, number]): Limits => ({ minimum, maximum });
  const { main, side, max_win, chips } = chosen;
  return { ...options, main: range(main), side: range(side), max_win, chips };
}
