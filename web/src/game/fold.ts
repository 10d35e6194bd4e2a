/**
 * Folds of a table's events, the same as the house's own: `foldRound` for the round, `foldLive` for a live table beside
 * its round, `foldOwn` for a player's own part there. No rule is here: events carry totals, options and endings.
 * The corpus (`tests/golden/corpus.py`) proves that each of them gives what the house shows.
 */

import { ALONE } from "../games";
import type { Acted, BonusView, HandResult, HandView, LiveView, OwnPart, SeatTaken, SeatView, SpotView, StudioView, TableEvent, TableView } from "../wire";

export const DEALER = -1;

const NO_CARDS: HandView = { cards: [], total: 0, soft: false, ended: null, doubled: null, split: null, result: null, sold: null };
const NO_TURN = { turn: null, options: [], tally: [] } as const;

/** A round that has just been opened. */
export const EMPTY: TableView = { phase: "betting", dealer: NO_CARDS, hole: false, spots: [], ...NO_TURN, bonus: null, due: null };

/** Whether a round has come to its end. */
export function isOver({ phase }: Pick<TableView, "phase">): boolean {
  return phase === "settled" || phase === "voided";
}

/** What everyone sees of the round after an event. */
export function foldRound(view: TableView, event: TableEvent): TableView {
  switch (event.type) {
    case "round-opened":
      return EMPTY;
    case "card-corrected":
      return event.view;
    case "betting-closed":
      return {
        ...view,
        spots: event.spots.map(({ spot, owner, mode, backers, stake }) => ({ spot, owner, mode, backers, hands: [NO_CARDS], stake })),
      };
    case "card-awaited":
      return { ...view, ...NO_TURN, phase: "cards", due: event.due };
    case "card-dealt":
      if (event.spot === DEALER) return { ...view, dealer: withCard(view.dealer, event), due: null };
      return { ...atHand(view, event, (hand) => withCard(hand, event)), due: null };
    case "hole-dealt":
      return { ...view, hole: true, due: null };
    case "card-burnt":
      return { ...view, phase: "betting", due: null };
    case "hole-shown":
      return { ...view, hole: false, dealer: withCard(view.dealer, event), due: null };
    case "insurance-offered":
    case "even-money-offered":
      return { ...view, phase: "offers" };
    case "turn-started":
      return { ...view, phase: "decisions", turn: [event.spot, event.hand], options: event.options };
    case "acted":
      return { ...acted(view, event), ...NO_TURN };
    case "crowd-counted":
      return { ...view, tally: event.tally };
    case "hand-ended":
      return atHand(view, event, (hand) => ({ ...hand, ended: event.how }));
    case "round-settled":
      return { ...event.results.reduce(withResult, view), ...NO_TURN, phase: "settled", due: null };
    case "round-voided":
      return { ...view, ...NO_TURN, phase: "voided", bonus: null, due: null };
    default:
      return foldBonus(view, event);
  }
}

function foldBonus(view: TableView, event: TableEvent): TableView {
  switch (event.type) {
    case "bonus-started": {
      const bonus = { spot: event.spot, stage: "wheel", feature: null, tiles: [], cells: [], spins: 0 };
      return { ...view, ...NO_TURN, phase: "bonus", bonus };
    }
    case "table-opened": {
      const { feature, tiles, cells, spins } = event;
      return withBonus(view, { stage: "intro", feature, tiles, cells, spins });
    }
    case "table-entered":
      return withBonus(view, { stage: "table" });
    case "cells-locked": {
      const cells = [...(view.bonus?.cells ?? []), ...event.cells].sort(([one], [other]) => one - other);
      return withBonus(view, { cells, spins: event.spins });
    }
    case "bonus-ended":
      return { ...view, bonus: null };
    default:
      return view;
  }
}

function withBonus(view: TableView, change: Partial<BonusView>): TableView {
  return view.bonus ? { ...view, bonus: { ...view.bonus, ...change } } : view;
}

