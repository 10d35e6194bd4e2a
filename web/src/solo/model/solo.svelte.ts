/** A solo game: the table on the screen, the player's own part, the chips, and the connection to the house. */

import { GAMES } from "../../games";
import type { Act, Failure, Frame, Notice, OwnPart, OfferView, Option } from "../../wire";
import { keep, kept } from "../../house/memory";
import { prefs } from "../../house/prefs.svelte";
import { betName, handName } from "../../game/say";
import type { Stage } from "../../net/stage";
import { Showing } from "./showing.svelte";
import * as chips from "./slip";
import { Connection, type Moment } from "../../net/connection.svelte";
import type { Heard, Question } from "../../net/socket";
import type { Wait } from "../../house/open.svelte";
import { speech } from "../../language/speech.svelte";
import { stakedIn } from "../../game/book";
import { covers } from "../../game/lack";
import type { Bounds } from "../../table/betting/check";
import { lineWords } from "../../line/words";
import { buyIn, firstChip } from "../../table/buyin";
import { usualChip } from "../../table/chips";
import { advance, DEALER, EMPTY, fromSnapshot, isOver, order, withResults, type Table } from "../../game/table";

export type Decision = Option["action"];

/** Refusals that say that the page is behind the house. */
const BEHIND = ["command/stale", "cashback/stale"];
/** Where a browser keeps that its player has dealt before. */
const DEALT = "sabot.dealt";

export class SoloGame extends Showing {
  me = $state.raw<OwnPart | null>(null);
  slip = $state.raw<chips.Slip>(chips.NO_CHIPS);
  /** The chip that was chosen last; at other limits it may not be there. */
  #chosen = $state(0);
  /** The turn in which GIRA was pressed last. */
  #spun = $state(-1);
  /** Whether a request waits for its response. */
  asking = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Whether the player is being seated with play money: nothing is asked for then. */
  seating = $state(false);
  /** Whether the player has never dealt: where to press is shown then. */
  fresh = $state(kept(DEALT) === null);
  /** What the house did while the player was away: said until the next deal (PLT-49). */
  away = $state.raw<readonly Notice[]>([]);
  /** When the play session began. */
  since = $state(0);

  /** The table among the page's own: the game and its money. */
  readonly name: string;
  readonly line: Connection;
  /** Whether the player's part has not come yet. */
  #arriving = true;
  /** The newest state, ahead of the screen: puts frames in order. */
  #newest: Table | null = null;

  constructor(game: string, currency: "EUR" | "FUN", stage: Stage, since: number) {
    super(stage);
    this.since = since;
    this.name = `${game}/${currency}`;
    const listener = {
      told: (message: Heard) => this.#hear(message),
      place: () => this.#newest && { table: this.#newest.name, epoch: this.#newest.epoch, seq: this.#newest.seq },
    };
    this.line = new Connection({ type: "open", game, currency }, listener, stage, () => this.#moment(), () => this.say(lineWords(this)));
  }

  // State

  /** Whether the line to the house can be trusted. */
  get connected(): boolean {
    return this.line.sure;
  }

  /** Where the table stands, ahead of the screen. */
  #moment(): Moment | null {
    const table = this.#newest ?? this.table;
    return table && { round: table.round, step: `${table.view.phase} ${table.turn}`, over: isOver(table.view) };
  }

