/** What the live region says of an event; null for what is not said (ASR-51). */

import type { BetSettled, TableEvent, TableView, TurnStarted } from "../wire";
import type { Catalogue, Params } from "../language/catalogue";
import { DEALER } from "./table";
import type { Section } from "../solo/bonus/wheel";

/** A line of the live region. */
export interface Said {
  readonly number: number;
  readonly text: string;
}

/** How a hand is called; a live table calls it otherwise. */
export type Naming = (spot: number, hand: number, view: TableView, texts: Catalogue) => string;

export function say(event: TableEvent, view: TableView, texts: Catalogue, name: Naming = handName): string | null {
  switch (event.type) {
    case "card-dealt":
      return texts.text("web.say.dealt", {
        hand: name(event.spot, event.hand, view, texts),
        card: texts.card(event.card),
        total: texts.total(event.total, event.soft),
      });
    case "hole-dealt":
      return texts.text("web.say.hole");
    case "hole-shown":
      return texts.text("web.say.shown", {
        card: texts.card(event.card),
        total: texts.total(event.total, event.soft),
      });
    case "peeked":
      return texts.text(event.blackjack ? "web.say.peeked-blackjack" : "web.say.peeked");
    case "insurance-offered":
      return texts.text("web.insurance-ask", { number: (event.spot ?? 0) + 1, cost: event.cost });
    case "even-money-offered":
      return texts.text("web.even-money-ask", { number: event.spot + 1 });
    case "insured":
      return event.accepted ? texts.text("web.say.insured", { number: event.spot + 1, cost: event.cost }) : null;
    case "bonus-started":
      return texts.text("bonus.started", { hand: name(event.spot, 0, view, texts) });
    case "wheel-stopped":
      return texts.text("bonus.wheel", { section: sectionName(event.section, texts) });
    case "table-opened": {
      const opened = texts.text("bonus.opened", { feature: sectionName(event.feature as Section, texts) });
      const tiles = event.tiles.map((tile) => tileName(tile, texts)).join(", ");
      const prizes = event.cells.map(([, prize]) => prizeName(prize, texts)).join(", ");
      return `${opened} ${texts.text("web.bonus.start", { tiles, prizes })} ${texts.text("bonus.spins", { spins: event.spins })}.`;
    }
    case "cells-locked": {
      const { cells, spins } = event;
      if (!cells.length) return texts.text("bonus.nothing", { spins });
      const prizes = cells.map(([, prize]) => prizeName(prize, texts)).join(", ");
      return `${texts.text("bonus.locked", { count: cells.length, spins })} ${prizes}.`;
    }
    case "diamond-won":
      return texts.text("bonus.diamond", {
        block: event.block + 1,
        prize: event.prize.toUpperCase(),
        pays: event.pays,
      });
    case "win-capped":
      return texts.text("web.say.capped", { maximum: event.max_win, amount: event.amount });
    case "side-bet-decided":
      if (!event.category) return null;
      return texts.text("web.say.side-won", {
        hand: name(event.spot, 0, view, texts),
        kind: texts.named("kind", event.kind),
        category: texts.named("category", event.category),
        pays: event.pays,
      });
    case "turn-started":
      return texts.text("web.say.turn", turnWords(event, view, texts, name));
    case "hand-ended":
      return texts.text("web.say.ended", {
        hand: name(event.spot, event.hand, view, texts),
        ending: texts.named("ending", event.how),
      });
    case "dealer-ended":
      if (event.blackjack) return texts.text("web.step.dealer-blackjack");
      return texts.text(event.bust ? "web.say.dealer-bust" : "web.say.dealer-ended", { total: event.total });
    case "bet-settled":
      return texts.text("web.say.bet", {
        hand: name(event.spot, event.hand, view, texts),
        kind: lineName(event, view, texts),
        result: texts.named("result", event.result),
        paid: event.paid,
      });
    case "player-paid":
      return texts.text("web.say.sum", { staked: event.staked, paid: event.paid, balance: event.balance });
    case "round-voided":
      return texts.text("web.voided");
    default:
      return null;
  }
}

/** The hand in turn, what it counts, and what may be done with it. */
export function turnWords(event: TurnStarted, view: TableView, texts: Catalogue, name: Naming): Params {
  const hand = view.spots.find(({ spot }) => spot === event.spot)?.hands[event.hand];
  const actions = event.options.filter(({ unavailable }) => unavailable === null);
  return {
    hand: name(event.spot, event.hand, view, texts),
    total: texts.total(hand?.total ?? 0, hand?.soft ?? false),
    actions: actions.map(({ action }) => texts.named("action", action)).join(", "),
  };
}

/** `Mano 2`, `Mano 2, parte 1`, `Banco`. */
export function handName(spot: number, hand: number, view: TableView, texts: Catalogue): string {
  if (spot === DEALER) return texts.text("table.dealer");
  const number = spot + 1;
  const divided = (view.spots.find((seen) => seen.spot === spot)?.hands.length ?? 1) > 1;
  return divided
    ? texts.text("web.say.split-hand", { number, part: hand + 1 })
    : texts.text("web.say.hand", { number });
}

/** What a section of the wheel is called: `X10`, `LINK`. */
export function sectionName(section: Section, texts: Catalogue): string {
  return typeof section === "number"
    ? texts.text("web.bonus.multiplier", { times: section })
    : texts.text(`bonus.${section}`);
}

/** What a tile below a bonus table is called: `X3`, or a diamond. */
export function tileName(tile: number | "diamond", texts: Catalogue): string {
  return tile === "diamond" ? texts.text("web.bonus.diamond") : texts.text("web.bonus.multiplier", { times: tile });
}

/** A prize on a cell: `5X`. */
export function prizeName(prize: number, texts: Catalogue): string {
  return texts.text("web.bonus.prize", { times: prize });
}

/** Whether a player's line was behind the seat of another, who decided for it. */
export function isBehind({ spot, player }: Pick<BetSettled, "spot" | "player">, view: TableView): boolean {
  const owner = view.spots.find((seen) => seen.spot === spot)?.owner ?? null;
  return owner !== null && owner !== player;
}

/** The name of a settled line: a bet behind is called one, a line of the own seat is `betName`. */
export function lineName(line: BetSettled, view: TableView, texts: Catalogue): string {
  return line.why === "initial" && isBehind(line, view) ? texts.text("kind.behind") : betName(line.why, texts);
}

/** The name of a line of the book: the main bet, what a double or split added, insurance, a side bet. */
export function betName(why: string, texts: Catalogue): string {
  if (why === "initial" || why === "main") return texts.text("kind.main");
  if (why === "double" || why === "split") return texts.named("action", why);
  return texts.named("kind", why);
}
