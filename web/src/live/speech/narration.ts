/** What the live region says at a live table: what happens in the round, and what happens around it (ASR-51). */

import type { Catalogue } from "../../language/catalogue";
import { familyOf } from "../../game/lineup";
import { say as sayOfRound, turnWords, type Naming } from "../../game/say";
import { DEALER } from "../../game/table";
import type { TableEvent } from "../../wire";
import { lineFor, words } from "./presenter";
import type { LiveState } from "../model/state";

/** `Posto 3, ada`, `Postazione 1, parte 2`, `Banco`. */
export function placeName(table: LiveState, spot: number, hand: number, texts: Catalogue): string {
  if (spot === DEALER) return texts.text("table.dealer");
  const boxes = familyOf(table.game) === "majority";
  const number = spot + 1;
  const name = table.seats.find((seat) => seat.spot === spot)?.name;
  const place = boxes
    ? texts.text("web.live.box", { number })
    : name
      ? texts.text("web.live.seat-of", { number, name })
      : texts.text("web.live.seat", { number });
  const divided = (table.view.spots.find((seen) => seen.spot === spot)?.hands.length ?? 1) > 1;
  return divided ? texts.text("web.live.part", { place, part: hand + 1 }) : place;
}

/** What the table waits for the dealer to do, in words; null where it waits for nothing of the kind. */
export function dueWords(table: LiveState, texts: Catalogue): string | null {
  const { due } = table.view;
  if (!due || table.paused) return null;
  if (due.what !== "card") return texts.text(`web.studio.due.${due.what}`);
  if (due.spot === DEALER) return texts.text("web.studio.due.dealer");
  return texts.text("web.studio.due.card", { place: placeName(table, due.spot, due.hand, texts) });
}

/** Whether an event is of a place without money of the player. */
function isOthers(event: TableEvent, mine: readonly number[]): boolean {
  return "spot" in event && event.spot !== null && event.spot !== DEALER && !mine.includes(event.spot);
}

/** What the player does with the hand in turn: nothing, if it is another's. */
export type Asked = "turn-own" | "turn-vote" | null;

const TOLD: readonly string[] = ["stood", "doubled"];

/** The line for an event, as `player` hears it; in focus mode only of `mine`, the places with money of the player (PLT-41). */
export function say(
  event: TableEvent,
  table: LiveState,
  texts: Catalogue,
  mine: readonly number[] | null = null,
  asked: Asked = null,
  player: string | null = null,
): string | null {
  if (mine && isOthers(event, mine)) return null;
  switch (event.type) {
    case "seat-taken":
      return event.player === player
        ? texts.text("web.live.say.seat-own", { number: event.spot + 1 })
        : texts.text("web.live.say.seat-taken", { number: event.spot + 1, name: event.name });
    case "seat-left":
      return texts.text("web.live.say.seat-left", { number: event.spot + 1 });
    case "insurance-offered":
    case "peeked":
    case "announced":
    case "card-corrected":
    case "hand-shoe-changed":
    case "presenter-changed":
    case "table-paused":
    case "table-resumed":
    case "round-voided": {
      const line = lineFor(event, table);
      return line ? words(line, texts) : sayOfRound(event, table.view, texts);
    }
    case "dealer-awaited":
      return event.late ? [texts.text("web.studio.late"), dueWords(table, texts)].filter(Boolean).join(". ") : null;
    case "turn-started": {
      const mode = table.view.spots.find(({ spot }) => spot === event.spot)?.mode;
      const line = mode === "best-strategy" ? lineFor(event, table, mine) : null;
      if (line) return words(line, texts);
      // What may be done is said to the one who may.
      const told = turnWords(event, table.view, texts, namesAt(table));
      return texts.text(asked ? `web.live.say.${asked}` : "web.say.turn-other", told);
    }
    case "acted": {
      const line = lineFor(event, table, mine);
      if (line) return words(line, texts);
      const place = placeName(table, event.spot, event.hand, texts);
      return texts.text("web.live.say.acted", { place, action: texts.named("acted", event.action) });
    }
    case "hand-ended":
      // That a hand stands or was doubled was said with the decision.
      return TOLD.includes(event.how) ? null : sayOfRound(event, table.view, texts, namesAt(table));
    default:
      return sayOfRound(event, table.view, texts, namesAt(table));
  }
}

function namesAt(table: LiveState): Naming {
  return (spot, hand, _, texts) => placeName(table, spot, hand, texts);
}
