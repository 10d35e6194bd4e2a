/** Chips: their colours, from the smallest of a rack, which of them are in sight, and which make up a stake. */

import type { Stake, TableOptions } from "../wire";

export const CHIP_COLOURS = ["#e8e4d8", "#5f9fd6", "#c2433f", "#3d4fb8", "#2f8f5b", "#26241f", "#7a3fa0", "#c98a1c", "#c25a8f"] as const;

/** Chips of a rack that are in sight at a time (PLT-69). */
export const SHOWN = 5;

/** Where the chips in sight begin, so that one of them is there. */
export function shownFrom(rack: readonly number[], chip: number | null): number {
  const at = Math.max(0, rack.indexOf(chip ?? 0));
  return clipped(at - (at % SHOWN), rack);
}

/** Where they begin after the next press: the chips that follow, and from the last ones the first again. */
export function nextChips(rack: readonly number[], first: number): number {
  return first + SHOWN < rack.length ? clipped(first + SHOWN, rack) : 0;
}

function clipped(first: number, rack: readonly number[]): number {
  return Math.max(0, Math.min(first, rack.length - SHOWN));
}

/** The chip that is in hand until another is chosen: the smallest that is a bet by itself. */
export function usualChip({ chips, main }: Pick<TableOptions, "chips" | "main">): number {
  return chips.find((chip) => chip >= main.minimum) ?? chips.at(-1) ?? 0;
}

/** Chips of one kind and value on one another. */
export interface Column {
  readonly kind: "own" | "golden" | "free";
  readonly value: number;
  /** The place of the chip in the rack, which gives the colour of ordinary chips. */
  readonly place: number;
  readonly count: number;
}

/** Most columns of a stake, and most chips of a column, that are drawn. */
const COLUMNS = 4;
const HIGH = 5;

/** A stake as columns by value, the largest first; golden chips and a free bet are columns of their own. */
export function columnsOf({ own, golden, free }: Stake, rack: readonly number[]): readonly Column[] {
  const columns = [...ordinary(own, rack), ...gold(golden)];
  if (free) columns.push({ kind: "free", value: free, place: 0, count: 1 });
  return columns.slice(0, COLUMNS);
}

/** What the chips of a stake are worth together; a free bet is no chip. */
export function faceOf({ own, golden }: Pick<Stake, "own" | "golden">): number {
  return golden.reduce((sum, chip) => sum + chip, own);
}

function ordinary(value: number, rack: readonly number[]): Column[] {
  const columns: Column[] = [];
  let rest = value;
  for (let place = rack.length - 1; place >= 0; place -= 1) {
    const chip = rack[place] ?? Infinity;
    const count = Math.floor(rest / chip);
    if (count) columns.push({ kind: "own", value: chip, place, count: Math.min(count, HIGH) });
    rest -= count * chip;
  }
  const [smallest] = rack;
  if (value && !columns.length && smallest) columns.push({ kind: "own", value: smallest, place: 0, count: 1 });
  return columns;
}

function gold(chips: readonly number[]): Column[] {
  const values = [...new Set(chips)].sort((one, other) => other - one);
  return values.map((value) => {
    const count = chips.filter((chip) => chip === value).length;
    return { kind: "golden", value, place: 0, count: Math.min(count, HIGH) };
  });
}
