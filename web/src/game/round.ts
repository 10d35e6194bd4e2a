/** A round of the history, opened: its hands as they ended, its bets, and everything that happened in words (PLT-21). */

import { GAMES } from "../games";
import type { Bet, BetSettled, HandView, Notice, PlayerPaid, RoundEvent, RoundView, SideBetDecided, TableView } from "../wire";
import type { Catalogue } from "../language/catalogue";
import { combination, ON_HAND } from "./book";
import { DEALER, EMPTY, foldRound } from "./fold";
import { prizeName, sectionName, tileName } from "./say";

export interface Step {
  readonly at: number;
  readonly lines: readonly string[];
  /** What the step did to the player's money at the table. */
  readonly moved: number;
  /** Which of the round's moments it is of; below zero for a notice. */
  readonly moment: number;
}

export interface Opened {
  readonly view: TableView;
  readonly settled: readonly BetSettled[];
  /** What became of the side bets. */
  readonly sides: readonly SideBetDecided[];
  readonly paid: PlayerPaid | null;
  readonly capped: number;
  readonly voided: boolean;
  /** Steps of the bonus, shown apart. */
  readonly bonus: readonly string[];
  readonly steps: readonly Step[];
}

const BONUS: readonly RoundEvent["type"][] = [
  "bonus-started",
  "wheel-stopped",
  "table-opened",
  "table-entered",
  "cells-locked",
  "diamond-won",
  "bonus-ended",
];

/** Endings that are decisions. */
const DECIDED: readonly string[] = ["stood", "doubled", "surrendered", "cashed-back", "even-money"];

/** What a place of a game is called: a hand of one's own, a seat, a box. */
export function placeName(spot: number, game: string, texts: Catalogue): string {
  if (spot === DEALER) return texts.text("table.dealer");
  const kind = !GAMES[game]?.live ? "hand" : game === "freebet" ? "seat" : "box";
  return texts.text(`web.history.${kind}`, { number: spot + 1 });
}

/** The same with the part of a hand that was split. */
export function handOf(spot: number, hand: number, view: TableView, game: string, texts: Catalogue): string {
  const name = placeName(spot, game, texts);
  const hands = view.spots.find((found) => found.spot === spot)?.hands.length ?? 1;
  return hands > 1 ? texts.text("web.history.part", { hand: name, part: hand + 1 }) : name;
}

/** Where a line of the book stood; side bets and insurance are of the whole hand. */
export function lineOf(line: BetSettled, view: TableView, game: string, texts: Catalogue): string {
  return ON_HAND.includes(line.why)
    ? handOf(line.spot, line.hand, view, game, texts)
    : placeName(line.spot, game, texts);
}

/** What became of a bet: of a side bet that has won, with which combination (PLT-70). */
export function resultWords(bet: BetSettled, { sides }: Pick<Opened, "sides">, texts: Catalogue): string {
  const result = texts.named("result", bet.result);
  const won = sides.find(({ spot, kind, pays }) => spot === bet.spot && kind === bet.why && pays > 0);
  if (!won) return result;
  const { category, odds } = combination(won, texts);
  return `${result}: ${category} ${odds}`;
}

/** What the player's own side bets won with, each with its place, for the sum of a round: `Mano 2, 21+3: colore 5 a 1` (PLT-70). */
export function wonWords({ sides, settled }: Pick<Opened, "sides" | "settled">, game: string, texts: Catalogue): readonly string[] {
  const own = sides.filter(({ spot, kind, pays }) => pays > 0 && settled.some((line) => line.spot === spot && line.why === kind));
  return own.map((side) => {
    const { category, odds } = combination(side, texts);
    return `${placeName(side.spot, game, texts)}, ${texts.named("kind", side.kind)}: ${category} ${odds}`;
  });
}

/** How a hand ended or, where that does not say it, what became of it: sold for a price, bust, won (PLT-70). */
export function handWords({ ended, sold }: HandView, result: string | undefined, texts: Catalogue): string {
  if (ended === "cashed-back" && sold != null) return texts.text("web.table.sold", { price: sold });
  if (result && ended !== "bust") return texts.named("result", result);
  return ended ? texts.named("ending", ended) : "";
}

type Noticed = Pick<Notice, "what" | "spot" | "detail" | "amount">;

