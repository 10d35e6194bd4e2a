/**
 * What the house would refuse of a set of bets, said at once: `Betting.check` of the engine again, in its order, with its codes
 * and params. It checks them all the same; `check.test.ts` holds this to what it says.
 */

import type { Game } from "../../games";
import type { Bet, Failure, Limits, TableOptions } from "../../wire";

/** What a set of bets is measured by. */
export interface Bounds {
  readonly game: Game;
  readonly options: TableOptions;
  /** Money at the table, what is staked included. */
  readonly funds: number;
  /** Golden chips by face value, those on the table included. */
  readonly golden: Readonly<Record<number, number>>;
  /** The own seats; null at a table without seats. */
  readonly seats: readonly number[] | null;
}

/** The least and the most of a kind of bet. */
export function limits(kind: string, options: TableOptions): Limits {
  if (kind === "main") return options.main;
  return kind === "behind" ? options.behind : (options.side_by_name[kind] ?? options.side);
}

/**
 * Why these bets would be refused; their order decides what is said first. A stake that may still grow can be below its
 * minimum: at a live table until betting is closed, at a solo table until the deal (COM-25, PLT-69).
 */
export function check(bets: readonly Bet[], bounds: Bounds, grows = bounds.game.live): Failure | null {
  const mains = bets.filter(({ kind }) => kind === "main").map(({ spot }) => spot);
  for (const bet of bets) {
    const failure = checkPlace(bet, mains, bounds) ?? checkStake(bet, bounds, grows);
    if (failure) return failure;
  }
  const cost = bets.reduce((sum, { stake }) => sum + stake, 0);
  if (cost > bounds.funds) return { code: "funds/insufficient", params: { cost, balance: bounds.funds } };
  return checkGolden(bets, bounds);
}

function checkPlace({ kind, spot }: Bet, mains: readonly number[], { game, options, seats }: Bounds): Failure | null {
  if (kind === "main" || kind === "behind") return null;
  const offered = game.sideBets.filter(({ name }) => !options.side_bets_off.includes(name));
  const bet = offered.find(({ name }) => name === kind);
  if (!bet) {
    const known = ["main", ...(seats ? ["behind"] : []), ...offered.map(({ name }) => name)];
    return { code: "bet/no-such-bet", params: { kind, known: known.join(", ") } };
  }
  if (bet.once) return mains.length ? null : { code: "bet/needs-any-main-bet", params: { kind } };
  return mains.includes(spot) ? null : { code: "bet/no-main-bet", params: { kind, spot } };
}

function checkStake({ kind, stake: own, golden }: Bet, { options }: Bounds, grows: boolean): Failure | null {
  const stake = golden.reduce((sum, chip) => sum + chip, own);
  const { minimum, maximum } = limits(kind, options);
  if (stake > maximum) return { code: "bet/above-maximum", params: { kind, stake, minimum, maximum } };
  if (stake < minimum && !grows) return { code: "bet/below-minimum", params: { kind, stake, minimum, maximum } };
  return null;
}

function checkGolden(bets: readonly Bet[], { golden: all, options: { golden: allowed } }: Bounds): Failure | null {
  const used = bets.flatMap(({ golden }) => golden);
  for (const value of used) {
    const count = used.filter((chip) => chip === value).length;
    const held = all[value] ?? 0;
    if (count > held) return { code: "golden/not-held", params: { value, count, held } };
  }
  if (allowed.cap !== null && used.length > allowed.cap)
    return { code: "golden/over-cap", params: { count: used.length, cap: allowed.cap } };
  const mixed = bets.some(({ stake, golden }) => stake > 0 && golden.length > 0);
  return mixed && !allowed.mixing ? { code: "golden/no-mixing", params: {} } : null;
}
