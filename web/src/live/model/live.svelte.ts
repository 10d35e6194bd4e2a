/** A live game: the table on the screen, the player's own part, the chat, and what the player asks of the house. */

import { GAMES } from "../../games";
import { ON_HAND, stakedIn } from "../../game/book";
import { foldOwn } from "../../game/fold";
import { familyOf } from "../../game/lineup";
import { DEALER, isOver } from "../../game/table";
import type { Stage } from "../../net/stage";
import { Connection, type Moment } from "../../net/connection.svelte";
import type { Heard, Question } from "../../net/socket";
import type { Wait } from "../../house/open.svelte";
import { speech } from "../../language/speech.svelte";
import type { Bet, Failure, OwnPart, OfferView, Option, Said as Talk, TableEvent, TableHead } from "../../wire";
import { Announcer } from "../speech/announcer.svelte";
import type { Bounds } from "../../table/betting/check";
import { lineWords } from "../../line/words";
import { LiveBets } from "./bets.svelte";
import { HouseClock } from "./clock";
import { CARDS, Feed } from "./feed.svelte";
import { fold, NO_PART, type LiveState } from "./state";

export type Action = Option["action"];

const KEPT_TALK = 100;
/** Phases in which no card comes. */
const BETWEEN: readonly LiveState["phase"][] = ["idle", "shuffle", "betting", "payout"];
/** Milliseconds by which the delay of cards may change before the house is told. */
const SAME_DELAY = 50;

/** Milliseconds of silence after which the house is asked whether it is there: when the phase should have ended. */
const OVERDUE = 1000;
/** The same while the table waits for the player. */
const QUIET = 4000;

export class LiveGame {
  table = $state.raw<LiveState | null>(null);
  me = $state.raw<OwnPart | null>(null);
  /** Whether the table was taken away for good. */
  gone = $state(false);
  /** Whether a request waits for its response; the next one waits for it. */
  asking = $state(false);
  failure = $state.raw<Failure | null>(null);
  talk = $state.raw<readonly Talk[]>([]);
  lobby = $state.raw<readonly TableHead[]>([]);
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
  readonly bets: LiveBets;
  readonly announcer = new Announcer(this);
  readonly line: Connection;
  readonly #feed: Feed;
  readonly #clock: HouseClock;
  readonly #seed: () => string;
  #seeded = "";
  #watching = false;
  /** The delay of cards that the house knows of (STU-24). */
  #toldDelay = 0;

