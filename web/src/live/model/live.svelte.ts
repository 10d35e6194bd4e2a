/**
 * A live game: the table on the screen, the player's own part, the chips, the chat, and the connection to the house.
 * Frames are shown card by card at the dealer's pace; late ones at once.
 */

import { GAMES } from "../../games";
import { ON_HAND } from "../../game/book";
import { foldOwn } from "../../game/fold";
import { familyOf } from "../../game/lineup";
import { Playback } from "../../game/playback";
import { DEALER } from "../../game/table";
import type { Said } from "../../game/say";
import type { Stage } from "../../net/stage";
import { Line, RETURNED, type Heard, type Question } from "../../net/socket";
import type { Wait } from "../../house/open.svelte";
import { speech } from "../../language/speech.svelte";
import type { Bet, Failure, Frame, OwnPart, OfferView, Option, Said as Talk, TableEvent, TableHead } from "../../wire";
import { HouseClock } from "./clock";
import { lineFor, type Line as Spoken } from "../speech/presenter";
import { say, type Asked } from "../speech/narration";
import * as chips from "./piles";
import { fold, fromSnapshot, head, NO_PART, order, type LiveState } from "./state";

export type Action = Option["action"];

/** Events of which each is a card that the dealer puts down or turns; the house gives each the table's pace. */
const CARDS: readonly TableEvent["type"][] = ["card-dealt", "hole-dealt", "hole-shown"];
/** Milliseconds for which a card that a person deals moves: the hands at the table set the pace (STU-02). */
const BY_HAND = 250;
const KEPT_LINES = 80;
const KEPT_TALK = 100;
/** Phases in which no card comes. */
const BETWEEN: readonly LiveState["phase"][] = ["idle", "shuffle", "betting", "payout"];
/** Milliseconds by which the delay of cards may change before the house is told. */
const SAME_DELAY = 50;
/** Seconds before the end of a window at which it is said how many are left. */
const LAST_SECONDS = 5;

/** A message at places for chips: that no more go there. */
export interface Notice {
  readonly at: readonly string[];
  readonly failure: Failure;
}

export interface SpokenLine extends Spoken {
  readonly number: number;
}

export class LiveGame {
  table = $state.raw<LiveState | null>(null);
  me = $state.raw<OwnPart | null>(null);
  slip = $state.raw<chips.Slip>(chips.NO_CHIPS);
  chip = $state.raw<chips.Chip>({ value: 0, golden: false });
  connected = $state(false);
  /** Whether the table was taken away for good. */
  gone = $state(false);
  /** Whether a request waits for its response; the next one waits for it. */
  asking = $state(false);
  /** Whether bets are on their way to the house. */
  placing = $state(false);
  /** Whether events are still to be shown. */
  showing = $state(false);
  failure = $state.raw<Failure | null>(null);
  notice = $state.raw<Notice | null>(null);
  said = $state.raw<readonly Said[]>([]);
  talk = $state.raw<readonly Talk[]>([]);
  /** Whether nothing is said of others (PLT-41). */
  #focused = false;
  /** What the presenter says. */
  spoken = $state.raw<SpokenLine | null>(null);
  lobby = $state.raw<readonly TableHead[]>([]);
  /** What was decided last, in words. */
  lately = $state("");
  /** Whether the connection was lost and is back: it is said for a while. */
  returned = $state(false);
  /** The time by the house's clock, as fine as a countdown needs it. */
  now = $state(0);
  /** How often a card was put down: the presenter's hand follows it. */
  dealt = $state(0);
  /** The place that the last card was for. */
  dealtTo = $state(DEALER);
  /** Whether a card of this round was corrected, and that was not put away (STU-08). */
  corrected = $state(false);
  /** Told of every event when it is shown, and of chips put down. */
  onshow: (event: TableEvent | { readonly type: "chip-placed" }) => void = () => undefined;

