import { describe, expect, it } from "vitest";
import { columnsOf } from "./chips";

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