  readonly rules = $derived(GAMES[this.table?.game ?? ""]);
  /** The player's lines in the book of the round that lies on the table. */
  readonly lines = $derived(this.swept ? [] : (this.me?.part?.lines ?? []));
  readonly settled = $derived(this.swept ? [] : (this.table?.outcome.settled ?? []));
  /** Whether chips may be placed. */
  readonly betting = $derived(this.#isBetting());
  /** Whether the player has brought money. */
  readonly sitting = $derived(this.me?.balance != null);
  /** Whether the player has a part in a round that is not over. */
  readonly engaged = $derived(this.sitting && !this.betting);
  /** What the table waits for; it has no clock. */
  readonly wait = $derived<Wait | null>(this.engaged && !this.showing ? "decision" : null);
  readonly bounds = $derived.by((): Bounds | null => {
    const { table, me, rules } = this;
    if (!table || !me || !rules) return null;
    const options = chips.withLimits(table.options, table.limits.find(({ name }) => name === me.limits));
    return { game: rules, options, funds: me.balance ?? 0, golden: {}, seats: null };
  });
  /** The chips to choose from, which fit the limits in force (PLT-69). */
  readonly chips = $derived(this.bounds?.options.chips ?? this.table?.options.chips ?? []);
  /** Whether the money at the table is too little for any bet: the next step is more of it (PLT-49). */
  readonly broke = $derived.by(() => {
    const { bounds } = this;
    return this.betting && bounds !== null && !this.slip.placings.length && bounds.funds < bounds.options.main.minimum;
  });
  /** The offer that the player answers now. */
  readonly offer = $derived.by((): OfferView | null => {
    if (this.showing || this.table?.view.phase !== "offers") return null;
    return this.me?.part?.offers[0] ?? null;
  });
  /** Insurance for all hands that may have it now: how many they are, and what it costs together. */
  readonly insurable = $derived.by(() => {
    const open = (this.me?.part?.offers ?? []).filter(({ kind }) => kind === "insurance");
    const cost = open.reduce((sum, offer) => sum + offer.cost, 0);
    return { hands: open.length, cost, affordable: covers(cost, this.me?.part) };
  });
  /** Stakes of a deal that is being shown: the player's own part, with what they cost, comes after the cards. */
  readonly #dealt = $derived.by(() => {
    const { view, betting, me, slip } = this;
    if (betting || me?.part || !view.spots.length || isOver(view)) return 0;
    return chips.total(slip.placings.length ? chips.stakes(slip) : slip.last);
  });
  /** What is staked in the round that is shown: chips before the deal, then all that it took, until the next chips (FRB-23). */
  readonly staked = $derived.by(() => {
    if (this.betting && (this.swept || this.slip.placings.length)) return chips.total(chips.stakes(this.slip));
    return stakedIn({ lines: this.lines, settled: this.settled }) || this.#dealt;
  });
  /** Stakes that are open: the player's yet. */
  readonly #open = $derived(this.me?.part?.lines.reduce((sum, { stake }) => sum + stake.own, 0) ?? this.#dealt);
  /** Money at the table that is not staked; before the player sits, that of the account. */
  readonly balance = $derived(this.me?.balance == null ? (this.me?.account ?? 0) : this.me.balance - this.#dealt);
  /** What the sitting has won or lost, what is on the table counted as the player's. */
  readonly net = $derived.by(() => {
    if (this.me?.balance == null) return 0;
    return this.balance + (this.betting ? 0 : this.#open) - this.me.brought;
  });

  /** The chip in hand. */
  get chip(): number {
    const options = this.bounds?.options ?? this.table?.options;
    return this.chips.includes(this.#chosen) || !options ? this.#chosen : usualChip(options);
  }

  set chip(chip: number) {
    this.#chosen = chip;
  }

  /** Spins of a bonus table that are left: one less from the press of GIRA until its prizes are shown (LNK-27). */
  readonly spins = $derived.by(() => {
    const { bonus } = this.view;
    if (bonus?.stage !== "table") return bonus?.spins ?? 0;
    return bonus.spins - (this.scene.cells || this.#spun === this.table?.turn ? 1 : 0);
  });
  /** Whether the answer about insurance is marked as one for all hands (CSH-12). */
  marked = $state(false);

  /** Whether insurance will be asked for: neither in this play session (SUR-06, CSH-12) nor in the settings is it off. */
  get offersInsurance(): boolean {
    return this.#wantsInsurance && (this.me?.insurance ?? true);
  }

  /** Some games always ask; else the settings say it. */
  get #wantsInsurance(): boolean {
    return !this.rules?.insuranceSwitch || prefs.settings.insurance;
  }

  option(action: Decision): Option | undefined {
    return this.table?.view.options.find((found) => found.action === action);
  }

  /** Whether a place takes the chip in hand, a button would be taken, and so on: all look at the same checks. */
  can(change: (slip: chips.Slip, bounds: Bounds) => chips.Change): boolean {
    return this.betting && this.bounds !== null && "slip" in change(this.slip, this.bounds);
  }

  // Chips

  /** Change the chips, and say what lies there then. */
  change(change: (slip: chips.Slip, bounds: Bounds) => chips.Change, words = () => this.#stakedWords()): boolean {
    if (!this.betting || !this.bounds) return false;
    const after = change(this.slip, this.bounds);
    if ("failure" in after) {
      this.#fail(after.failure);
      return false;
    }
    this.#put(after.slip, words);
    this.onshow({ type: "chip-placed" });
    return true;
  }

  press(spot: number, kind: string): void {
    this.change(
      (slip, bounds) => chips.press(slip, spot, kind, this.chip, bounds),
      () => {
        const place = spot === DEALER ? "" : `${handName(spot, 0, EMPTY, speech.texts)}, `;
        const stake = speech.texts.amount(chips.stakes(this.slip)[chips.place(spot, kind)] ?? 0);
        return `${place}${betName(kind, speech.texts.at(this.rules?.name ?? ""))}: ${stake}.`;
      },
    );
  }

  /** The last bets; on chips, twice as many (PLT-45). */
  repeatOrDouble(): void {
    if (this.slip.placings.length) this.change(chips.double);
    else if (Object.keys(this.slip.last).length) this.change((slip, bounds) => chips.repeat(slip, 1, bounds));
  }

  undo(): void {
    if (this.betting && this.slip.placings.length) this.#put(chips.undo(this.slip));
  }

  clear(): void {
    if (this.betting && this.slip.placings.length) this.#put(chips.clear(this.slip));
  }

  #put(slip: chips.Slip, words = () => this.#stakedWords()): void {
    this.slip = slip;
    this.failure = null;
    this.swept = true;
    this.say(words());
  }

  #stakedWords(): string {
    return speech.texts.text("web.say.staked", { total: this.staked });
  }

  // Requests

  async deal(): Promise<void> {
    const { table } = this;
    if (!table || !this.betting) return;
    const bets = chips.bets(this.slip);
    const { placings } = this.slip;
    const failure = await this.#ask({
      type: "deal",
      table: table.name,
      bets,
      client_seed: prefs.settings.client_seed || this.stage.newSeed(),
      insurance: this.#wantsInsurance,
    });
    if (failure) return;
    this.away = [];
    if (this.slip.placings === placings) this.slip = chips.dealt(bets);
    this.fresh = false;
    keep(DEALT, "yes");
  }

  /** The last stakes again, `times` as much, and dealt. */
  async repeatAndDeal(times: number): Promise<void> {
    if (this.change((slip, bounds) => chips.repeat(slip, times, bounds))) await this.deal();
  }

  /** Decide for the hand in turn; a cashback for the price that is shown (CSH-15). */
  async decide(type: Decision): Promise<void> {
    const { table } = this;
    if (!table?.view.turn || this.showing) return;
    const [spot, hand] = table.view.turn;
    const at = { spot, hand };
    await this.#act(type === "cashback" ? { type, ...at, price: this.option(type)?.pays ?? 0 } : { type, ...at });
  }

  /** Answer the offer: for its hand or, insurance only, for all hands that are left. */
  async answer(accept: boolean, all = false): Promise<void> {
    const { table, offer } = this;
    if (!table || !offer) return;
    if (offer.kind === "even-money") {
      await this.#act({ type: "even-money", accept, spot: offer.spot });
      return;
    }
    const at = { table: table.name, round: table.round, turn: table.turn };
    await this.#ask({ type: "insure", ...at, accept, spot: all ? null : offer.spot });
  }

  /** GIRA: the wheel, or the empty cells of the bonus table. */
  async spin(): Promise<void> {
    this.#spun = this.showing ? -1 : (this.table?.turn ?? -1);
    if (await this.#playBonus("spin")) this.#spun = -1;
  }

  /** CONTINUA: leave the intro screen of a bonus table. */
  async proceed(): Promise<void> {
    await this.#playBonus("continue");
  }

  async #playBonus(type: "spin" | "continue"): Promise<Failure | null> {
    const { table } = this;
    if (!table?.view.bonus || this.showing) return null;
    return this.#act({ type, spot: table.view.bonus.spot });
  }

  async #act(command: Act["command"]): Promise<Failure | null> {
    const { table } = this;
    if (!table) return null;
    return this.#ask({ type: "act", table: table.name, round: table.round, turn: table.turn, command });
  }

  async sit(amount: number): Promise<void> {
    if (this.table) await this.#ask({ type: "sit", table: this.table.name, amount });
  }

  /** One who opens a table for play money sits there at once, with a first bet on the table; more can be added. */
  async #seat(): Promise<void> {
    const { table, me } = this;
    const { usual } = buyIn(table, me);
    if (table?.currency !== "FUN" || me?.balance !== null || !usual) return;
    this.seating = true;
    await this.sit(usual);
    this.seating = false;
    if (this.failure) return;
    const amount = speech.texts.money(usual, table.currency);
    this.say(speech.texts.text("web.seated", { amount }));
    this.#layFirst(usual);
  }

  /** The first bet of a table, to be dealt, changed or taken back: a chip, or as many as the minimum takes, on the hand in the middle. */
  #layFirst(brought: number): void {
    const { bounds, slip, rules } = this;
    if (!bounds || slip.placings.length || Object.keys(slip.last).length) return;
    const { minimum } = bounds.options.main;
    const chip = firstChip(bounds.options.chips, brought, minimum);
    const spot = Math.floor((rules?.spots ?? 0) / 2);
    this.change((before) => chips.press(before, spot, "main", chip * Math.ceil(minimum / chip), bounds));
  }

  async addMoney(amount: number): Promise<void> {
    if (this.table) await this.#ask({ type: "add-money", table: this.table.name, amount });
  }

  /** Leave the table: the play session ends with it (COM-57). */
  async leave(): Promise<void> {
    if (this.table) await this.#ask({ type: "leave", table: this.table.name });
  }

  /** Switch the insurance offer off for the play session, or back on. */
  async offerInsurance(offered: boolean): Promise<void> {
    if (this.table) await this.#ask({ type: "offer-insurance", table: this.table.name, offered });
  }

  async chooseLimits(limits: string): Promise<void> {
    if (!this.table) return;
    const failure = await this.#ask({ type: "choose-limits", table: this.table.name, limits });
    if (!failure) this.slip = chips.clear(this.slip);
  }

  stop(): void {
    this.showNothing();
    this.line.stop();
  }

  /** One request at a time. */
  async #ask(question: Question): Promise<Failure | null> {
    if (this.asking) return null;
    this.asking = true;
    this.failure = null;
    const failure = await this.line.ask(question);
    this.asking = false;
    if (failure) this.#fail(failure);
    return failure;
  }

  #fail(failure: Failure): void {
    this.failure = failure;
    this.say(speech.texts.at(this.rules?.name ?? "").error(failure));
    if (!BEHIND.includes(failure.code)) return;
    this.#newest = null;
    this.line.reopen();
  }

  // Messages

  #hear(message: Heard): void {
    switch (message.type) {
      case "frame":
        this.#hearFrame(message);
        break;
      case "snapshot":
        this.#newest = fromSnapshot(message);
        this.showSnapshot(message);
        break;
      case "me":
        this.showNext(() => this.#takePart(message));
        break;
      case "closed":
        this.#newest = null;
        this.line.reopen();
        break;
    }
  }

  #takePart(me: OwnPart): void {
    this.me = me;
    if (this.table) this.table = withResults(this.table, me.results);
    if (me.notices.length) this.away = me.notices;
    if (me.last.length) this.slip = { ...this.slip, last: chips.stakesOf(me.last) };
    if (this.#arriving) void this.#seat();
    this.#arriving = false;
  }

  #hearFrame(frame: Frame): void {
    const newest = this.#newest;
    if (newest?.name !== frame.table) return;
    const place = order(newest, frame);
    if (place === "gap") this.line.reopen();
    if (place !== "next") return;
    this.#newest = advance(newest, frame);
    this.showFrame(frame);
  }

  #isBetting(): boolean {
    const { table, me, showing } = this;
    return !showing && me?.balance != null && table !== null && (table.view.phase === "betting" || isOver(table.view));
  }
}