  readonly name: string;
  readonly player: string;
  readonly since: number;
  readonly #stage: Stage;
  readonly #line: Line;
  readonly #playback: Playback;
  readonly #clock: HouseClock;
  readonly #seed: () => string;
  /** The newest state, ahead of the screen: puts frames in order; bets are compared with it. */
  #newest: LiveState | null = null;
  #part: OwnPart | null = null;
  /** Whether the table changes by what happens, and not because it was opened. */
  #happening = false;
  #lines = 0;
  #syncing: Promise<void> | null = null;
  #refused = "";
  #seeded = "";
  #warned = 0;
  #watching = false;
  /** Milliseconds by which cards are shown later than they are told, with the video; and what the house knows of it (STU-24). */
  #delay = 0;
  #toldDelay = 0;

  /** `seed` gives the player's part in a shuffle. */
  constructor(table: string, player: number, since: number, stage: Stage, seed: () => string) {
    this.name = table;
    this.player = String(player);
    this.since = since;
    this.#stage = stage;
    this.#seed = seed;
    this.#clock = new HouseClock(() => stage.now());
    this.#playback = new Playback(
      (act, milliseconds) => stage.paced(act, milliseconds),
      (playing) => (this.showing = playing),
    );
    const listener = {
      told: (message: Heard) => this.#hear(message),
      line: (open: boolean) => this.#connected(open),
      place: () => this.#newest && { table: this.#newest.name, epoch: this.#newest.epoch, seq: this.#newest.seq },
      clock: (at: number, asked: number) => this.#clock.compare(at, asked),
    };
    this.#line = new Line({ type: "enter", table }, listener, stage);
    this.tick();
  }

  // State

  readonly rules = $derived(GAMES[this.table?.game ?? ""]);
  readonly family = $derived(familyOf(this.table?.game ?? ""));
  readonly boxes = $derived(this.family === "majority");
  readonly part = $derived(this.me?.live ?? NO_PART);
  readonly seats = $derived(this.table?.seats ?? []);
  /** The player's lines in the book of the round. */
  readonly lines = $derived(this.me?.part?.lines ?? []);
  readonly settled = $derived(this.me?.results.settled ?? []);
  /** Places with money of the player, and own seats; at boxes everyone plays all of them. */
  readonly mine = $derived.by((): readonly number[] => {
    if (this.boxes) return Array.from({ length: this.rules?.spots ?? 0 }, (_, spot) => spot);
    const staked = [...this.lines, ...this.part.bets].map(({ spot }) => spot);
    return [...this.part.seats, ...staked];
  });
  readonly own = $derived<readonly number[] | null>(this.boxes ? null : this.part.seats);
  /** Whether the player has brought money. */
  readonly sitting = $derived(this.me?.balance != null);
  /** Whether chips may be placed. */
  readonly betting = $derived(
    this.table?.phase === "betting" && !this.table.paused && this.sitting && !this.part.started && this.connected,
  );
  readonly bounds = $derived.by((): chips.Bounds | null => {
    if (!this.table || this.me?.balance == null) return null;
    const { bets } = this.part;
    return {
      funds: this.me.balance + stakes(bets),
      golden: held(this.part.golden, bets),
      seats: this.own,
      options: this.table.options,
    };
  });
  readonly piles = $derived(chips.piles(this.slip));
  /** Money at the table that is not staked. */
  readonly balance = $derived.by(() => {
    if (this.me?.balance == null) return this.me?.account ?? 0;
    return this.betting && this.bounds ? this.bounds.funds - chips.cost(this.piles, this.own) : this.me.balance;
  });
  readonly staked = $derived.by(() => {
    if (this.betting) return chips.cost(this.piles, this.own);
    const lines = this.me?.part?.lines ?? this.me?.results.settled ?? [];
    return lines.reduce((sum, { stake }) => sum + stake.own, 0);
  });
  /** What the sitting has won or lost, what is on the table counted as the player's. */
  readonly net = $derived.by(() => {
    if (this.me?.balance == null) return 0;
    const inRound = this.lines.reduce((sum, { stake }) => sum + stake.own, 0);
    const onTable = this.table?.view.phase === "betting" ? stakes(this.part.bets) : inRound;
    return this.me.balance + onTable - this.me.brought;
  });
  /** Seconds that the window of this phase is open in all. */
  readonly window = $derived.by(() => {
    const { timers, phase } = this.table ?? {};
    if (!timers) return 0;
    if (phase === "insurance") return timers.insurance;
    if (phase === "decisions") return this.boxes ? timers.vote : timers.decision;
    return phase === "betting" ? timers.betting : Infinity;
  });
  /** Milliseconds until the phase ends; null where it has no end. */
  readonly left = $derived(this.table?.until == null ? null : Math.max(0, this.table.until - this.now));
  readonly seconds = $derived(this.left === null ? null : Math.ceil(Math.min(this.left / 1000, this.window)));
  /** Whether the clock runs: for bets, insurance or a decision. */
  readonly waits = $derived(
    this.table !== null && !this.table.paused && ["betting", "insurance", "decisions"].includes(this.table.phase),
  );
  /** Insurance that is offered to the player. */
  readonly offers = $derived<readonly OfferView[]>(
    this.table?.phase === "insurance" && !this.table.paused ? (this.me?.part?.offers ?? []) : [],
  );
  /** The hand that the player decides for now (FRB-26). */
  readonly turn = $derived.by((): readonly [number, number] | null => {
    const { table } = this;
    if (table?.phase !== "decisions" || table.paused || !table.view.turn) return null;
    const spot = table.view.spots.find((found) => found.spot === table.view.turn?.[0]);
    return spot?.owner === this.player && !(table.view.turn[0] in this.part.wishes) ? table.view.turn : null;
  });
  /** The hand that the player votes on now, or has voted on (MAJ-20). */
  readonly ballot = $derived.by((): readonly [number, number] | null => {
    const { table } = this;
    if (table?.phase !== "decisions" || table.paused || !table.view.turn) return null;
    const [spot, hand] = table.view.turn;
    if (table.view.spots.find((found) => found.spot === spot)?.mode !== "vote") return null;
    return this.#staked(spot, hand) ? table.view.turn : null;
  });
  /** Whether the player has a part in the round, or bets on the next. */
  readonly engaged = $derived(this.lines.length > 0 || this.part.bets.length > 0);
  /** What the table waits for the player to do. */
  readonly wait = $derived.by((): Wait | null => {
    if (this.turn) return "decision";
    if (this.ballot && this.part.vote === null) return "vote";
    if (this.offers.length) return "insurance";
    return this.betting && !this.part.bets.length ? "bets" : null;
  });
  /** Whether a window is open that asks the player something. */
  readonly asked = $derived(this.turn !== null || this.ballot !== null || this.offers.length > 0);
  /** Own seats whose first decision can be made before their turn, and what it can be (FRB-25). */
  readonly ahead = $derived.by(() => {
    const { table } = this;
    if (!table || table.paused || !["dealing", "insurance", "decisions"].includes(table.phase)) return [];
    return Object.entries(this.part.ahead)
      .map(([spot, options]) => ({ spot: Number(spot), options, wish: this.part.wishes[spot] ?? null }))
      .filter(({ spot }) => !(table.phase === "decisions" && table.view.turn?.[0] === spot));
  });

  /** Whether what appears now should move there. */
  get moves(): boolean {
    return this.#happening && this.showing && this.#stage.moves();
  }

  /** Whether somebody may bet behind a seat: another's, where it is allowed (FRB-40, FRB-43). */
  takesBehind(spot: number): boolean {
    const seat = this.seats.find((found) => found.spot === spot);
    return !this.boxes && seat !== undefined && seat.behind && !this.part.seats.includes(spot);
  }

  /** Whether a place still takes bets of a kind. */
  #isOpen(spot: number, kind: string): boolean {
    if (kind === "behind") return this.takesBehind(spot);
    if (this.table?.options.side_bets_off.includes(kind)) return false;
    return this.boxes || this.part.seats.includes(spot);
  }

  /** Whether no round is being dealt. */
  get between(): boolean {
    return this.table === null || BETWEEN.includes(this.table.phase);
  }

  houseNow(): number {
    return this.#clock.now();
  }

  /** Show cards so much later than they are told, with their pictures; the house gives that much more time (STU-24). */
  showLater(milliseconds: number): void {
    this.#delay = milliseconds;
    if (Math.abs(milliseconds - this.#toldDelay) > SAME_DELAY || (!milliseconds && this.#toldDelay)) this.#tellDelay();
  }

  #tellDelay(): void {
    this.#toldDelay = this.#delay;
    if (this.connected) void this.#line.ask({ type: "tell-delay", table: this.name, delay: this.#delay });
  }

  /** A look at the clock: a page does so a few times a second. */
  tick(): void {
    this.now = this.#clock.now();
    const { table, seconds } = this;
    if (!table?.until || !seconds || seconds > LAST_SECONDS || this.#warned === table.until) return;
    this.#warned = table.until;
    if (this.waitsForMe() && seconds < this.window) this.#say(speech.texts.text("web.live.say.left", { seconds }));
  }

  /** Whether the clock runs for something the player can do. */
  waitsForMe(): boolean {
    return this.betting || this.turn !== null || this.offers.length > 0 || (this.ballot !== null && this.part.vote === null);
  }

  // Chips

  /** The stakes after a change, in all; null if it cannot be made. */
  costOf(change: (slip: chips.Slip, bounds: chips.Bounds) => chips.Change): number | null {
    const after = this.betting && this.bounds ? change(this.slip, this.bounds) : null;
    return after && "slip" in after ? chips.cost(chips.piles(after.slip), this.own) : null;
  }

  change(change: (slip: chips.Slip, bounds: chips.Bounds) => chips.Change): boolean {
    if (!this.betting || !this.bounds) return false;
    const after = change(this.slip, this.bounds);
    if ("failure" in after) {
      if (after.at.length) this.notice = after;
      this.#fail(after.failure);
      return false;
    }
    this.#put(after.slip);
    this.onshow({ type: "chip-placed" });
    return true;
  }

  /** Put the chip in hand on places, all or none. */
  press(at: readonly string[]): void {
    this.change((slip, bounds) => chips.press(slip, at, this.chip, bounds));
  }

  repeat = (slip: chips.Slip, bounds: chips.Bounds): chips.Change =>
    chips.repeat(slip, bounds, (spot, kind) => this.#isOpen(spot, kind));

  /** The last bets; on chips, twice as many (PLT-45). */
  repeatOrDouble(): void {
    if (this.slip.placings.length) this.change(chips.double);
    else if (Object.keys(this.slip.last).length) this.change(this.repeat);
  }

  undo(): void {
    if (this.betting && this.slip.placings.length) this.#put(chips.undo(this.slip));
  }

  clear(): void {
    if (this.betting && this.slip.placings.length) this.#put(chips.clear(this.slip));
  }

  #put(slip: chips.Slip): void {
    this.slip = slip;
    this.#say(speech.texts.text("web.say.staked", { total: this.staked }));
    this.failure = null;
    this.notice = null;
    this.#refused = "";
    void this.#sync();
  }

  /** Ask for the bets that lie there, one set at a time: those placed meanwhile go with the next. */
  #sync(): Promise<void> {
    this.placing = true;
    this.#syncing ??= this.#placeBets().finally(() => {
      this.#syncing = null;
      this.placing = false;
    });
    return this.#syncing;
  }

  async #placeBets(): Promise<void> {
    for (let asked = ""; ; ) {
      const bets = chips.bets(this.slip, this.own);
      const written = JSON.stringify(bets);
      if (chips.same(bets, this.#placed) || written === asked || written === this.#refused || !this.table) return;
      asked = written;
      const failure = await this.#line.ask({ type: "place-bets", table: this.name, round: this.table.round, bets });
      if (!failure) continue;
      this.#refused = written;
      this.slip = chips.adopt(this.slip, this.#placed, this.own);
      this.#fail(failure);
      return;
    }
  }

  /** The bets that the house has. */
  get #placed(): readonly Bet[] {
    return this.#part?.live?.bets ?? [];
  }

  /** What the house has may differ from what lies there: placed elsewhere, given back, or for a seat more. */
  #compareBets(): void {
    if (this.#syncing || this.table?.phase !== "betting") return;
    if (chips.same(chips.bets(this.slip, this.own), this.#placed)) return;
    this.slip = chips.adopt(this.slip, this.#placed, this.own);
    void this.#sync();
  }

  // Requests

  /** Sit down with money, at a table with seats on one of them; a player who has money there brings none (FRB-20). */
  async sit(amount: number, spot: number | null = null): Promise<boolean> {
    return !(await this.#ask({ type: "sit", table: this.name, amount, spot }));
  }

  async addMoney(amount: number): Promise<void> {
    await this.#ask({ type: "add-money", table: this.name, amount });
  }

  /** X: leave a seat; without one, the table. */
  async leave(spot: number | null = null): Promise<void> {
    await this.#ask({ type: "leave", table: this.name, spot });
  }

  async startNow(): Promise<void> {
    await this.#sync();
    if (this.table) await this.#ask({ type: "start-now", table: this.name, round: this.table.round });
  }

  async consent(double: boolean, split: boolean): Promise<void> {
    await this.#ask({ type: "consent", table: this.name, double, split });
  }

  /** Decide for the hand whose turn it is. */
  async decide(action: Action): Promise<void> {
    const { table, turn } = this;
    if (!table || !turn || action === "cashback") return;
    const [spot, hand] = turn;
    const command = { type: action, spot, hand };
    await this.#ask({ type: "act", table: this.name, round: table.round, turn: table.turn, command });
  }

  /** Decide before the turn; the same again takes it back. */
  async wish(spot: number, action: Action): Promise<void> {
    if (!this.table) return;
    const again = this.part.wishes[spot] === action;
    await this.#ask({ type: "pre-decide", table: this.name, round: this.table.round, spot, action: again ? null : action });
  }

  async vote(action: Action): Promise<void> {
    const { table, ballot } = this;
    if (!table || !ballot) return;
    const [spot, hand] = ballot;
    await this.#ask({ type: "vote", table: this.name, round: table.round, turn: table.turn, spot, hand, action });
  }

  /** Answer for one seat or, at boxes, for all there is (MAJ-09). */
  async insure(accept: boolean, spot: number | null): Promise<void> {
    const { table } = this;
    if (!table) return;
    await this.#ask({ type: "insure", table: this.name, round: table.round, turn: table.turn, accept, spot });
  }

  /** What was done to the player was shown, up to a number (PLT-49). */
  see(number: number): void {
    void this.#line.ask({ type: "see", table: this.name, number });
  }

  /** Send a line of chat; gives the refusal, if any. */
  async tell(text: string): Promise<Failure | null> {
    // What was pasted may hold tabs and the like, which no request may.
    const plain = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ");
    return this.#line.ask({ type: "say", table: this.name, text: plain });
  }

  /** Receive the list of live tables from now on (PLT-44). */
  watchLobby(): void {
    this.#watching = true;
    void this.#line.ask({ type: "watch-lobby" });
  }

  stop(): void {
    this.#playback.clear();
    this.#line.stop();
  }

  /** One request at a time. */
  async #ask(question: Question): Promise<Failure | null> {
    if (this.asking) return null;
    this.asking = true;
    this.failure = null;
    const failure = await this.#line.ask(question);
    this.asking = false;
    if (failure) this.#fail(failure);
    return failure;
  }

  #fail(failure: Failure): void {
    this.failure = failure;
    this.#say(speech.texts.at(this.family).error(failure));
  }

  #say(text: string): void {
    this.said = [...this.said.slice(1 - KEPT_LINES), { number: (this.#lines += 1), text }];
  }

  // Messages

  #connected(open: boolean): void {
    if (this.table && this.connected !== open) this.#say(speech.texts.text(open ? "web.live.back" : "web.live.lost"));
    this.returned = open && this.table !== null && !this.connected;
    if (this.returned) this.#stage.later(() => (this.returned = false), RETURNED);
    this.connected = open;
    if (open && this.#watching) this.watchLobby();
    if (open && this.#delay) this.#tellDelay(); // the house forgets it with the connection
  }

  #hear(message: Heard): void {
    switch (message.type) {
      case "frame":
        this.#hearFrame(message);
        break;
      case "snapshot":
        this.#newest = fromSnapshot(message, this.#newest ?? this.table);
        this.#playback.clear();
        this.#show(() => {
          this.#happening = false;
          this.table = this.#newest;
          if (!this.chip.value) this.chip = { value: message.options.chips[0] ?? 0, golden: false };
          this.tick();
        });
        this.#sendSeed();
        break;
      case "me":
        this.#part = message;
        this.#show(() => this.#takePart(message));
        this.#sendSeed();
        break;
      case "said":
        this.talk = [...this.talk.filter(({ id }) => id !== message.id), message].slice(-KEPT_TALK);
        break;
      case "unsaid":
        this.talk = this.talk.filter(({ id }) => id !== message.id);
        break;
      case "lobby":
        this.lobby = message.tables;
        break;
      case "closed":
        // The house reads the table back, and shows it again by itself; or it was taken away for good (OFF-02).
        this.#newest = null;
        if (message.reason === "closed/table") this.#show(() => (this.gone = true));
        break;
    }
  }

  #hearFrame(frame: Frame): void {
    const newest = this.#newest;
    if (newest?.name !== frame.table) return;
    const place = order(newest, frame);
    if (place === "gap") this.#line.reopen();
    if (place !== "next") return;
    this.#newest = frame.events.reduce((table, event) => {
      this.#part &&= foldOwn(this.#part, event, table.view);
      return fold(table, event);
    }, { ...newest, ...head(newest, frame) });
    this.#show(() => {
      this.#happening = true;
      if (this.table) this.table = { ...this.table, ...head(this.table, frame) };
    });
    // Each card has its moment; what comes late, after a broken line, has it behind it.
    const pace = newest.studio ? BY_HAND : 1000 * newest.timers.pace;
    const now = this.#stage.now();
    let at = Math.min(now, now + frame.at - this.#clock.now());
    // With a video a card waits for its picture; what was told without a card goes on at once, after those before it.
    const shown = at + this.#delay;
    if (this.#delay && frame.events.some(({ type }) => CARDS.includes(type))) {
      at = Math.max(now, shown);
      this.#playback.add(() => Math.max(0, shown - this.#stage.now()));
    }
    for (const event of frame.events) {
      const waits = CARDS.includes(event.type);
      if (waits) at += pace;
      const end = at;
      this.#playback.add(() => {
        this.#showEvent(event);
        return waits && this.#stage.moves() ? Math.min(pace, Math.max(0, end - this.#stage.now())) : 0;
      });
    }
    this.#sendSeed();
  }

  #show(step: () => void): void {
    this.#playback.add(() => {
      step();
      return 0;
    });
  }

  #showEvent(event: TableEvent): void {
    if (!this.table) return;
    if (event.type === "betting-closed") this.#closeBets();
    const announced = this.table.announced;
    this.me &&= foldOwn(this.me, event, this.table.view);
    this.table = fold(this.table, event);
    if (CARDS.includes(event.type)) {
      this.dealtTo = event.type === "card-dealt" ? event.spot : DEALER;
      this.dealt += 1;
    }
    if (event.type === "phase-changed") this.#enterPhase();
    const { mine, table } = this.#heardOf(this.table);
    const asked = event.type === "turn-started" ? this.#askedFor(event.spot, event.hand) : null;
    const text = say(event, table, speech.texts.at(this.family), mine, asked);
    if (text) this.#say(text);
    if (event.type === "acted") this.lately = text ?? "";
    if (event.type === "round-opened") this.lately = "";
    if (event.type === "round-opened" || event.type === "card-corrected") this.corrected = event.type === "card-corrected";
    this.onshow(event);
    // Betting opens in the same breath in which shoes are exchanged (FRB-30): that is what the subtitle keeps.
    const same = announced === "shoes-exchanged" && event.type === "announced";
    const line = same ? null : lineFor(event, table, mine);
    if (line) this.spoken = { ...line, number: (this.spoken?.number ?? 0) + 1 };
  }

  /** The places and names that may be spoken of: in focus mode not those of others. */
  #heardOf(table: LiveState): { mine: readonly number[] | null; table: LiveState } {
    if (!this.#focused) return { mine: null, table };
    return { mine: this.mine, table: { ...table, seats: table.seats.filter(({ player }) => player === this.player) } };
  }

  /** MODALITÀ FOCUS is on or off: what was said of others is gone with it. */
  focusOn(on: boolean): void {
    this.#focused = on;
    if (!on) return;
    this.said = [];
    this.spoken = null;
  }

  #enterPhase(): void {
    this.tick();
    this.notice = null;
    this.failure = null;
    this.#refused = "";
    this.#compareBets();
    this.#sayTime();
  }

  /** Say what the player has to do, and how long there is (ASR-51). */
  #sayTime(): void {
    const { texts } = speech;
    const seconds = this.seconds ?? 0;
    if (!seconds || !this.waitsForMe()) return;
    if (this.offers.length) this.#say(texts.text("web.live.say.your-insurance"));
    this.#say(texts.text(this.betting ? "web.live.say.left" : "web.live.say.have", { seconds }));
  }

  /** What the player does with a hand whose turn begins. */
  #askedFor(spot: number, hand: number): Asked {
    const found = this.table?.view.spots.find((seen) => seen.spot === spot);
    if (found?.owner === this.player && !(spot in this.part.wishes)) return "turn-own";
    return found?.mode === "vote" && this.#staked(spot, hand) ? "turn-vote" : null;
  }

  /** Whether the player has money on a hand. */
  #staked(spot: number, hand: number): boolean {
    return this.lines.some((line) => line.spot === spot && line.hand === hand && ON_HAND.includes(line.why));
  }

  /** RIPETI repeats the bets that stood when betting closed. */
  #closeBets(): void {
    this.slip = chips.closed(this.slip, this.part.bets, this.own);
  }

  #takePart(me: OwnPart): void {
    const before = this.me;
    this.me = me;
    if (this.table) this.table = { ...this.table, outcome: { ...this.table.outcome, ...me.results } };
    this.#sayPart(before, me);
    if (!before) this.slip = chips.closed(this.slip, me.last, this.own);
    if (this.#part === me) this.#compareBets();
  }

  /** Say the player's own results, which come with the own part. */
  #sayPart(before: OwnPart | null, me: OwnPart): void {
    const { table } = this;
    if (!table || !before) return;
    const known = before.results.settled.length;
    for (const settled of me.results.settled.slice(known)) {
      const text = say(settled, table, speech.texts.at(this.family));
      if (text) this.#say(text);
    }
    const { paid } = me.results;
    if (!paid || before.results.paid) return;
    this.#say(say(paid, table, speech.texts) ?? "");
    this.onshow(paid);
  }

  /** One who plays has a part in every shuffle (ASR-02), and in that of a shoe that is shuffled aside (FRB-30); not where a person shuffles. */
  #sendSeed(): void {
    const table = this.#newest;
    if (!table || table.studio || this.#part?.balance == null) return;
    const shuffling = table.phase === "shuffle" && table.shoe && !table.shoe.client_seed;
    const shoe = shuffling ? table.commitment : table.next_commitment;
    // Read back from the log the table has lost the seeds that were sent.
    const occasion = `${table.epoch} ${shoe}`;
    if (!shoe || this.#seeded === occasion) return;
    this.#seeded = occasion;
    void this.#line.ask({ type: "send-seed", table: this.name, seed: this.#seed() });
  }
}

function stakes(bets: readonly Bet[]): number {
  return bets.reduce((sum, { stake }) => sum + stake, 0);
}

/** Golden chips by face value, those on the table counted in. */
function held(free: Readonly<Record<string, number>>, bets: readonly Bet[]): Readonly<Record<number, number>> {
  const all: Record<number, number> = {};
  for (const [value, count] of Object.entries(free)) all[Number(value)] = count;
  for (const value of bets.flatMap(({ golden }) => golden)) all[value] = (all[value] ?? 0) + 1;
  return all;
}
