/** What the presenter says: of announcements, and of what happens at the table. The words are in the catalogues. And how cards are dealt. */

import { GAMES } from "../../games";
import type { Acted, TableEvent } from "../../wire";
import type { Catalogue } from "../../language/catalogue";
import type { Key } from "../../texts";
import type { LiveState } from "../model/state";

export interface Line {
  readonly key: Key;
  readonly params: Readonly<Record<string, unknown>>;
}

type Says<Word extends string> = Word extends `web.live.says.${infer Rest}` ? Rest : never;

function line(word: Says<Key>, params: Line["params"] = {}): Line {
  return { key: `web.live.says.${word}`, params };
}

/** A line in the words of a language. */
export function words({ key, params }: Line, texts: Catalogue): string {
  const { action } = params;
  if (typeof action !== "string") return texts.text(key, params);
  // What the best table says is an order, what a vote has decided is told.
  const how = key === "web.live.says.vote-won" ? "acted" : "action";
  return texts.text(key, { ...params, action: texts.named(how, action) });
}

/**
 * The line for an event that was just shown; null where there is nothing to say. In focus mode that is of `mine`, the
 * places with money of the player, and not of others or of how they vote (PLT-41). `player` is spoken to as "you".
 */
export function lineFor(
  event: TableEvent,
  table: LiveState,
  mine: readonly number[] | null = null,
  player: string | null = null,
): Line | null {
  switch (event.type) {
    case "announced":
      return line(event.what);
    case "insurance-offered":
      return line("insurance");
    case "turn-started":
      return mine?.includes(event.spot) === false ? null : turn(event.spot, table, player);
    case "acted":
      return mine ? null : boxActed(event, table);
    case "peeked":
      return event.blackjack ? null : line("no-blackjack");
    case "dealer-ended":
      if (event.blackjack) return line("dealer-blackjack");
      if (event.total === 22 && GAMES[table.game]?.dealer22Pushes) return line("dealer-22");
      if (event.bust) return line("dealer-bust", { total: event.total });
      return line("dealer-total", { total: event.total });
    case "card-corrected":
      return line("corrected");
    case "hand-shoe-changed":
      return line("shoe-changed");
    case "presenter-changed":
      return event.name ? line("presenter", { name: event.name }) : null;
    case "table-paused":
      return line("paused");
    case "table-resumed":
      return line("resumed");
    case "round-voided":
      return line("voided");
    default:
      return null;
  }
}

function turn(spot: number, table: LiveState, player: string | null): Line | null {
  const mode = table.view.spots.find((found) => found.spot === spot)?.mode;
  if (mode === "vote") return line("vote", { number: spot + 1 });
  if (mode === "best-strategy") return line("best", { number: spot + 1 });
  const seat = table.seats.find((taken) => taken.spot === spot);
  if (!seat?.name) return null;
  return seat.player === player ? line("turn-you") : line("turn", { name: seat.name });
}

/** How a box came to its move: by its votes, or by the best table where they were equal or none. */
function boxActed({ spot, action, tally }: Acted, table: LiveState): Line | null {
  const mode = table.view.spots.find((found) => found.spot === spot)?.mode;
  if (mode !== "vote") return null;
  const total = tally.reduce((sum, [, votes]) => sum + votes, 0);
  if (!total) return line("vote-silent", { number: spot + 1, action });
  const most = Math.max(...tally.map(([, votes]) => votes));
  if (tally.filter(([, votes]) => votes === most).length > 1) return line("vote-tied", { number: spot + 1, action });
  return line("vote-won", { number: spot + 1, action, votes: most, total });
}

/** How the arm moves that deals: to the shoe at the right, with a card to its place (-1 is the left end of the table, 1 the right one), and back. */
export function gesture(toward: number): Keyframe[] {
  return [
    { transform: "none" },
    { transform: "translate(54px, -12px) rotate(9deg)", offset: 0.28 },
    { transform: `translate(${-26 + 74 * toward}px, 20px) rotate(${-8 - 9 * toward}deg)`, offset: 0.66 },
    { transform: "none" },
  ];
}
