/**
 * A game being played: the table as it is shown, the player's own part, the chips, and the line to the house. What the
 * house tells is shown event by event, at a pace a person can follow, or at once where motion is not wanted.
 */

import type { Failure, Frame, Me, OfferView, Told } from "../wire";
import { say } from "./say";
import * as chips from "./slip";
import { Line, type Question, type Surroundings } from "./socket";
import { speech } from "./speech.svelte";
import { fold, fromSnapshot, head, order, withResults, type Table } from "./table";
import type { TableEvent } from "../wire";

type Heard = Exclude<Told, { type: "answer" }> | Frame;

/** How long an event stands before the next is shown, in milliseconds. */
const PACE: Partial<Record<TableEvent["type"], number>> = {
  "card-dealt": 280,
  "hole-dealt": 280,
  "hole-shown": 480,
  peeked: 500,
  "hand-ended": 220,
};
/** Lines the live region keeps. */
const KEPT_LINES = 40;

export interface Said {
  readonly number: number;
  readonly text: string;
}

/** The time, and the wish for motion, as the page has them. */
export interface Stage extends Surroundings {
  /** Whether the player wants things to move. */
  moves(): boolean;
  now(): number;
  newSeed(): string;
}

export class Game {
  table = $state.raw<Table | null>(null);
  me = $state.raw<Me | null>(null);
  slip = $state.raw<chips.Slip>(chips.NO_CHIPS);
  /** The chip in hand. */
  chip = $state(0);
  connected = $state(false);
  /** Whether a question is on its way. */
  asking = $state(false);
  /** Whether something told is still to be shown. */
  showing = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Whether insurance is to be offered (SUR-06): for this play session. */
  insurance = $state(true);
  said = $state.raw<readonly Said[]>([]);
  /** When the play session began. */
  since = $state(0);
  /** Whether the last round's cards have been taken off the table for new bets. */
  swept = $state(false);

  readonly #stage: Stage;
  readonly #line: Line;
  readonly #queue: (() => number)[] = [];
  /** The newest state, ahead of what is shown: what frames are put in order by. */
  #newest: Table | null = null;
  #lines = 0;

  constructor(game: string, currency: "EUR" | "FUN", stage: Stage, since: number) {
    this.#stage = stage;
    this.since = since;
    const listener = {
      told: (message: Heard) => this.#hear(message),
      line: (open: boolean) => {
        this.connected = open;
      },
      place: () => this.#newest && { table: this.#newest.name, epoch: this.#newest.epoch, seq: this.#newest.seq },
    };
    this.#line = new Line(game, currency, listener, stage);
  }

  // What is there

  /** Whether chips may be placed. */
  readonly betting = $derived(this.#isBetting());
  readonly bounds = $derived.by((): chips.Bounds | null => {
    const { table, me } = this;
    if (!table || !me) return null;
    return { balance: me.balance ?? 0, options: table.options, limit: table.limits.find(({ name }) => name === me.limits) };
  });
  /** The question put to the player now. */
  readonly offer = $derived.by((): OfferView | null => {
    if (this.showing || this.table?.view.phase !== "offers") return null;
    return this.me?.part?.offers[0] ?? null;
  });
  /** What stands on the table: chips before the deal, then the stakes of the round. */
  readonly staked = $derived.by(() => {
    if (this.betting) return chips.total(chips.stakes(this.slip));
    return this.me?.part?.lines.reduce((sum, { stake }) => sum + stake.own, 0) ?? 0;
  });
  /** What the sitting has won or lost, what is on the table counted as the player's. */
  readonly net = $derived.by(() => {
    if (this.me?.balance == null) return 0;
    return this.me.balance + (this.betting ? 0 : this.staked) - this.me.brought;
  });

  /** Whether a place takes the chip in hand, a button would be taken, and so on: all look at the same checks. */
  can(change: (slip: chips.Slip, bounds: chips.Bounds) => chips.Change): boolean {
    return this.betting && this.bounds !== null && "slip" in change(this.slip, this.bounds);
  }

  // Chips

  change(change: (slip: chips.Slip, bounds: chips.Bounds) => chips.Change): boolean {
    if (!this.betting || !this.bounds) return false;
    const after = change(this.slip, this.bounds);
    if ("failure" in after) {
      this.failure = after.failure;
      return false;
    }
    this.#put(after.slip);
    return true;
  }

  press(spot: number, kind: string): void {
    this.change((slip, bounds) => chips.press(slip, spot, kind, this.chip, bounds));
  }

  undo(): void {
    if (this.betting) this.#put(chips.undo(this.slip));
  }

  clear(): void {
    if (this.betting) this.#put(chips.clear(this.slip));
  }

  #put(slip: chips.Slip): void {
    this.slip = slip;
    this.failure = null;
    this.swept = true;
  }

