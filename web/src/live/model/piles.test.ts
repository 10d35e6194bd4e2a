import { describe, expect, it } from "vitest";
import { GAMES, type Game } from "../../games";
import { SNAPSHOT } from "../../game/snapshot.fixture";
import type { Bounds } from "../../table/betting/check";
import { adopt, bets, closed, cost, double, NO_CHIPS, piles, place, press, repeat, same, undo, type Change, type Slip } from "./piles";

const options = { ...SNAPSHOT.options, main: { minimum: 100, maximum: 5000 } };
const SEATS: Bounds = { game: GAMES["freebet"] as Game, funds: 10_000, golden: {}, seats: [2, 4], options };
const BOXES: Bounds = { game: GAMES["majority-eu"] as Game, funds: 10_000, golden: { 500: 2 }, seats: null, options };
const always = () => true;

function taken(change: Change): Slip {
  if ("failure" in change) throw new Error(change.failure.code);
  return change.slip;
}

function code(change: Change): string {
  return "failure" in change ? change.failure.code : "taken";
}

function put(slip: Slip, at: string, value: number, bounds: Bounds, golden = false): Slip {
  return taken(press(slip, [at], { value, golden }, bounds));
}

describe("chips at a table with seats", () => {
  const main = place(2, "main", SEATS.seats);

  it("stand on all own seats", () => {
    const slip = put(put(NO_CHIPS, main, 1000, SEATS), "2/21+3", 200, SEATS);
    expect(bets(slip, SEATS.seats)).toEqual([
      { spot: 2, kind: "main", stake: 1000, golden: [] },
      { spot: 4, kind: "main", stake: 1000, golden: [] },
      { spot: 2, kind: "21+3", stake: 200, golden: [] },
    ]);
    expect(cost(piles(slip), SEATS.seats)).toBe(2200);
  });

  it("fill up to the limit, then are refused", () => {
    const slip = put(put(NO_CHIPS, main, 2500, SEATS), main, 10_000, SEATS);
    expect(piles(slip)[main]?.own).toBe(5000);
    const more = press(slip, [main], { value: 100, golden: false }, SEATS);
    const params = { kind: "main", stake: 5100, minimum: 100, maximum: 5000 };
    expect(more).toEqual({ failure: { code: "bet/above-maximum", params }, at: [main] });
    expect(double(slip, SEATS)).toMatchObject({ failure: { code: "bet/above-maximum", params: { ...params, stake: 10_000 } } });
  });

  it("go on all seats or on none, if the balance is short", () => {
    const poor = { ...SEATS, funds: 1500 };
    expect(code(press(NO_CHIPS, [main], { value: 1000, golden: false }, poor))).toBe("funds/insufficient");
    expect(bets(put(NO_CHIPS, main, 500, poor), SEATS.seats)).toHaveLength(2);
  });

  it("need a main bet beside them, but not behind others", () => {
    const failure = { code: "bet/no-main-bet", params: { kind: "21+3", spot: 2 } };
    expect(press(NO_CHIPS, ["2/21+3"], { value: 100, golden: false }, SEATS)).toMatchObject({ failure });
    expect(code(press(NO_CHIPS, ["5/behind"], { value: 100, golden: false }, SEATS))).toBe("taken");
  });

  it("double up to the limit, and go one by one, the newest first", () => {
    const slip = put(put(NO_CHIPS, main, 1000, SEATS), "5/behind", 500, SEATS);
    const twice = taken(double(slip, SEATS));
    expect(piles(twice)).toEqual({ [main]: { own: 2000, golden: [] }, "5/behind": { own: 1000, golden: [] } });
    expect(undo(twice)).toEqual(slip);
    expect(piles(undo(undo(twice)))).toEqual({ [main]: { own: 1000, golden: [] } });
    expect(code(double(twice, { ...SEATS, funds: 5000 }))).toBe("funds/insufficient");
  });

  it("are repeated where they can still be placed", () => {
    const placed = put(put(NO_CHIPS, main, 1000, SEATS), "5/behind", 500, SEATS);
    const slip = closed(placed, bets(placed, SEATS.seats), SEATS.seats);
    expect(slip.placings).toEqual([]);
    expect(bets(taken(repeat(slip, SEATS, always)), SEATS.seats)).toHaveLength(3);
    expect(bets(taken(repeat(slip, SEATS, (_, kind) => kind !== "behind")), SEATS.seats)).toHaveLength(2);
    expect(code(repeat(slip, { ...SEATS, seats: [] }, () => false))).toBe("bet/none");
    expect(closed(slip, [], SEATS.seats).last).toEqual(slip.last);
  });

  it("are what the house has, if it says otherwise", () => {
    const told = [{ spot: 4, kind: "main", stake: 700, golden: [] }];
    expect(bets(adopt(NO_CHIPS, told, SEATS.seats), SEATS.seats)).toHaveLength(2);
    expect(adopt(put(NO_CHIPS, main, 100, SEATS), [], SEATS.seats)).toEqual(NO_CHIPS);
  });
});

describe("golden chips", () => {
  it("are held, counted and mixed as the operator allows", () => {
    const slip = put(put(NO_CHIPS, "0/main", 500, BOXES, true), "0/main", 200, BOXES);
    expect(bets(slip, null)).toEqual([{ spot: 0, kind: "main", stake: 200, golden: [500] }]);
    expect(cost(piles(slip), null)).toBe(200);
    const both = put(slip, "1/main", 500, BOXES, true);
    expect(code(press(both, ["1/main"], { value: 500, golden: true }, BOXES))).toBe("golden/not-held");
    const strict = { ...BOXES, options: { ...options, golden: { ...options.golden, mixing: false, cap: 1 } } };
    expect(code(press(NO_CHIPS, ["0/main"], { value: 500, golden: true }, strict))).toBe("taken");
    expect(code(press(put(NO_CHIPS, "0/main", 500, strict, true), ["0/main"], { value: 100, golden: false }, strict))).toBe("golden/no-mixing");
    expect(code(press(put(NO_CHIPS, "0/main", 500, strict, true), ["1/main"], { value: 500, golden: true }, strict))).toBe("golden/over-cap");
  });

  it("are not cut at the limit, are not doubled, and are repeated in ordinary chips", () => {
    const slip = put(NO_CHIPS, "0/main", 4800, BOXES);
    expect(code(press(slip, ["0/main"], { value: 500, golden: true }, BOXES))).toBe("bet/above-maximum");
    const gold = put(NO_CHIPS, "0/main", 500, BOXES, true);
    expect(double(gold, BOXES)).toEqual({ slip: gold });
    const again = taken(repeat(closed(gold, bets(gold, null), null), BOXES, always));
    expect(bets(again, null)).toEqual([{ spot: 0, kind: "main", stake: 500, golden: [] }]);
  });
});

it("knows the same bets in another order", () => {
  const one = [
    { spot: 0, kind: "main", stake: 1, golden: [500, 200] },
    { spot: 1, kind: "main", stake: 2, golden: [] },
  ];
  expect(same(one, [...one].reverse())).toBe(true);
  expect(same(one, [{ spot: 0, kind: "main", stake: 1, golden: [200, 500] }])).toBe(false);
});
