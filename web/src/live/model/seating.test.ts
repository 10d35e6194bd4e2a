import { describe, expect, it } from "vitest";
import { rowsOf, shareOf, type Seating } from "./seating";

function seat(spot: number, more: Partial<Seating> = {}): Seating {
  return { spot, own: false, taken: true, hands: 1, ...more };
}

describe("seats", () => {
  const mine = [seat(6), seat(5, { own: true }), seat(4, { taken: false, hands: 0 }), seat(2, { own: true, hands: 2 }), seat(0, { hands: 2 })];

  it("give own hands the most room, split or not, and free places the least", () => {
    const [other, own, free, ownSplit, otherSplit] = mine.map(shareOf);
    expect([free, other, own, otherSplit, ownSplit].map(Number)).toEqual([0.8, 1, 1.45, 1.5, 2.2]);
    // Each hand of an own split has more than another's only hand.
    expect((ownSplit ?? 0) / 2).toBeGreaterThan(other ?? 0);
  });

  it("are in one row; own ones are in front where the screen is narrow", () => {
    expect(rowsOf(mine, false)).toEqual([mine]);
    expect(rowsOf(mine, true).map((row) => row.map(({ spot }) => spot))).toEqual([[6, 4, 0], [5, 2]]);
    expect(rowsOf([seat(1)], true)).toEqual([[seat(1)]]);
  });
});
