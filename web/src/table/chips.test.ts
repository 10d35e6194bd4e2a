import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DEALER } from "../game/table";
import { GAMES, type Game } from "../games";
import * as piles from "../live/model/piles";
import * as slip from "../solo/model/slip";
import type { TableOptions } from "../wire";
import { limits, type Bounds } from "./betting/check";
import { columnsOf, nextChips, SHOWN, shownFrom, usualChip } from "./chips";

/** Tables with the chips that the house gives them (`tests/golden/bets.py`): all that ship, and random ones. */
interface Rack {
  readonly game: string;
  readonly options: TableOptions;
  readonly seats: readonly number[] | null;
}

const path = new URL("../../../build/corpus.json.gz", import.meta.url);
const racks = (JSON.parse(gunzipSync(readFileSync(path)).toString()) as { racks: readonly Rack[] }).racks;

/** What lies on a kind's place after so many presses of a chip, or why one of them was refused; other kinds lie on a main bet. */
function pressed(kind: string, chip: number, times: number, bounds: Bounds): number | string {
  const { game, options, seats } = bounds;
  const [main] = options.chips.filter((each) => options.main.minimum % each === 0).slice(-1);
  const spot = kind === "behind" ? 5 : (seats?.[0] ?? 0);
  const presses = Array<[string, number]>(times).fill([kind, chip]);
  if (kind !== "main" && kind !== "behind") presses.unshift(["main", main ?? 0]);
  if (!game.live) {
    let lies = slip.NO_CHIPS;
    const at = game.sideBets.some(({ name, once }) => name === kind && once) ? DEALER : spot;
    for (const [what, value] of presses) {
      const after = slip.press(lies, what === kind ? at : spot, what, value, bounds);
      if ("failure" in after) return after.failure.code;
      lies = after.slip;
    }
    return slip.stakes(lies)[slip.place(at, kind)] ?? 0;
  }
  let lies = piles.NO_CHIPS;
  for (const [what, value] of presses) {
    const after = piles.press(lies, [piles.place(spot, what, seats)], { value, golden: false }, bounds);
    if ("failure" in after) return after.failure.code;
    lies = after.slip;
  }
  return piles.piles(lies)[piles.place(spot, kind, seats)]?.own ?? 0;
}

describe.each([...new Set(racks.map(({ game }) => game))])("the chips of %s (PLT-69, COM-23)", (name) => {
  const own = racks.filter(({ game }) => game === name);
  const game = GAMES[name] as Game;
  const kinds = ["main", ...(own[0]?.seats ? ["behind"] : []), ...game.sideBets.map((bet) => bet.name)];

  it("add up to every minimum, with nothing refused on the way", () => {
    for (const { options, seats } of own)
      for (const kind of kinds) {
        const bounds = { game, options, seats, funds: 1e15, golden: {} };
        const { minimum } = limits(kind, options);
        const chip = options.chips.findLast((each) => minimum % each === 0) ?? 0;
        const told = `${kind} ${JSON.stringify(options)}`;
        expect(minimum / chip, told).toBeLessThanOrEqual(10);
        for (let times = 1; times <= minimum / chip; times += 1) expect(pressed(kind, chip, times, bounds), told).toBe(chip * times);
      }
  });

  it("reach every maximum in ten presses", () => {
    for (const { options, seats } of own)
      for (const kind of kinds) {
        const bounds = { game, options, seats, funds: 1e15, golden: {} };
        const { maximum } = limits(kind, options);
        // At a live table the last press fills up to the maximum (FRB-22).
        const chip = game.live ? (options.chips.at(-1) ?? 0) : (options.chips.findLast((each) => maximum % each === 0) ?? 0);
        const told = `${kind} ${JSON.stringify(options)}`;
        expect(maximum / chip, told).toBeLessThanOrEqual(10);
        expect(pressed(kind, chip, Math.ceil(maximum / chip), bounds), told).toBe(maximum);
        expect(pressed(kind, chip, Math.ceil(maximum / chip) + 1, bounds), told).toBe("bet/above-maximum");
      }
  });

  it("are in hand where they are a bet", () => {
    for (const { options } of own) {
      const chip = usualChip(options);
      expect(options.chips).toContain(chip);
      expect(chip >= options.main.minimum || chip === options.chips.at(-1)).toBe(true);
    }
  });
});

describe("five chips at a time (PLT-69)", () => {
  const rack = [1, 2, 5, 10, 25, 50, 100, 500];

  it("are where the one in hand is, and the others are a press away", () => {
    expect([1, 25, 50, 500, null].map((chip) => shownFrom(rack, chip))).toEqual([0, 0, 3, 3, 0]);
    expect([nextChips(rack, 0), nextChips(rack, 3)]).toEqual([3, 0]);
    const seen = new Set([...rack.slice(0, SHOWN), ...rack.slice(nextChips(rack, 0), nextChips(rack, 0) + SHOWN)]);
    expect(seen.size).toBe(rack.length);
    expect([shownFrom([1, 2], 2), shownFrom([], 2)]).toEqual([0, 0]);
  });
});

const RACK = [100, 200, 500, 1000, 2500, 10_000];

function heights(own: number, golden: readonly number[] = [], free = 0): readonly (readonly [string, number, number])[] {
  return columnsOf({ own, golden, free }, RACK).map(({ kind, value, count }) => [kind, value, count]);
}

describe("chips of a stake", () => {
  it("stand in columns by value, the largest first", () => {
    expect(heights(8800)).toEqual([["own", 2500, 3], ["own", 1000, 1], ["own", 200, 1], ["own", 100, 1]]);
    expect(heights(0)).toEqual([]);
    expect(heights(40)).toEqual([["own", 100, 1]]);
  });

  it("golden chips and a free bet are no ordinary chips", () => {
    expect(heights(1000, [500, 2500, 500])).toEqual([["own", 1000, 1], ["golden", 2500, 1], ["golden", 500, 2]]);
    expect(heights(0, [], 1000)).toEqual([["free", 1000, 1]]);
  });

  it("are no more than can be seen", () => {
    expect(heights(1_000_000)).toEqual([["own", 10_000, 5]]);
    expect(heights(13_800)).toHaveLength(4);
  });
});