export function openRound({ line, moments, notices }: RoundView, texts: Catalogue): Opened {
  let view: TableView = EMPTY;
  const settled: BetSettled[] = [];
  const sides: SideBetDecided[] = [];
  const bonus: string[] = [];
  const steps: Step[] = [];
  let paid: PlayerPaid | null = null;
  let capped = 0;
  let voided = line.state === "voided";
  /** An event that has a notice is shown as the notice only. */
  const limited = notices.some(({ what }) => what === "limit-reached");
  for (const [moment, { at, events, moved }] of moments.entries()) {
    const lines: string[] = [];
    for (const event of events) {
      view = foldRound(view, event);
      if (event.type === "bet-settled") settled.push(event);
      if (event.type === "side-bet-decided") sides.push(event);
      if (event.type === "player-paid") paid = event;
      if (event.type === "win-capped") capped += event.amount;
      if (event.type === "round-voided") voided = true;
      if (event.type === "stake-declined" && limited) continue;
      const text = tell(event, view, line.game, texts);
      if (!text) continue;
      lines.push(text);
      if (BONUS.includes(event.type)) bonus.push(text);
    }
    if (lines.length || moved) steps.push({ at, lines, moved, moment });
  }
  for (const notice of notices) {
    const step = { at: notice.at, lines: [noticeText(notice, line.game, texts)], moved: 0, moment: -1 };
    const after = steps.findIndex(({ at }) => at >= notice.at);
    steps.splice(after < 0 ? steps.length : after, 0, step);
  }
  return { view, settled: voided ? [] : settled, sides, paid, capped, voided, bonus, steps };
}

/** What a table did to a player that nobody had asked for, in words: at the table and in the history (PLT-49). */
export function noticeText({ what, spot, detail, amount }: Noticed, game: string, all: Catalogue): string {
  const texts = all.at(game);
  const place = spot < 0 ? "" : placeName(spot, game, texts);
  switch (what) {
    case "decided":
      return texts.text("web.notice.decided", { place, action: texts.named("action", detail) });
    case "not-followed":
      return texts.text("web.notice.not-followed", { place, wanted: texts.label(detail) });
    case "not-covered":
    case "limit-reached": {
      const [wanted = "", done] = detail.split(" ");
      const told = { place, amount, wanted: texts.label(wanted) };
      return done === undefined
        ? texts.text(`web.notice.${what}-single`, told)
        : texts.text(`web.notice.${what}`, { ...told, action: texts.named("action", done) });
    }
    case "bet-returned":
      return texts.text("web.notice.bet-returned", { place, amount, why: texts.named("web.notice.why", detail) });
    case "money-returned":
      return texts.text(detail === "closed" ? "web.notice.money-returned-closed" : "web.notice.money-returned", { amount });
    default:
      return texts.text(`web.notice.${what}`, { place, amount });
  }
}

