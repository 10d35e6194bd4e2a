/**
 * A live table as its frames tell it: the round as at a solo table, and beside it phase and clock, seats, crowd and shoe.
 * `fold` takes the table and an event; folding all frames gives what a snapshot of that moment tells (`picture`).
 */

import { advance as advanceWith, fold as foldRound, fromSnapshot as roundOf, type Table } from "../lib/table";
import type {
  Announced,
  Bet,
  CrowdCounted,
  Frame,
  LiveView,
  SeatView,
  ShoeRevealed,
  ShoeView,
  Snapshot,
  TableEvent,
  Timers,
} from "../wire";

export { head, order } from "../lib/table";

export type Phase = LiveView["phase"];

interface Seat {
  readonly player: string;
  readonly name: string;
  readonly bot: boolean;
  readonly streak: number;
}

export interface LiveTable extends Table {
  readonly title: string;
  readonly phase: Phase;
  /** The end of the phase by the house's clock, in milliseconds; null where it has none. */
  readonly until: number | null;
  /** Why the table is paused; empty while it is not. */
  readonly paused: string;
  readonly crowd: CrowdCounted;
  readonly shoe: ShoeView | null;
  /** What is promised of the shoe at the shuffling table; empty without one (FRB-30). */
  readonly next: string;
  readonly timers: Timers;
  /** The root over all salted cards of the shoe, for who was there when it was told. */
  readonly root: string;
  /** The shoe before, with its seeds. */
  readonly revealed: ShoeRevealed | null;
  /** What the presenter said last. */
  readonly announced: Announced["what"] | null;
  readonly taken: Readonly<Record<number, Seat>>;
  /** Seated players who have pressed INIZIARE ORA, and bets that can be seen. */
  readonly started: readonly string[];
  readonly shown: Readonly<Record<string, readonly Bet[]>>;
  /** Seats that take no bets behind: in the round whose bets are open, and from the next one on (FRB-43). */
  readonly closed: readonly number[];
  readonly closedNext: readonly number[];
}

/** The table of a snapshot; what it does not tell of the shoe in use stays known. */
export function fromSnapshot(told: Snapshot, before: LiveTable | null = null): LiveTable {
  const { live } = told;
  if (!live) throw new Error(`${told.table} is no live table`);
  const same = before?.commitment === told.commitment ? before : null;
  const closed = live.seats.filter((seat) => !seat.behind).map(({ spot }) => spot);
  return {
    ...roundOf(told),
    title: told.title,
    phase: live.phase,
    until: live.until,
    paused: live.paused,
    crowd: live.crowd,
    shoe: live.shoe,
    next: live.next_commitment,
    timers: live.timers,
    root: same?.root ?? "",
    revealed: same?.revealed ?? null,
    announced: null,
    taken: Object.fromEntries(
      live.seats.map(({ spot, player, name, bot, streak }) => [spot, { player, name, bot, streak }]),
    ),
    started: live.seats.filter((seat) => seat.started).map(({ player }) => player),
    shown: Object.fromEntries(live.seats.filter((seat) => seat.bets.length).map(({ player, bets }) => [player, bets])),
    closed,
    closedNext: closed,
  };
}

/** The seats that are taken, as a snapshot tells them. */
export function seats(table: LiveTable): readonly SeatView[] {
  const round = table.view.phase;
  const closed = round === "betting" ? table.closed : table.closedNext;
  const over = round === "settled" || round === "voided";
  return Object.entries(table.taken).map(([spot, { player, name, bot, streak }]) => ({
    spot: Number(spot),
    player,
    name,
    streak,
    behind: !closed.includes(Number(spot)),
    started: table.started.includes(player),
    bets: over ? [] : (table.shown[player] ?? []),
    bot,
  }));
}

/** The table beside its round, as a snapshot would tell it. */
export function picture(table: LiveTable): LiveView {
  const { phase, until, paused, crowd, shoe, timers, next } = table;
  return { phase, until, paused, seats: seats(table), crowd, shoe, timers, next_commitment: next };
}

/** The table after a frame, all of its events at once. */
export function advance(table: LiveTable, frame: Frame): LiveTable {
  return frame.events.reduce(fold, { ...table, ...advanceWith(table, { ...frame, events: [] }) });
}

/** The table after one event. */
export function fold(table: LiveTable, event: TableEvent): LiveTable {
  const beside = foldLive(table, event);
  // The shoe that is revealed at a live table is not the last round's alone.
  if (event.type === "shoe-revealed") return beside;
  return { ...beside, ...foldRound(beside, event) };
}

function foldLive(table: LiveTable, event: TableEvent): LiveTable {
  switch (event.type) {
    case "phase-changed":
      return { ...table, phase: event.phase, until: event.until };
    case "announced":
      return { ...table, announced: event.what };
    case "table-paused":
      return { ...table, paused: event.reason, until: null };
    case "table-resumed":
      return { ...table, paused: "" };
    case "crowd-counted":
      return { ...table, crowd: event, view: { ...table.view, tally: event.tally } };
    case "turn-started":
    case "acted":
    case "round-settled":
    case "round-voided":
      return { ...table, crowd: { ...table.crowd, tally: [] } };
    case "round-opened":
      return { ...table, started: [], shown: {}, closed: table.closedNext };
    case "betting-closed":
      return { ...table, started: [] };
    default:
      return foldShoe(foldSeats(table, event), event);
  }
}

function foldSeats(table: LiveTable, event: TableEvent): LiveTable {
  switch (event.type) {
    case "seat-taken": {
      const { spot, player, name, bot } = event;
      const before = table.taken[spot];
      const streak = before?.player === player ? before.streak : 0;
      return { ...table, taken: { ...table.taken, [spot]: { player, name, bot, streak } } };
    }
    case "seat-left": {
      const left = Object.entries(table.taken).filter(([spot]) => Number(spot) !== event.spot);
      return { ...table, taken: Object.fromEntries(left) };
    }
    case "streak-changed": {
      const seat = table.taken[event.spot];
      return seat ? { ...table, taken: { ...table.taken, [event.spot]: { ...seat, streak: event.rounds } } } : table;
    }
    case "bets-shown": {
      const { player, bets } = event;
      const starts = table.view.phase === "betting" && !table.started.includes(player);
      return {
        ...table,
        shown: { ...table.shown, [player]: bets },
        started: starts ? [...table.started, player] : table.started,
      };
    }
    case "behind-allowed": {
      const change = (closed: readonly number[]) => {
        const others = closed.filter((spot) => spot !== event.spot);
        return event.allowed ? others : [...others, event.spot];
      };
      const closedNext = change(table.closedNext);
      return { ...table, closedNext, closed: event.next_round ? table.closed : change(table.closed) };
    }
    default:
      return table;
  }
}

function foldShoe(table: LiveTable, event: TableEvent): LiveTable {
  const { shoe } = table;
  switch (event.type) {
    case "shoe-committed": {
      const { commitment } = event;
      const fresh = { commitment, client_seed: "", seeds: 0, dealt: 0, cut: table.options.cut };
      return { ...table, shoe: fresh, next: "", root: "" };
    }
    case "next-shoe-committed":
      return { ...table, next: event.commitment };
    case "shoe-seeded": {
      const { client_seed, seeds, root } = event;
      return shoe ? { ...table, shoe: { ...shoe, client_seed, seeds }, root } : table;
    }
    case "shoe-revealed":
      return { ...table, revealed: event };
    case "card-dealt":
    case "hole-dealt":
    case "card-burnt":
      return shoe ? { ...table, shoe: { ...shoe, dealt: shoe.dealt + 1 } } : table;
    default:
      return table;
  }
}
