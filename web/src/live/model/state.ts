/** A live table: the round as at a solo table, and the state beside it (seats, phase, shoe). */

import { foldLive } from "../../game/fold";
import { fold as foldTable, fromSnapshot as tableOf, head, type Table } from "../../game/table";
import type { Announced, Frame, LivePart, LiveView, ShoeRevealed, Snapshot, TableEvent } from "../../wire";

export { head, order } from "../../game/table";

export interface LiveState extends Table, LiveView {
  readonly title: string;
  /** The qualities of the table's video, the best first (STU-20). */
  readonly video: readonly string[];
  /** The root over all salted cards of the shoe, for players who were there when it was sent. */
  readonly root: string;
  /** The shoe before, with its seeds. */
  readonly revealed: ShoeRevealed | null;
  /** What the presenter said last. */
  readonly announced: Announced["what"] | null;
}

/** The table of a snapshot; what was known of the shoe in use is kept. */
export function fromSnapshot(told: Snapshot, before: LiveState | null = null): LiveState {
  const { live, title, video } = told;
  if (!live) throw new Error(`${told.table} is no live table`);
  const { root = "", revealed = null } = before?.commitment === told.commitment ? before : {};
  return { ...tableOf(told), ...live, title, video, root, revealed, announced: null };
}

/** The table after a frame, all of its events at once. */
export function advance(table: LiveState, frame: Frame): LiveState {
  return frame.events.reduce(fold, { ...table, ...head(table, frame) });
}

/** The table after one event. */
export function fold(told: LiveState, event: TableEvent): LiveState {
  const table = { ...told, ...foldLive(told, event, told.view) };
  switch (event.type) {
    case "shoe-revealed": // of a live table it is not the last round's alone
      return { ...table, revealed: event };
    case "shoe-committed":
      return { ...table, ...foldTable(table, event), root: "" };
    case "shoe-seeded":
      return { ...table, root: event.root };
    case "settings-changed":
      return { ...table, ...foldTable(table, event), title: event.title, video: event.video };
    case "announced":
      return { ...table, announced: event.what };
    default:
      return { ...table, ...foldTable(table, event) };
  }
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