/** One event in words; empty for what another one says already. */
export function tell(event: RoundEvent, view: TableView, game: string, texts: Catalogue): string {
  const hand = (spot: number, part = 0) => handOf(spot, part, view, game, texts);
  switch (event.type) {
    case "bets-placed":
      return event.bets.length
        ? texts.text("web.step.bets-placed", { bets: event.bets.map((bet) => betText(bet, game, texts)).join("; ") })
        : texts.text("web.step.bets-none");
    case "bet-returned":
      return texts.text("web.step.bet-returned", { bet: betText(event.bet, game, texts) });
    case "betting-closed":
      return texts.text("web.step.betting-closed", { spots: event.spots.length });
    case "card-burnt":
    case "hole-dealt":
    case "cut-card-shown":
    case "insurance-offered":
      return texts.text(`web.step.${event.type}`);
    case "card-dealt":
      return texts.text("web.step.card-dealt", {
        hand: hand(event.spot, event.hand),
        card: texts.card(event.card),
        total: texts.total(event.total, event.soft),
      });
    case "hole-shown":
      return texts.text("web.step.hole-shown", {
        card: texts.card(event.card),
        total: texts.total(event.total, event.soft),
      });
    case "side-bet-decided":
      return texts.text(event.category ? "web.step.side-won" : "web.step.side-lost", {
        hand: placeName(event.spot, game, texts),
        kind: texts.named("kind", event.kind),
        category: texts.named("category", event.category),
        pays: event.pays,
      });
    case "even-money-offered":
      return texts.text("web.step.even-money-offered", { hand: hand(event.spot) });
    case "insured":
      return texts.text(event.accepted ? "web.step.insured" : "web.step.not-insured", {
        hand: hand(event.spot),
        cost: event.cost,
      });
    case "even-money-answered":
      return texts.text(event.accepted ? "web.step.even-money-taken" : "web.step.even-money-refused", {
        hand: hand(event.spot),
      });
    case "peeked":
      return texts.text(event.blackjack ? "web.step.peeked-blackjack" : "web.step.peeked");
    case "vote-cast":
      return texts.text("web.step.vote-cast", {
        hand: hand(event.spot, event.hand),
        action: texts.named("action", event.action),
      });
    case "acted":
      return texts.text(event.free ? "web.step.acted-free" : "web.step.acted", {
        hand: hand(event.spot, event.hand),
        action: texts.named("acted", event.action),
      });
    case "stake-added":
      return texts.text(event.stake.free ? "web.step.stake-free" : "web.step.stake-added", {
        hand: hand(event.spot, event.hand),
        stake: event.stake.free || event.stake.own + golden(event.stake.golden),
      });
    case "hand-ended":
      // What a decision did by itself was told with it.
      if (DECIDED.includes(event.how)) return "";
      return texts.text("web.step.hand-ended", {
        hand: hand(event.spot, event.hand),
        ending: texts.named("ending", event.how),
      });
    case "bonus-started":
      return texts.text("web.step.bonus-started", { hand: hand(event.spot) });
    case "wheel-stopped":
      return texts.text("web.step.wheel-stopped", { section: sectionName(event.section, texts) });
    case "table-opened":
      return texts.text("web.step.table-opened", {
        feature: texts.named("bonus", event.feature),
        cells: prizes(event.cells, texts),
        tiles: event.tiles.map((tile) => tileName(tile, texts)).join(" "),
      });
    case "table-entered":
      return texts.text("web.step.table-entered", { spins: view.bonus?.spins ?? 0 });
    case "cells-locked":
      return event.cells.length
        ? texts.text("web.step.cells-locked", { cells: prizes(event.cells, texts), spins: event.spins })
        : texts.text("web.step.cells-none", { spins: event.spins });
    case "diamond-won":
      return texts.text("web.step.diamond-won", { prize: event.prize.toUpperCase(), pays: event.pays });
    case "bonus-ended":
      return texts.text("web.step.bonus-ended", { pays: event.pays });
    case "dealer-ended":
      if (event.blackjack) return texts.text("web.step.dealer-blackjack");
      return texts.text(event.bust ? "web.step.dealer-bust" : "web.step.dealer-ended", { total: event.total });
    case "win-capped":
      return texts.text("web.step.win-capped", { max_win: event.max_win, amount: event.amount });
    case "player-paid":
      return texts.text("web.step.player-paid", { staked: event.staked, paid: event.paid });
    case "round-voided":
      return texts.text("web.step.round-voided");
    case "money-added":
      return texts.text("web.step.money-added", { amount: event.amount });
    case "loss-bounded":
      return texts.text("web.step.loss-bounded", { left: event.left });
    case "stake-declined":
      return texts.text("web.step.stake-declined", { action: texts.label(event.why === "split" ? "split" : "double"), cost: event.cost });
    case "consent-given": {
      const answer = event.double ? (event.split ? "both" : "double") : event.split ? "split" : "none";
      return texts.text("web.step.consent-given", { answer: texts.text(`web.step.consent-${answer}`) });
    }
    default:
      return "";
  }
}

function betText(bet: Bet, game: string, texts: Catalogue): string {
  return texts.text("web.step.bet", {
    place: placeName(bet.spot, game, texts),
    kind: texts.named("kind", bet.kind),
    stake: texts.amount(bet.stake + golden(bet.golden)),
  });
}

function golden(chips: readonly number[]): number {
  return chips.reduce((sum, chip) => sum + chip, 0);
}

function prizes(cells: readonly (readonly [number, number])[], texts: Catalogue): string {
  return cells.map(([, multiple]) => prizeName(multiple, texts)).join(" ");
}

/** What stood on a line: own money, golden chips, a free bet. */
export function stakeText(stake: BetSettled["stake"], texts: Catalogue): string {
  if (stake.free && !stake.own) return texts.text("web.history.free-stake", { free: texts.amount(stake.free) });
  if (!stake.golden.length) return texts.amount(stake.own);
  return texts.text("web.history.golden-stake", {
    own: texts.amount(stake.own),
    golden: texts.amount(golden(stake.golden)),
  });
}

export function isEmpty(hand: HandView): boolean {
  return hand.cards.length === 0;
}
