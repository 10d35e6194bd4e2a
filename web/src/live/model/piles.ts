/**
 * Chips at a live table: placing, undo, clear, double, repeat (FRB-22, FRB-23, MAJ-50..57, MAJ-60). Chips are the page's,
 * limits and money the house's: it makes every check again. At a table with seats the main bet is
 * one for all own seats.
 */

import type { Bet, Failure, TableOptions } from "../../wire";
import { check, limits, type Bounds } from "../../table/betting/check";

/** What lies on a place: ordinary chips in cents, and golden ones by face value. */
export interface Pile {
  readonly own: number;
  readonly golden: readonly number[];
}

/** Piles by place. A place is `spot/kind`; the main bet of all own seats is `own/main`. */
export type Piles = Readonly<Record<string, Pile>>;

export interface Slip {
  /** The steps in which the chips on the table were placed. */
  readonly placings: readonly Piles[];
  /** What was staked in the last round with a bet. */
  readonly last: Piles;
}

export interface Chip {
  readonly value: number;
  readonly golden: boolean;
}

/** The slip after a change, or why there is none; `at` are the places where that is to be said. */
export type Change =
  | { readonly slip: Slip }
  | { readonly failure: Failure; readonly at: readonly string[] };

export const NO_CHIPS: Slip = { placings: [], last: {} };
const NOTHING: Pile = { own: 0, golden: [] };
const ALL_SEATS = "own/main";

export function place(spot: number, kind: string, seats: readonly number[] | null): string {
  return kind === "main" && seats ? ALL_SEATS : `${spot}/${kind}`;
}

function parts(at: string): { spot: number; kind: string } {
  const cut = at.indexOf("/");
  return { spot: at === ALL_SEATS ? -1 : Number(at.slice(0, cut)), kind: at.slice(cut + 1) };
}

export function face({ own, golden }: Pile): number {
  return golden.reduce((sum, chip) => sum + chip, own);
}

export function piles(slip: Slip): Piles {
  const sum: Record<string, Pile> = {};
  for (const placing of slip.placings)
    for (const [at, { own, golden }] of Object.entries(placing)) {
      const before = sum[at] ?? NOTHING;
      sum[at] = { own: before.own + own, golden: [...before.golden, ...golden] };
    }
  return sum;
}

/** Ordinary money that piles take. */
export function cost(all: Piles, seats: readonly number[] | null): number {
  return Object.entries(all).reduce((sum, [at, { own }]) => sum + own * (at === ALL_SEATS ? (seats?.length ?? 0) : 1), 0);
}

/** The whole set of bets of a request: main bets first, as side bets need them. */
export function bets(slip: Slip, seats: readonly number[] | null): readonly Bet[] {
  const all = Object.entries(piles(slip)).flatMap(([at, { own, golden }]) => {
    const { spot, kind } = parts(at);
    const spots = at === ALL_SEATS ? (seats ?? []) : [spot];
    return spots.map((each) => ({ spot: each, kind, stake: own, golden: ordered(golden) }));
  });
  const rank = ({ spot, kind }: Bet) => `${kind === "main" ? 0 : 1}/${spot}/${kind}`;
  return all.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/** Whether two sets of bets are the same. */
export function same(one: readonly Bet[], other: readonly Bet[]): boolean {
  return written(one) === written(other);
}

function written(all: readonly Bet[]): string {
  return all
    .map(({ spot, kind, stake, golden }) => `${spot}/${kind} ${stake} ${ordered(golden).join("+")}`)
    .sort()
    .join(" ");
}

function ordered(golden: readonly number[]): readonly number[] {
  return [...golden].sort((one, other) => one - other);
}

// Changes

/** Put a chip on places, all or none; one that would pass the limit fills up to it (FRB-22). */
export function press(slip: Slip, at: readonly string[], chip: Chip, bounds: Bounds): Change {
  const pile: Pile = chip.golden ? { own: 0, golden: [chip.value] } : { own: chip.value, golden: [] };
  return put(slip, fitting(slip, Object.fromEntries(at.map((each) => [each, pile])), bounds.options), bounds, at);
}

/** RADDOPPIA (2x): every pile of ordinary chips, up to its limit; golden ones stay as they are. */
export function double(slip: Slip, bounds: Bounds): Change {
  const ordinary = Object.entries(piles(slip)).filter(([, { own }]) => own > 0);
  if (!ordinary.length) return { slip };
  const again = ordinary.map(([at, { own }]): [string, Pile] => [at, { own, golden: [] }]);
  return put(slip, fitting(slip, Object.fromEntries(again), bounds.options), bounds, []);
}

/** RIPETI, RIPUNTA: the last round's bets in ordinary chips, where they can still be placed (MAJ-57). */
export function repeat(slip: Slip, bounds: Bounds, isOpen: (spot: number, kind: string) => boolean): Change {
  const again = Object.entries(slip.last)
    .filter(([at]) => (at === ALL_SEATS ? bounds.seats?.length : isOpen(parts(at).spot, parts(at).kind)))
    .map(([at, pile]): [string, Pile] => [at, { own: face(pile), golden: [] }]);
  if (!again.length) return { failure: { code: "bet/none", params: {} }, at: [] };
  return put({ ...slip, placings: [] }, Object.fromEntries(again), bounds, []);
}

/** ANNULLA: the newest chip. */
export function undo(slip: Slip): Slip {
  return { ...slip, placings: slip.placings.slice(0, -1) };
}

export function clear(slip: Slip): Slip {
  return { ...slip, placings: [] };
}

/** What the house has, instead of what lies there. */
export function adopt(slip: Slip, placed: readonly Bet[], seats: readonly number[] | null): Slip {
  return { ...slip, placings: placed.length ? [pilesOf(placed, seats)] : [] };
}

/** Bets are closed: RIPETI repeats them from now on; a player who sat out keeps those of before. */
export function closed(slip: Slip, placed: readonly Bet[], seats: readonly number[] | null): Slip {
  return { placings: [], last: placed.length ? pilesOf(placed, seats) : slip.last };
}

function pilesOf(placed: readonly Bet[], seats: readonly number[] | null): Piles {
  return Object.fromEntries(
    placed.map(({ spot, kind, stake, golden }) => [place(spot, kind, seats), { own: stake, golden }]),
  );
}

/** More chips, ordinary ones up to the limits; where nothing of them is left all of them, to be refused. */
function fitting(slip: Slip, more: Piles, options: TableOptions): Piles {
  const before = piles(slip);
  const some = Object.entries(more).map(([at, { own, golden }]): [string, Pile] => {
    const room = Math.max(0, limits(parts(at).kind, options).maximum - face(before[at] ?? NOTHING));
    return [at, { own: Math.min(own, room), golden }];
  });
  const added = some.filter(([, pile]) => face(pile) > 0);
  return added.length ? Object.fromEntries(added) : more;
}

function put(slip: Slip, added: Piles, bounds: Bounds, at: readonly string[]): Change {
  const after = { ...slip, placings: [...slip.placings, added] };
  const failure = check(bets(after, bounds.seats), bounds);
  return failure ? { failure, at } : { slip: after };
}
