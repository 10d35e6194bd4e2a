/**
 * A player's own part at a live table. It is told whole, to those whom something concerns; what every player can tell
 * from what happens for all is not told again, and is done here.
 */

import type { LivePart, Me, TableEvent } from "../wire";

/** The own part after an event that everyone was told. */
export function foldOwn(me: Me, event: TableEvent): Me {
  const { live } = me;
  if (!live) return me;
  switch (event.type) {
    case "round-opened":
      return {
        ...me,
        part: null,
        results: { settled: [], paid: null },
        live: { ...live, bets: [], started: false, wishes: {}, ahead: {}, vote: null },
      };
    case "turn-started":
      return { ...me, live: { ...live, vote: null } };
    case "acted":
      return {
        ...me,
        live: { ...live, vote: null, wishes: without(live.wishes, event.spot), ahead: without(live.ahead, event.spot) },
      };
    case "round-settled":
    case "round-voided":
      return { ...me, live: { ...live, wishes: {}, ahead: {}, vote: null } };
    default:
      return me;
  }
}

function without<T>(all: Readonly<Record<string, T>>, spot: number): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => Number(key) !== spot));
}

/** What a player who has only looked at the table so far has there. */
export const NO_PART: LivePart = {
  seats: [],
  bets: [],
  consent: null,
  golden: {},
  leaving: false,
  started: false,
  wishes: {},
  ahead: {},
  vote: null,
  notices: [],
};
