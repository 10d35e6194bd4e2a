/** How much money comes to a table: what is offered for sitting down, and what play money sits down with (PLT-04). */

import type { Catalogue } from "../language/catalogue";
import type { LimitsShown, OwnPart } from "../wire";
import type { Table } from "../game/table";

export interface BuyIn {
  /** The most that may still be brought; null where there is no cap. */
  readonly cap: number | null;
  readonly most: number;
  /** What is brought where nothing else is chosen; 0 where not even the least stake can be. */
  readonly usual: number;
  /** Amounts to choose from. */
  readonly presets: readonly number[];
  /** How more money comes to the table: from the account, from the cashier to it, or after leaving, where the cap is reached (PLT-64). */
  readonly way: "bring" | "cashier" | "leave";
}

/** Amounts as multiples of the least stake, and the fewest of them to sit down with. */
const STAKES = [20, 50, 100, 200, 500];
const FEWEST = 10;
const PRESETS = 4;

type Seen = Pick<Table, "options" | "limits" | "sitting" | "cap">;
type Me = Pick<OwnPart, "account" | "brought" | "limits">;

export function buyIn(table: Seen | null, me: Me | null): BuyIn {
  const limit = table?.limits.find(({ name }) => name === me?.limits);
  const least = leastStake(table, limit);
  const cap = limit?.cap ?? table?.cap ?? null;
  const account = me?.account ?? 0;
  const most = cap === null ? account : Math.min(account, Math.max(0, cap - (me?.brought ?? 0)));
  const usual = Math.min(most, Math.max(table?.sitting ?? 0, FEWEST * least));
  const presets = STAKES.map((stakes) => stakes * least).filter((amount) => amount > 0 && amount <= most);
  // Where few of them can be paid, all there is.
  if (presets.length < PRESETS && most > 0 && most >= least && !presets.includes(most)) presets.push(most);
  const way = !me || most > 0 ? "bring" : account ? "leave" : "cashier";
  return { cap, most, way, usual: usual < least ? 0 : usual, presets: presets.slice(-PRESETS) };
}

/** A table with a player at it. */
export interface AtTable {
  readonly table: Seen | null;
  readonly me: Me | null;
}

/** The word of the button that leads to more money. */
export function moneyLabel({ table, me }: AtTable, texts: Catalogue): string {
  const { way } = buyIn(table, me);
  if (way === "bring") return texts.label("add-money");
  return texts.text(way === "leave" ? "web.sit-again" : "web.nav.cashier");
}

function leastStake(table: Seen | null, limit: LimitsShown | undefined): number {
  return limit?.main[0] ?? table?.options.main.minimum ?? 0;
}

/** The chip to begin with: of those in the rack the largest that is no more than a twentieth of the money brought. */
export function firstChip(rack: readonly number[], brought: number, least: number): number {
  return rack.findLast((chip) => chip <= Math.max(brought / 20, least)) ?? 0;
}
