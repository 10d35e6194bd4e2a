/**
 * Chips at a live table: placing, undo, clear, double, repeat (FRB-22, FRB-23, MAJ-50..57, MAJ-60). Chips are the page's,
 * limits and money the house's: it makes every check again. At a table with seats the main bet is
 * one for all own seats.
 */

import type { Bet, Failure, Limits, TableOptions } from "../../wire";

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

/** What a set of chips is measured by. */
export interface Bounds {
  /** Money at the table, what is staked included. */
  readonly funds: number;
  /** Golden chips by face value, those on the table included. */
  readonly golden: Readonly<Record<number, number>>;
  /** The own seats; null at a table with boxes. */
  readonly seats: readonly number[] | null;
  readonly options: TableOptions;
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
  const before = piles(slip);
  const added: Record<string, Pile> = {};
  for (const each of at) {
    const { kind } = parts(each);
    const room = limits(kind, bounds.options).maximum - face(before[each] ?? NOTHING);
    const fits = chip.golden ? chip.value <= room : room > 0;
    if (fits) added[each] = chip.golden ? { own: 0, golden: [chip.value] } : { own: Math.min(chip.value, room), golden: [] };
  }
  if (!Object.keys(added).length) return { failure: full(at[0] ?? "", before, bounds), at };
  return put(slip, added, bounds, at);
}

/** RADDOPPIA (2x): every pile of ordinary chips, up to its limit. */
export function double(slip: Slip, bounds: Bounds): Change {
  const before = piles(slip);
  const added = Object.entries(before).map(([at, pile]): [string, Pile] => {
    const room = limits(parts(at).kind, bounds.options).maximum - face(pile);
    return [at, { own: Math.max(0, Math.min(pile.own, room)), golden: [] }];
  });
  const more = added.filter(([, { own }]) => own > 0);
  const [first = ""] = Object.keys(before);
  if (!more.length) return { failure: full(first, before, bounds), at: [] };
  return put(slip, Object.fromEntries(more), bounds, []);
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

function put(slip: Slip, added: Piles, bounds: Bounds, at: readonly string[]): Change {
  const after = { ...slip, placings: [...slip.placings, added] };
  const failure = check(piles(after), bounds);
  return failure ? { failure, at } : { slip: after };
}

// Checks

function check(all: Piles, bounds: Bounds): Failure | null {
  const { options, seats, funds } = bounds;
  for (const at of Object.keys(all)) {
    const { spot, kind } = parts(at);
    if (kind === "main" || kind === "behind") continue;
    if (!all[place(spot, "main", seats)]) return { code: "bet/no-main-bet", params: { kind, spot } };
  }
  const total = cost(all, seats);
  if (total > funds) return { code: "funds/insufficient", params: { cost: total, balance: funds } };
  return checkGolden(all, bounds, options);
}

function checkGolden(all: Piles, bounds: Bounds, { golden: allowed }: TableOptions): Failure | null {
  const used = Object.values(all).flatMap(({ golden }) => golden);
  for (const value of used) {
    const count = used.filter((chip) => chip === value).length;
    const held = bounds.golden[value] ?? 0;
    if (count > held) return { code: "golden/not-held", params: { value, count, held } };
  }
  if (allowed.cap !== null && used.length > allowed.cap)
    return { code: "golden/over-cap", params: { count: used.length, cap: allowed.cap } };
  const mixed = Object.values(all).some(({ own, golden }) => own > 0 && golden.length > 0);
  return mixed && !allowed.mixing ? { code: "golden/no-mixing", params: {} } : null;
}

function full(at: string, before: Piles, { options }: Bounds): Failure {
  const { kind } = parts(at);
  return { code: "bet/above-maximum", params: { kind, stake: face(before[at] ?? NOTHING), ...limits(kind, options) } };
}

/** The least and the most of a kind of bet. */
export function limits(kind: string, options: TableOptions): Limits {
  if (kind === "main") return options.main;
  return kind === "behind" ? options.behind : (options.side_by_name[kind] ?? options.side);
}