function withCard(hand: HandView, { card, total, soft }: { card: number; total: number; soft: boolean }): HandView {
  return { ...hand, cards: [...hand.cards, card], total, soft };
}

function atHand(
  view: TableView,
  at: { readonly spot: number; readonly hand: number },
  change: (hand: HandView) => HandView,
): TableView {
  return atSpot(view, at.spot, ({ hands }) => hands.map((hand, index) => (index === at.hand ? change(hand) : hand)));
}

function withResult(view: TableView, { spot, hand, result }: HandResult): TableView {
  return atHand(view, { spot, hand }, (found) => ({ ...found, result }));
}

function acted(view: TableView, event: Acted): TableView {
  const paid = event.free ? "free" : "money";
  if (event.action === "split") return split(view, event.spot, paid);
  if (event.action === "double") return atHand(view, event, (hand) => ({ ...hand, doubled: paid }));
  if (event.action !== "cashback") return view;
  const sold = view.options.find(({ action }) => action === "cashback")?.pays ?? null;
  return atHand(view, event, (hand) => ({ ...hand, sold }));
}

/** A pair becomes two hands of a card each; their second cards come next, or none (MAJ-44). */
function split(view: TableView, at: number, paid: HandView["split"]): TableView {
  return atSpot(view, at, ({ hands: [pair = NO_CARDS] }) =>
    pair.cards.map((card, index) => {
      const [total, soft] = ALONE[card % ALONE.length] ?? [0, false];
      return { ...NO_CARDS, cards: [card], total, soft, split: index ? paid : null };
    }),
  );
}

function atSpot(view: TableView, at: number, hands: (spot: SpotView) => readonly HandView[]): TableView {
  return { ...view, spots: view.spots.map((spot) => (spot.spot === at ? { ...spot, hands: hands(spot) } : spot)) };
}

// Beside the round

/** What everyone sees beside the round after an event; `round` is what they saw of the round before it. */
export function foldLive(live: LiveView, event: TableEvent, round: TableView): LiveView {
  switch (event.type) {
    case "phase-changed":
      return { ...live, phase: event.phase, until: event.until };
    case "table-paused":
      return { ...live, paused: event.reason, until: null };
    case "table-resumed":
      return { ...live, paused: "" };
    case "crowd-counted":
      return { ...live, crowd: event };
    case "settings-changed":
      return { ...live, timers: event.timers ?? live.timers };
    case "turn-started":
    case "acted":
      return { ...live, crowd: { ...live.crowd, tally: [] } };
    case "round-settled":
    case "round-voided":
      return { ...live, crowd: { ...live.crowd, tally: [] }, seats: live.seats.map(over), stakes: [] };
    case "stakes-shown":
      return { ...live, stakes: event.spots };
    case "round-opened": {
      const studio = live.studio && { ...live.studio, commitment: "", salt: "" };
      return { ...live, studio, seats: live.seats.map((seat) => ({ ...over(seat), started: false })), stakes: [] };
    }
    case "betting-closed":
      return { ...live, seats: live.seats.map((seat) => ({ ...seat, started: false, behind: seat.behind_next })) };
    default:
      return foldShoe({ ...live, seats: foldSeats(live, event, round.phase) }, event);
  }
}

function over(seat: SeatView): SeatView {
  return { ...seat, bets: [], behind: seat.behind_next };
}

function foldSeats({ seats, phase: open }: LiveView, event: TableEvent, phase: TableView["phase"]): readonly SeatView[] {
  switch (event.type) {
    case "seat-taken":
      return [...seats.filter(({ spot }) => spot !== event.spot), taken(seats, event)].sort((one, other) => one.spot - other.spot);
    case "seat-left":
      return seats.filter(({ spot }) => spot !== event.spot);
    case "streak-changed":
      return seats.map((seat) => (seat.spot === event.spot ? { ...seat, streak: event.rounds } : seat));
    case "bets-shown": {
      if (isOver({ phase })) return seats;
      const { player, bets } = event;
      const starts = open === "betting"; // at the close all bets are shown, and nobody starts
      return seats.map((seat) => (seat.player === player ? { ...seat, bets, started: seat.started || starts } : seat));
    }
    case "behind-allowed": {
      const { spot, allowed, next_round } = event;
      const waits = next_round && phase === "betting";
      return seats.map((seat) =>
        seat.spot === spot ? { ...seat, behind: waits ? seat.behind : allowed, behind_next: allowed } : seat,
      );
    }
    default:
      return seats;
  }
}

