/** A table: a snapshot, and every event since folded in. */

import type { Frame, LimitsShown, PublicOutcome, Results, Snapshot, TableEvent, TableOptions, TableView } from "../wire";
import { EMPTY, foldRound } from "./fold";

export { DEALER, EMPTY, isOver } from "./fold";

/** What became of a round, beyond its cards: for everyone, and for the player. */
export interface Outcome extends PublicOutcome, Results {}

export interface Table {
  readonly name: string;
  readonly game: string;
  readonly currency: "EUR" | "FUN";
  readonly options: TableOptions;
  readonly limits: readonly LimitsShown[];
  /** What is offered to be brought by sitting down, and the most of a sitting at a live table (PLT-04). */
  readonly sitting: number;
  readonly cap: number | null;
  /** Why the table takes no new bets; empty where it does (OFF-02). */
  readonly closed: Snapshot["closed"];
  readonly epoch: number;
  readonly seq: number;
  readonly round: string;
  /** The turn that the next request must carry. */
  readonly turn: number;
  /** The promise for the shoe in play or, between rounds, for the next one. */
  readonly commitment: string;
  readonly view: TableView;
  readonly outcome: Outcome;
}

const NO_RESULTS: Results = { settled: [], paid: null };
const NOTHING: Outcome = { sides: [], revealed: null, voided: null, ...NO_RESULTS };

export function fromSnapshot(told: Snapshot): Table {
  return {
    name: told.table,
    game: told.game,
    currency: told.currency,
    options: told.options,
    limits: told.limits,
    sitting: told.sitting,
    cap: told.cap,
    closed: told.closed,
    epoch: told.epoch,
    seq: told.seq,
    round: told.round,
    turn: told.turn,
    commitment: told.commitment,
    view: told.view ?? EMPTY,
    outcome: { ...told.outcome, ...NO_RESULTS },
  };
}

/** The table with the player's own results, whole: what a page that was opened after them has not folded itself. */
export function withResults(table: Table, results: Results): Table {
  return { ...table, outcome: { ...table.outcome, ...results } };
}

/** Whether a frame is the next one, one seen before, or one after a gap. */
export function order(table: Table, frame: Frame): "next" | "seen" | "gap" {
  if (frame.epoch !== table.epoch || frame.seq > table.seq + 1) return "gap";
  return frame.seq === table.seq + 1 ? "next" : "seen";
}

/** The table after a frame, all of its events at once. */
export function advance(table: Table, frame: Frame): Table {
  return frame.events.reduce(fold, head(table, frame));
}

/** The table with a frame's number and turn, before its events. */
export function head(table: Table, frame: Frame): Table {
  return { ...table, seq: frame.seq, round: frame.round, turn: frame.turn };
}

/** The table after one event. */
export function fold(told: Table, event: TableEvent): Table {
  const table = { ...told, view: foldRound(told.view, event) };
  switch (event.type) {
    case "round-opened":
      return { ...table, round: event.code, outcome: NOTHING };
    case "card-corrected":
      return { ...table, outcome: { ...table.outcome, sides: [...event.sides] } };
    case "settings-changed": {
      const { options, limits, cap, closed } = event;
      return { ...table, options, limits, cap, closed };
    }
    case "shoe-committed":
      return { ...table, commitment: event.commitment };
    case "shoe-revealed":
      return { ...table, outcome: { ...table.outcome, revealed: event } };
    case "side-bet-decided":
      return { ...table, outcome: { ...table.outcome, sides: [...table.outcome.sides, event] } };
    case "bet-settled":
      return { ...table, outcome: { ...table.outcome, settled: [...table.outcome.settled, event] } };
    case "player-paid":
      return { ...table, outcome: { ...table.outcome, paid: event } };
    case "round-voided":
      return { ...table, outcome: { ...table.outcome, ...NO_RESULTS, voided: event.reason } };
    default:
      return table;
  }
}
