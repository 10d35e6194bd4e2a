/** The player's chips at a live table: put down and taken back on the page, and placed with the house as they lie. */

import { prefs } from "../../house/prefs.svelte";
import { speech } from "../../language/speech.svelte";
import type { Bet, Failure } from "../../wire";
import type { Bounds } from "../../table/betting/check";
import { usualChip } from "../../table/chips";
import type { LiveGame } from "./live.svelte";
import * as chips from "./piles";

/** A message at places for chips: that no more go there. */
export interface Notice {
  readonly at: readonly string[];
  readonly failure: Failure;
}

type Change = (slip: chips.Slip, bounds: Bounds) => chips.Change;

export class LiveBets {
  slip = $state.raw<chips.Slip>(chips.NO_CHIPS);
  /** The chip that was chosen last. */
  #chosen = $state.raw<chips.Chip>({ value: 0, golden: false });
  /** Whether bets are on their way to the house. */
  placing = $state(false);
  notice = $state.raw<Notice | null>(null);
  /** The player's first bet behind, until it is said which doubles and splits it follows (FRB-43). */
  held = $state.raw<Change | null>(null);
  readonly #game: LiveGame;
  /** The bets that the house has. */
  readonly #placed: () => readonly Bet[];
  /** Places these bets; gives the refusal, if any. */
  readonly #place: (bets: readonly Bet[], round: string) => Promise<Failure | null>;
  #syncing: Promise<void> | null = null;
  #refused = "";

  constructor(
    game: LiveGame,
    placed: () => readonly Bet[],
    place: (bets: readonly Bet[], round: string) => Promise<Failure | null>,
  ) {
    this.#game = game;
    this.#placed = placed;
    this.#place = place;
  }

  readonly piles = $derived(chips.piles(this.slip));

  /** The chip in hand: the one that was chosen, if it is still there. */
  get chip(): chips.Chip {
    const options = this.#game.table?.options;
    if (!options || this.#chosen.golden || options.chips.includes(this.#chosen.value)) return this.#chosen;
    return { value: usualChip(options), golden: false };
  }

  set chip(chip: chips.Chip) {
    this.#chosen = chip;
  }

  /** The stakes that lie there, in all. */
  get cost(): number {
    return chips.cost(this.piles, this.#game.own);
  }

  /** The stakes after a change, in all; null if it cannot be made. */
  costOf(change: Change): number | null {
    const { betting, bounds, own } = this.#game;
    const after = betting && bounds ? change(this.slip, bounds) : null;
    return after && "slip" in after ? chips.cost(chips.piles(after.slip), own) : null;
  }

  change(change: Change): boolean {
    const { betting, bounds } = this.#game;
    if (!betting || !bounds) return false;
    const after = change(this.slip, bounds);
    if ("failure" in after) {
      if (after.at.length) this.notice = after;
      this.#game.fail(after.failure);
      return false;
    }
    if (after.slip === this.slip) return false;
    if (!prefs.settings.follow_asked && Object.keys(chips.piles(after.slip)).some((at) => at.endsWith("/behind"))) {
      this.held = change;
      return false;
    }
    this.#put(after.slip);
    this.#game.onshow({ type: "chip-placed" });
    return true;
  }

  /** Place the bet that waited for an answer. */
  goOn(): void {
    const { held } = this;
    this.held = null;
    if (!this.#game.betting) this.#game.fail({ code: "bet/late", params: {} });
    else if (held) this.change(held);
  }

  /** Put the chip in hand on places, all or none. */
  press(at: readonly string[]): void {
    this.change((slip, bounds) => chips.press(slip, at, this.chip, bounds));
  }

  repeat = (slip: chips.Slip, bounds: Bounds): chips.Change =>
    chips.repeat(slip, bounds, (spot, kind) => this.#game.isOpen(spot, kind));

  /** The last bets; on chips, twice as many (PLT-45). */
  repeatOrDouble(): void {
    if (this.slip.placings.length) this.change(chips.double);
    else if (Object.keys(this.slip.last).length) this.change(this.repeat);
  }

  undo(): void {
    if (this.#game.betting && this.slip.placings.length) this.#put(chips.undo(this.slip));
  }

  clear(): void {
    if (this.#game.betting && this.slip.placings.length) this.#put(chips.clear(this.slip));
  }

  /** RIPETI repeats the bets that stood when betting closed. */
  close(bets: readonly Bet[]): void {
    this.slip = chips.closed(this.slip, bets, this.#game.own);
  }

  /** Another phase: what was refused in the last one may be placed now. */
  begin(): void {
    this.notice = null;
    this.#refused = "";
    this.compare();
  }

  /** What the house has may differ from what lies there: placed elsewhere, given back, or for a seat more. */
  compare(): void {
    const { table, own } = this.#game;
    if (this.#syncing || table?.phase !== "betting") return;
    if (chips.same(chips.bets(this.slip, own), this.#placed())) return;
    this.slip = chips.adopt(this.slip, this.#placed(), own);
    void this.sync();
  }

  /** Ask for the bets that lie there, one set at a time: those placed meanwhile go with the next. */
  sync(): Promise<void> {
    this.placing = true;
    this.#syncing ??= this.#placeBets().finally(() => {
      this.#syncing = null;
      this.placing = false;
    });
    return this.#syncing;
  }

  #put(slip: chips.Slip): void {
    this.slip = slip;
    this.#game.announcer.say(speech.texts.text("web.say.staked", { total: this.#game.staked }));
    this.#game.failure = null;
    this.notice = null;
    this.#refused = "";
    void this.sync();
  }

  async #placeBets(): Promise<void> {
    for (let asked = ""; ; ) {
      const { table, own } = this.#game;
      const bets = chips.bets(this.slip, own);
      const written = JSON.stringify(bets);
      if (chips.same(bets, this.#placed()) || written === asked || written === this.#refused || !table) return;
      asked = written;
      const failure = await this.#place(bets, table.round);
      if (!failure) continue;
      this.#refused = written;
      this.slip = chips.adopt(this.slip, this.#placed(), this.#game.own);
      this.#game.fail(failure);
      return;
    }
  }
}