  // Questions

  async deal(): Promise<void> {
    const { table } = this;
    if (!table || !this.betting) return;
    const bets = chips.bets(this.slip);
    const before = this.slip;
    const failure = await this.#ask({
      type: "deal",
      table: table.name,
      bets,
      client_seed: this.#stage.newSeed(),
      insurance: this.insurance,
    });
    if (!failure && this.slip === before) this.slip = chips.dealt(bets);
  }

  /** The last stakes again, `times` as much, and dealt. */
  async repeatAndDeal(times: number): Promise<void> {
    if (this.change((slip, bounds) => chips.repeat(slip, times, bounds))) await this.deal();
  }

  async decide(type: "hit" | "stand" | "double" | "split" | "surrender"): Promise<void> {
    const { table } = this;
    if (!table?.view.turn || this.showing) return;
    const [spot, hand] = table.view.turn;
    await this.#ask({ type, table: table.name, round: table.round, turn: table.turn, spot, hand });
  }

  /** Answer the insurance question: for its hand, or for all not yet asked. */
  async insure(accept: boolean, all: boolean): Promise<void> {
    const { table, offer } = this;
    if (!table || !offer) return;
    const spot = all ? null : offer.spot;
    await this.#ask({ type: "insure", table: table.name, round: table.round, turn: table.turn, accept, spot });
  }

  async sit(amount: number): Promise<void> {
    if (this.table) await this.#ask({ type: "sit", table: this.table.name, amount });
  }

  async addMoney(amount: number): Promise<void> {
    if (this.table) await this.#ask({ type: "add-money", table: this.table.name, amount });
  }

  async leave(): Promise<void> {
    if (this.table) await this.#ask({ type: "leave", table: this.table.name });
  }

  async chooseLimits(limits: string): Promise<void> {
    if (!this.table) return;
    const failure = await this.#ask({ type: "choose-limits", table: this.table.name, limits });
    if (!failure) this.slip = chips.clear(this.slip);
  }

  stop(): void {
    this.#line.stop();
  }

  /** One question at a time. */
  async #ask(question: Question): Promise<Failure | null> {
    if (this.asking) return null;
    this.asking = true;
    this.failure = null;
    const failure = await this.#line.ask(question);
    this.asking = false;
    this.failure = failure;
    return failure;
  }

  // Hearing

  #hear(message: Heard): void {
    if (!("type" in message)) {
      this.#hearFrame(message);
      return;
    }
    switch (message.type) {
      case "snapshot":
        this.#newest = fromSnapshot(message);
        this.#queue.length = 0;
        this.#show(() => {
          this.table = fromSnapshot(message);
          this.chip ||= message.options.chips[0] ?? 0;
          return 0;
        });
        break;
      case "me":
        this.#show(() => {
          this.me = message;
          if (this.table) this.table = withResults(this.table, message.results);
          return 0;
        });
        break;
      case "closed":
        this.#newest = null;
        this.#line.reopen();
        break;
    }
  }

  #hearFrame(frame: Frame): void {
    const newest = this.#newest;
    if (newest?.name !== frame.table) return;
    const place = order(newest, frame);
    if (place === "gap") this.#line.reopen();
    if (place !== "next") return;
    this.#newest = head(newest, frame);
    this.#show(() => {
      if (this.table) this.table = head(this.table, frame);
      return 0;
    });
    for (const event of frame.events) this.#show(() => this.#showEvent(event));
  }

  #showEvent(event: TableEvent): number {
    if (!this.table) return 0;
    this.table = fold(this.table, event);
    if (event.type === "round-opened") this.swept = false;
    const text = say(event, this.table.view, speech.texts);
    if (text) this.said = [...this.said.slice(1 - KEPT_LINES), { number: (this.#lines += 1), text }];
    return this.#stage.moves() ? (PACE[event.type] ?? 0) : 0;
  }

  #show(step: () => number): void {
    this.#queue.push(step);
    if (!this.showing) this.#go();
  }

  #go(): void {
    this.showing = true;
    for (let step = this.#queue.shift(); step; step = this.#queue.shift()) {
      const pause = step();
      if (pause) {
        this.#stage.later(() => this.#go(), pause);
        return;
      }
    }
    this.showing = false;
  }

  #isBetting(): boolean {
    const phase = this.table?.view.phase;
    return (
      !this.showing && this.me?.balance != null && (phase === "betting" || phase === "settled" || phase === "voided")
    );
  }
}
