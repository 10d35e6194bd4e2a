import { describe, expect, it } from "vitest";
import { GAMES, type Game } from "../../games";
import { SNAPSHOT } from "../../game/snapshot.fixture";
import type { Bounds } from "../../table/betting/check";
import { bets, type Change, clear, dealt, double, NO_CHIPS, press, repeat, type Slip, stakes, tooLow, undo, withLimits } from "./slip";

const BOUNDS: Bounds = { game: GAMES["surrender"] as Game, options: SNAPSHOT.options, funds: 10_000, golden: {}, seats: null };

function slip(change: Change): Slip {
  if ("failure" in change) throw new Error(change.failure.code);
  return change.slip;
}

function code(change: Change): string {
  return "failure" in change ? change.failure.code : "";
}

const one = slip(press(NO_CHIPS, 0, "main", 1000, BOUNDS));
const two = slip(press(one, 0, "21+3", 200, BOUNDS));

describe("chips before the deal", () => {
  it("adds chips up and takes the last placing back as one step", () => {
    const more = slip(press(two, 0, "main", 500, BOUNDS));
    expect(stakes(more)).toEqual({ "0/main": 1500, "0/21+3": 200 });
    expect(stakes(undo(more))).toEqual({ "0/main": 1000, "0/21+3": 200 });
    expect(stakes(undo(slip(double(two, BOUNDS))))).toEqual(stakes(two));
    expect(stakes(clear(more))).toEqual({});
  });

  it("wants a main bet under every side bet", () => {
    expect(code(press(NO_CHIPS, 2, "21+3", 100, BOUNDS))).toBe("bet/no-main-bet");
    expect(code(press(NO_CHIPS, -1, "dealer-pair", 100, BOUNDS))).toBe("bet/needs-any-main-bet");
  });

  it("names the limits, and the balance", () => {
    expect(press(one, 0, "main", 49_100, { ...BOUNDS, funds: 99_999 })).toEqual({
      failure: { code: "bet/above-maximum", params: { kind: "main", stake: 50_100, minimum: 100, maximum: 50_000 } },
    });
    const high = { name: "high", main: [2000, 9000], side: [200, 900], max_win: 70_000, cap: null, chips: [200, 1000] } as const;
    expect(withLimits(SNAPSHOT.options, high)).toMatchObject({ main: { minimum: 2000, maximum: 9000 }, max_win: 70_000, chips: [200, 1000] });
    const options = withLimits(SNAPSHOT.options, high);
    const half = slip(press(NO_CHIPS, 0, "main", 1000, { ...BOUNDS, options }));
    expect(tooLow(half, options)).toEqual({ kind: "main", stake: 1000, minimum: 2000 });
    expect(tooLow(slip(press(half, 0, "main", 1000, { ...BOUNDS, options })), options)).toBeNull();
    expect(code(repeat(dealt(bets(half)), 1, { ...BOUNDS, options }))).toBe("bet/below-minimum");
    expect(code(press(one, 1, "main", 10_000, BOUNDS))).toBe("funds/insufficient");
  });

  it("doubles and repeats all or nothing", () => {
    expect(stakes(slip(double(two, BOUNDS)))).toEqual({ "0/main": 2000, "0/21+3": 400 });
    const after = dealt(bets(two));
    expect(stakes(slip(repeat(after, 1, BOUNDS)))).toEqual(stakes(two));
    expect(stakes(slip(repeat(after, 2, BOUNDS)))).toEqual({ "0/main": 2000, "0/21+3": 400 });
    expect(code(repeat(after, 2, { ...BOUNDS, funds: 2000 }))).toBe("funds/insufficient");
    expect(code(repeat(NO_CHIPS, 1, BOUNDS))).toBe("bet/none");
  });

  it("lists bets hand by hand, the dealer's last", () => {
    const pair = slip(press(two, -1, "dealer-pair", 100, BOUNDS));
    const all = slip(press(pair, 3, "main", 100, BOUNDS));
    expect(bets(all).map(({ spot, kind }) => `${spot} ${kind}`)).toEqual(["0 main", "0 21+3", "3 main", "-1 dealer-pair"]);
  });
});