/** A seat as its player finds it, or the same under another name; bets are seen at all seats of a player. */
function taken(seats: readonly SeatView[], { spot, player, name, bot }: SeatTaken): SeatView {
  const own = seats.filter((seat) => seat.player === player);
  const before = own.find((seat) => seat.spot === spot);
  if (before) return { ...before, name, bot };
  const { started = false, bets = [] } = own[0] ?? {};
  return { spot, player, name, streak: 0, behind: true, started, bets, bot, behind_next: true };
}

const NO_STUDIO: StudioView = { presenter: "", late: false, commitment: "", salt: "" };

function withStudio(live: LiveView, changed: Partial<StudioView>): LiveView {
  return { ...live, studio: { ...(live.studio ?? NO_STUDIO), ...changed } };
}

function foldShoe(live: LiveView, event: TableEvent): LiveView {
  const { shoe } = live;
  switch (event.type) {
    case "shoe-committed": {
      const { commitment } = event;
      return { ...live, shoe: { commitment, client_seed: "", seeds: 0, dealt: 0 }, next_commitment: "" };
    }
    case "next-shoe-committed":
      return { ...live, next_commitment: event.commitment };
    case "shoe-seeded": {
      const { client_seed, seeds } = event;
      return shoe ? { ...live, shoe: { ...shoe, client_seed, seeds } } : live;
    }
    case "hand-shoe-changed":
      return { ...live, shoe: { commitment: "", client_seed: "", seeds: 0, dealt: 0 } };
    case "card-corrected":
      return shoe ? { ...live, crowd: { ...live.crowd, tally: [] }, shoe: { ...shoe, dealt: event.dealt } } : live;
    case "presenter-changed":
      return withStudio(live, { presenter: event.name });
    case "dealer-awaited":
      return withStudio(live, { late: event.late });
    case "hole-sealed":
      return withStudio(live, { commitment: event.commitment, salt: "" });
    case "hole-opened":
      return withStudio(live, { salt: event.salt });
    case "card-dealt":
    case "hole-dealt":
    case "card-burnt":
      return shoe ? { ...live, shoe: { ...shoe, dealt: shoe.dealt + 1 } } : live;
    default:
      return live;
  }
}

// A player's own part

/** A player's own part at a live table after a public event; `round` is the view before it. */
export function foldOwn(me: OwnPart, event: TableEvent, round: TableView): OwnPart {
  const { live } = me;
  if (!live) return me;
  switch (event.type) {
    case "round-opened":
      return {
        ...me,
        part: me.balance === null ? null : { balance: me.balance, golden: live.golden, lines: [], offers: [], left: null, declined: [] },
        results: { settled: [], paid: null },
        live: { ...live, bets: [], started: false, wishes: {}, ahead: {}, vote: null },
      };
    case "betting-closed":
      return live.bets.length ? { ...me, last: live.bets } : me;
    case "phase-changed":
      if (event.phase !== "decisions" || !round.turn) return me;
      return { ...me, live: { ...live, ahead: without(live.ahead, round.turn[0]) } };
    case "turn-started":
      return { ...me, live: { ...live, vote: null } };
    case "acted":
      return { ...me, live: { ...live, vote: null, wishes: without(live.wishes, event.spot) } };
    case "round-settled":
    case "round-voided":
      return { ...me, part: null, live: { ...live, bets: [], ahead: {}, vote: null } };
    default:
      return me;
  }
}

function without<T>(all: Readonly<Record<string, T>>, spot: number): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => Number(key) !== spot));
}
