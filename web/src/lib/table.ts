/**
 * A table as its frames tell it: `fold` takes the state and an event and gives the next state. Totals, options and
 * endings are told, never worked out here; folding all events of a round gives the house's own snapshot.
 */

import type {
  BonusView,
  Frame,
  HandView,
  Limit,
  PublicOutcome,
  Results,
  Snapshot,
  SpotView,
  TableEvent,
  TableOptions,
  TableView,
} from "../wire";

export const DEALER = -1;

/** What became of a round, beyond its cards: for everyone, and for the player. */
export interface Outcome extends PublicOutcome, Results {}

export interface Table {
  readonly name: string;
  readonly game: string;
  readonly currency: "EUR" | "FUN";
  readonly options: TableOptions;
  readonly limits: readonly Limit[];
  /** What is offered to be brought by sitting down, and the most of a sitting at a live table (PLT-04). */
  readonly sitting: number;
  readonly cap: number | null;
  readonly epoch: number;
  readonly seq: number;
  readonly round: string;
  /** What the next question must carry. */
  readonly turn: number;
  /** The promise for the shoe in play or, between rounds, for the next one. */
  readonly commitment: string;
  readonly view: TableView;
  readonly outcome: Outcome;
}

const NO_CARDS: HandView = { cards: [], total: 0, soft: false, ended: null };
const NO_RESULTS: Results = { settled: [], paid: null };
const NOTHING: Outcome = { sides: [], revealed: null, voided: null, ...NO_RESULTS };

export const EMPTY: TableView = {
  phase: "betting",
  dealer: NO_CARDS,
  hole: false,
  spots: [],
  turn: null,
  options: [],
  tally: [],
  bonus: null,
};

export function fromSnapshot(told: Snapshot): Table {
  return {
    name: told.table,
    game: told.game,
    currency: told.currency,
    options: told.options,
    limits: told.limits,
    sitting: told.sitting,
    cap: told.cap,
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
export function fold(table: Table, event: TableEvent): Table {
  switch (event.type) {
    case "round-opened":
      return { ...table, round: event.code, view: EMPTY, outcome: NOTHING };
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
      return {
        ...table,
        view: { ...table.view, ...over, phase: "voided", bonus: null },
        outcome: { ...table.outcome, ...NO_RESULTS, voided: event.reason },
      };
    default:
      return { ...table, view: foldView(table.view, event) };
  }
}

const over = { turn: null, options: [], tally: [] } as const;

/** The table as everyone sees it, after one event. */
export function foldView(view: TableView, event: TableEvent): TableView {
  switch (event.type) {
    case "betting-closed":
      return {
        ...view,
        spots: event.spots.map(({ spot, owner, mode, backers }) => ({ spot, owner, mode, backers, hands: [NO_CARDS] })),
      };
    case "card-dealt":
      if (event.spot === DEALER) return { ...view, dealer: withCard(view.dealer, event) };
      return { ...view, spots: atHand(view.spots, event, (hand) => withCard(hand, event)) };
    case "hole-dealt":
      return { ...view, hole: true };
    case "hole-shown":
      return { ...view, hole: false, dealer: withCard(view.dealer, event) };
    case "insurance-offered":
    case "even-money-offered":
      return { ...view, phase: "offers" };
    case "turn-started":
      return { ...view, phase: "decisions", turn: [event.spot, event.hand], options: event.options };
    case "acted":
      return {
        ...view,
        ...over,
        spots: event.action === "split" ? splitAt(view.spots, event.spot) : view.spots,
      };
    case "hand-ended":
      return {
        ...view,
        spots: atHand(view.spots, event, (hand) => ({ ...hand, total: event.total, ended: event.how })),
      };
    case "even-money-answered":
      return view;
    case "bonus-started":
      return { ...view, ...over, phase: "bonus", bonus: newBonus(event.spot) };
    case "table-opened":
      return withBonus(view, {
        stage: "intro",
        feature: event.feature,
        tiles: event.tiles,
        cells: event.cells,
        spins: event.spins,
      });
    case "table-entered":
      return withBonus(view, { stage: "table" });
    case "cells-locked":
      return withBonus(view, { cells: byCell([...(view.bonus?.cells ?? []), ...event.cells]), spins: event.spins });
    case "bonus-ended":
      return { ...view, bonus: null };
    case "round-settled":
      return { ...view, ...over, phase: "settled" };
    default:
      return view;
  }
}

interface Dealt {
  readonly card: number;
  readonly total: number;
  readonly soft: boolean;
}

function withCard(hand: HandView, { card, total, soft }: Dealt): HandView {
  return { ...hand, cards: [...hand.cards, card], total, soft };
}

function atHand(
  spots: readonly SpotView[],
  at: { readonly spot: number; readonly hand: number },
  change: (hand: HandView) => HandView,
): readonly SpotView[] {
  return spots.map((spot) =>
    spot.spot === at.spot
      ? { ...spot, hands: spot.hands.map((hand, index) => (index === at.hand ? change(hand) : hand)) }
      : spot,
  );
}

/** A pair becomes two hands of a card each; their second cards, with the totals, come next. */
function splitAt(spots: readonly SpotView[], at: number): readonly SpotView[] {
  return spots.map((spot) =>
    spot.spot === at
      ? { ...spot, hands: (spot.hands[0]?.cards ?? []).map((card) => ({ ...NO_CARDS, cards: [card] })) }
      : spot,
  );
}

function newBonus(spot: number): BonusView {
  return { spot, stage: "wheel", feature: null, tiles: [], cells: [], spins: 0 };
}

function withBonus(view: TableView, change: Partial<BonusView>): TableView {
  return view.bonus ? { ...view, bonus: { ...view.bonus, ...change } } : view;
}

function byCell(cells: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  return [...cells].sort(([one], [other]) => one - other);
}
