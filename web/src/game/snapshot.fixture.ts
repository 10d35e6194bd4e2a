/** A table nobody has played at yet, for tests and stories. */

import type { Snapshot } from "../wire";

const LIMITS = { minimum: 100, maximum: 50_000 };

export const SNAPSHOT: Snapshot = {
  type: "snapshot",
  table: "solo/surrender",
  epoch: 3,
  seq: 7,
  at: 0,
  game: "surrender",
  currency: "FUN",
  commitment: "c0ffee",
  options: {
    main: LIMITS,
    behind: LIMITS,
    side: { minimum: 100, maximum: 10_000 },
    side_by_name: {},
    chips: [100, 200, 500, 1000, 2500, 10_000],
    side_bets_off: [],
    insurance: true,
    max_win: null,
    cashback_margin: 100,
    golden: { mixing: true, extra: true, blind: true, cap: null },
    vote_threshold: 3,
    burn: false,
    cut: 208,
    buster_keeps_dealer: true,
  },
  limits: [],
  sitting: 10_000,
  cap: null,
  round: "",
  turn: 0,
  view: null,
  outcome: { sides: [], revealed: null, voided: null },
  live: null,
  title: "",
  closed: "",
  video: [],
};
