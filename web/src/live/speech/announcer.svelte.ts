/** Says what happens at a live table: to a screen reader, and as the presenter's lines. */

import type { Said } from "../../game/say";
import { speech } from "../../language/speech.svelte";
import type { OwnPart, TableEvent } from "../../wire";
import type { LiveGame } from "../model/live.svelte";
import type { LiveState } from "../model/state";
import { say, type Asked } from "./narration";
import { lineFor, type Line } from "./presenter";

const KEPT_LINES = 80;
/** Seconds before the end of a window at which it is said how many are left. */
const LAST_SECONDS = 5;

export interface SpokenLine extends Line {
  readonly number: number;
}

export class Announcer {
  said = $state.raw<readonly Said[]>([]);
  /** What the presenter says. */
  spoken = $state.raw<SpokenLine | null>(null);
  /** What was decided last, in words. */
  lately = $state("");
  readonly #game: LiveGame;
  /** Whether nothing is said of others (PLT-41). */
  #focused = false;
  #lines = 0;
  /** The end of the window of which it was said that it is near. */
  #warned = 0;

  constructor(game: LiveGame) {
    this.#game = game;
  }

  say(text: string): void {
    this.said = [...this.said.slice(1 - KEPT_LINES), { number: (this.#lines += 1), text }];
  }

  /** MODALITÀ FOCUS is on or off: what was said of others is gone with it. */
  focusOn(on: boolean): void {
    this.#focused = on;
    if (!on) return;
    this.said = [];
    this.spoken = null;
  }

  /** An event is shown; `before` is what the presenter announced last before it. */
  tell(event: TableEvent, shown: LiveState, before: LiveState["announced"]): void {
    const { mine, table } = this.#heardOf(shown);
    const asked = event.type === "turn-started" ? this.#askedFor(shown, event.spot, event.hand) : null;
    const text = say(event, table, speech.texts.at(this.#game.family), mine, asked, this.#game.player);
    if (text) this.say(text);
    if (event.type === "acted") this.lately = text ?? "";
    if (event.type === "round-opened") this.lately = "";
    // Betting opens in the same breath in which shoes are exchanged (FRB-30): that is what the subtitle keeps.
    const same = before === "shoes-exchanged" && event.type === "announced";
    const line = same ? null : lineFor(event, table, mine, this.#game.player);
    if (line) this.spoken = { ...line, number: (this.spoken?.number ?? 0) + 1 };
  }

  /** Say what the player has to do, and how long there is (ASR-51). */
  tellTime(): void {
    const { game, texts } = { game: this.#game, texts: speech.texts };
    const seconds = game.seconds ?? 0;
    if (!seconds || !game.waitsForMe()) return;
    if (game.offers.length) this.say(texts.text("web.live.say.your-insurance"));
    this.say(texts.text(game.betting ? "web.live.say.left" : "web.live.say.have", { seconds }));
  }

  /** Say once that a window is about to close. */
  warn(): void {
    const { table, seconds, window } = this.#game;
    if (!table?.until || !seconds || seconds > LAST_SECONDS || this.#warned === table.until) return;
    this.#warned = table.until;
    if (this.#game.waitsForMe() && seconds < window) this.say(speech.texts.text("web.live.say.left", { seconds }));
  }

  /** Say the player's own results, which come with the own part. */
  tellResults(before: OwnPart, me: OwnPart): void {
    const { family } = this.#game;
    if (!this.#game.table) return;
    const { table } = this.#heardOf(this.#game.table);
    const known = before.results.settled.length;
    for (const settled of me.results.settled.slice(known)) {
      const text = say(settled, table, speech.texts.at(family));
      if (text) this.say(text);
    }
    const { paid } = me.results;
    if (paid && !before.results.paid) this.say(say(paid, table, speech.texts) ?? "");
  }

  /** The places and names that may be spoken of, the player as "you": in focus mode not those of others. */
  #heardOf(table: LiveState): { mine: readonly number[] | null; table: LiveState } {
    const { mine, player } = this.#game;
    const name = speech.texts.text("web.live.say.you");
    const seats = table.seats.map((seat) => (seat.player === player ? { ...seat, name } : seat));
    if (!this.#focused) return { mine: null, table: { ...table, seats } };
    return { mine, table: { ...table, seats: seats.filter((seat) => seat.player === player) } };
  }

  /** What the player does with a hand whose turn begins. */
  #askedFor(table: LiveState, spot: number, hand: number): Asked {
    const found = table.view.spots.find((seen) => seen.spot === spot);
    if (found?.owner === this.#game.player && !(spot in this.#game.part.wishes)) return "turn-own";
    return found?.mode === "vote" && this.#game.hasStake(spot, hand) ? "turn-vote" : null;
  }
}