  /** `seed` gives the player's part in a shuffle. */
  constructor(table: string, player: number, since: number, stage: Stage, seed: () => string) {
    this.name = table;
    this.player = String(player);
    this.since = since;
    this.#seed = seed;
    this.#clock = new HouseClock(() => stage.now());
    this.#feed = new Feed(this, stage, this.#clock, () => this.line.reopen());
    const listener = {
      told: (message: Heard) => this.#hear(message),
      opened: () => this.#opened(),
      place: () => {
        const { newest } = this.#feed;
        return newest && { table: newest.name, epoch: newest.epoch, seq: newest.seq };
      },
      clock: (at: number, asked: number) => this.#clock.compare(at, asked),
    };
    this.line = new Connection({ type: "enter", table }, listener, stage, () => this.#moment(), () => this.announcer.say(lineWords(this)));
    this.bets = new LiveBets(
      this,
      () => this.#feed.part?.live?.bets ?? [],
      (bets, round) => this.line.ask({ type: "place-bets", table, round, bets }),
    );
    this.tick();
  }

  // State

  /** Whether the line to the house can be trusted, and so the clock. */
  get connected(): boolean {
    return this.line.sure;
  }

  /** Where the table stands, ahead of the screen. */
  #moment(): Moment | null {
    const table = this.#feed.newest ?? this.table;
    return table && { round: table.round, step: `${table.phase} ${table.turn}`, over: isOver(table.view) };
  }

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
  readonly bounds = $derived.by((): Bounds | null => {
    if (!this.table || !this.rules || this.me?.balance == null) return null;
    const { bets } = this.part;
    return {
      game: this.rules,
      options: this.table.options,
      funds: this.me.balance + stakes(bets),
      golden: held(this.part.golden, bets),
      seats: this.own,
    };
  });
  /** Money at the table that is not staked. */
  readonly balance = $derived.by(() => {
    if (this.me?.balance == null) return this.me?.account ?? 0;
    return this.betting && this.bounds ? this.bounds.funds - this.bets.cost : this.me.balance;
  });
  /** What is staked in the round that is shown: bets while they are open, then all that it took (FRB-23). */
  readonly staked = $derived.by(() => {
    if (this.betting) return this.bets.cost;
    const open = this.table?.view.phase === "betting" ? stakes(this.part.bets) : 0; // not in the book before the close
    return stakedIn({ lines: this.lines, settled: this.settled }) || open;
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
  /** Whole seconds of it; null also while the clock cannot be trusted (PLT-67). */
  readonly seconds = $derived(this.left === null || !this.connected ? null : Math.ceil(Math.min(this.left / 1000, this.window)));
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
    return this.hasStake(spot, hand) ? table.view.turn : null;
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

  /** Whether events are still to be shown. */
  get showing(): boolean {
    return this.#feed.showing;
  }

  /** Whether what appears now should move there. */
  get moves(): boolean {
    return this.#feed.moves;
  }

  /** Whether somebody may bet behind a seat: another's, where it is allowed (FRB-40, FRB-43). */
  takesBehind(spot: number): boolean {
    const seat = this.seats.find((found) => found.spot === spot);
    return !this.boxes && seat !== undefined && seat.behind && !this.part.seats.includes(spot);
  }

  /** Whether a place still takes bets of a kind. */
  isOpen(spot: number, kind: string): boolean {
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
    this.#feed.delay = milliseconds;
    if (Math.abs(milliseconds - this.#toldDelay) > SAME_DELAY || (!milliseconds && this.#toldDelay)) this.#tellDelay();
  }

  #tellDelay(): void {
    this.#toldDelay = this.#feed.delay;
    if (this.connected) void this.line.ask({ type: "tell-delay", table: this.name, delay: this.#feed.delay });
  }

  /** A look at the clock: a page does so a few times a second. */
  tick(): void {
    this.now = this.#clock.now();
    if (this.connected) this.announcer.warn();
    const quiet = this.left === 0 ? OVERDUE : this.waitsForMe() ? QUIET : Infinity;
    this.line.check(quiet, { type: "see", table: this.name, number: 0 }); // of all requests the one that does nothing
  }

  /** Whether the clock runs for something the player can do. */
  waitsForMe(): boolean {
    return this.betting || this.turn !== null || this.offers.length > 0 || (this.ballot !== null && this.part.vote === null);
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
    await this.bets.sync();
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
    void this.line.ask({ type: "see", table: this.name, number });
  }

  /** Send a line of chat; gives the refusal, if any. */
  async tell(text: string): Promise<Failure | null> {
    // What was pasted may hold tabs and the like, which no request may.
    const plain = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ");
    return this.line.ask({ type: "say", table: this.name, text: plain });
  }

  /** Receive the list of live tables from now on (PLT-44). */
  watchLobby(): void {
    this.#watching = true;
    void this.line.ask({ type: "watch-lobby" });
  }

  stop(): void {
    this.#feed.stop();
    this.line.stop();
  }

  /** One request at a time. */
  async #ask(question: Question): Promise<Failure | null> {
    if (this.asking) return null;
    this.asking = true;
    this.failure = null;
    const failure = await this.line.ask(question);
    this.asking = false;
    if (failure) this.fail(failure);
    return failure;
  }

  fail(failure: Failure): void {
    this.failure = failure;
    this.announcer.say(speech.texts.at(this.family).error(failure));
  }

  // Messages

  /** The house forgets these with each connection. */
  #opened(): void {
    if (this.#watching) this.watchLobby();
    if (this.#feed.delay) this.#tellDelay();
  }

  #hear(message: Heard): void {
    switch (message.type) {
      case "frame":
        this.#feed.hearFrame(message);
        this.#sendSeed();
        break;
      case "snapshot":
        this.#feed.hearTable(message);
        this.#sendSeed();
        break;
      case "me":
        this.#feed.hearPart(message);
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
        this.#feed.hearClosed(message.reason);
        break;
    }
  }

  // The screen of the feed

  showTable(table: LiveState | null): void {
    this.table = table;
    this.tick();
  }

  showClosed(): void {
    this.gone = true;
  }

  showEvent(event: TableEvent): void {
    if (!this.table) return;
    if (event.type === "betting-closed") this.bets.close(this.part.bets);
    const { announced } = this.table;
    this.me &&= foldOwn(this.me, event, this.table.view);
    this.table = fold(this.table, event);
    if (CARDS.includes(event.type)) {
      this.dealtTo = event.type === "card-dealt" ? event.spot : DEALER;
      this.dealt += 1;
    }
    if (event.type === "phase-changed") this.#enterPhase();
    if (event.type === "round-opened" || event.type === "card-corrected") this.corrected = event.type === "card-corrected";
    this.announcer.tell(event, this.table, announced);
    this.onshow(event);
  }

  #enterPhase(): void {
    this.tick();
    this.failure = null;
    this.bets.begin();
    this.announcer.tellTime();
  }

  showPart(me: OwnPart): void {
    const before = this.me;
    this.me = me;
    if (this.table) this.table = { ...this.table, outcome: { ...this.table.outcome, ...me.results } };
    if (before) {
      this.announcer.tellResults(before, me);
      if (this.table && me.results.paid && !before.results.paid) this.onshow(me.results.paid);
    } else {
      this.bets.close(me.last);
    }
    if (this.#feed.part === me) this.bets.compare();
  }

  /** Whether the player has money on a hand. */
  hasStake(spot: number, hand: number): boolean {
    return this.lines.some((line) => line.spot === spot && line.hand === hand && ON_HAND.includes(line.why));
  }

  /** One who plays has a part in every shuffle (ASR-02), and in that of a shoe that is shuffled aside (FRB-30); not where a person shuffles. */
  #sendSeed(): void {
    const { newest: table, part } = this.#feed;
    if (!table || table.studio || part?.balance == null) return;
    const shuffling = table.phase === "shuffle" && table.shoe && !table.shoe.client_seed;
    const shoe = shuffling ? table.commitment : table.next_commitment;
    // Read back from the log the table has lost the seeds that were sent.
    const occasion = `${table.epoch} ${shoe}`;
    if (!shoe || this.#seeded === occasion) return;
    this.#seeded = occasion;
    void this.line.ask({ type: "send-seed", table: this.name, seed: this.#seed() });
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
