import { describe, expect, it } from "vitest";
import { stakedIn, stakesOn } from "./book";

const own = (amount: number) => ({ own: amount, golden: [], free: 0 });
const line = (hand: number, why: string, stake: number) => ({ spot: 0, hand, why, stake: own(stake) });

describe("what lies on a place", () => {
  it("is a stack for each hand of a split, and one for its double", () => {
    const lines = [line(0, "double", 1000), line(0, "initial", 1000), line(1, "split", 1000), line(0, "21+3", 500)];
    expect(stakesOn({ lines, settled: [] }, 0, "main")).toEqual([
      { stakes: [own(1000), own(1000)], paid: null },
      { stakes: [own(1000)], paid: null },
    ]);
    expect(stakesOn({ lines, settled: [] }, 0, "21+3")).toEqual([{ stakes: [own(500)], paid: null }]);
    expect(stakesOn({ lines, settled: [] }, 1, "main")).toEqual([]);
  });

  it("tells what came back once the whole hand is settled", () => {
    const over = (hand: number, why: string, paid: number) => ({
      ...line(hand, why, 1000),
      type: "bet-settled" as const,
      player: "ada",
      result: "win" as const,
      paid,
      golden_back: [],
    });
    const settled = [over(0, "initial", 2000)];
    const lines = [line(0, "double", 1000)];
    expect(stakesOn({ lines, settled }, 0, "main")).toEqual([{ stakes: [own(1000), own(1000)], paid: null }]);
    expect(stakesOn({ lines: [], settled: [...settled, over(0, "double", 2000)] }, 0, "main")).toEqual([
      { stakes: [own(1000), own(1000)], paid: 4000 },
    ]);
  });
});

it("counts what a round took to its end, a lost insurance and what is told of twice too (FRB-23)", () => {
  const over = (why: string, stake: number) => ({
    ...line(0, why, stake),
    type: "bet-settled" as const,
    player: "ada",
    result: "lose" as const,
    paid: 0,
    golden_back: [],
  });
  const initial = line(0, "initial", 1000);
  expect(stakedIn({ lines: [initial, line(0, "insurance", 500)], settled: [] })).toBe(1500);
  expect(stakedIn({ lines: [initial, line(0, "insurance", 500)], settled: [over("insurance", 500)] })).toBe(1500);
  expect(stakedIn({ lines: [initial], settled: [over("insurance", 500)] })).toBe(1500);
  expect(stakedIn({ lines: [], settled: [over("insurance", 500), over("initial", 1000)] })).toBe(1500);
});
