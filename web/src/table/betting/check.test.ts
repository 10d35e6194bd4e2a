import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { GAMES, type Game } from "../../games";
import { adopt, bets as betsOf, NO_CHIPS } from "../../live/model/piles";
import { bets as betsOfSolo, dealt, repeat, withLimits } from "../../solo/model/slip";
import type { Bet, Failure, LimitsShown } from "../../wire";
import { check, type Bounds } from "./check";

/** Random sets of bets, and what the house says to them (`tests/golden/bets.py`). */
interface Case extends Omit<Bounds, "game"> {
  readonly game: string;
  readonly limit: LimitsShown | null;
  readonly bets: readonly Bet[];
  readonly refusal: Failure | null;
}

const path = new URL("../../../../build/corpus.json.gz", import.meta.url);
const cases = (JSON.parse(gunzipSync(readFileSync(path)).toString()) as { bets: readonly Case[] }).bets;

function boundsOf({ game, options, limit, funds, golden, seats }: Case): Bounds {
  return { game: GAMES[game] as Game, options: withLimits(options, limit ?? undefined), funds, golden, seats };
}

describe.each([...new Set(cases.map(({ game }) => game))])("bets at %s", (game) => {
  it("are refused as the house refuses them", () => {
    for (const one of cases.filter((each) => each.game === game)) {
      const bounds = boundsOf(one);
      const written = JSON.stringify(one);
      if (bounds.game.live) {
        expect(betsOf(adopt(NO_CHIPS, one.bets, one.seats), one.seats), written).toEqual(one.bets);
        expect(check(one.bets, bounds), written).toEqual(one.refusal);
      } else {
        const change = repeat(dealt(one.bets), 1, bounds);
        expect("failure" in change ? change.failure : betsOfSolo(change.slip), written).toEqual(one.refusal ?? one.bets);
      }
    }
  });
});

it("has every refusal that the page can say", () => {
  const codes = new Set(cases.map(({ refusal }) => refusal?.code ?? "taken"));
  expect([...codes].sort()).toEqual([
    "bet/above-maximum",
    "bet/below-minimum",
    "bet/needs-any-main-bet",
    "bet/no-main-bet",
    "bet/no-such-bet",
    "funds/insufficient",
    "golden/no-mixing",
    "golden/not-held",
    "golden/over-cap",
    "taken",
  ]);
});
