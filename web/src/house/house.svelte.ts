/** The player who is logged in: account, money, session clock, and reality checks (PLT-51). */

import type { Failure, Net, OpenSitting } from "../wire";
import { answerRealityCheck, logOut, whoAmI, type Account } from "../net/api";
import { keep, kept } from "./memory";
import { prefs } from "./prefs.svelte";
import { forgetOpened } from "./recent";
import type { Currency } from "../shell/routes";
import { stage } from "../net/stage";

const MINUTE = 60_000;
const MONEY = "sabot.money";

class House {
  account = $state.raw<Account | null>(null);
  /** Whether the house has answered whether someone is logged in. */
  known = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** The time now, by the house's clock, as exact as a clock that shows minutes must be. */
  now = $state(stage.now());
  /** When the player answered a reality check on this page: the house hears of it a moment later. */
  #checked = $state(0);
  #ahead = 0;
  /** Counts who comes and goes: an answer to a request from before is about someone else. */
  #visits = 0;

  /** The currency that this player plays for by default. */
  readonly currency: Currency = $derived(this.account && !this.account.demo ? "EUR" : "FUN");
  /** What a player who has both would rather play for. */
  #wanted = $state<Currency>(kept(MONEY) === "FUN" ? "FUN" : "EUR");
  readonly money: Currency = $derived(this.currency === "EUR" ? this.#wanted : "FUN");
  readonly minutes: number = $derived(this.#minutesAt(this.now));
  /** Whether a reality check is due that was not answered yet, here or on another device. */
  readonly due: boolean = $derived.by(() => {
    if (!this.account || this.withdraws) return false;
    const { checked_at, reality_minutes } = this.account.session;
    const answered = this.#minutesAt(Math.max(checked_at ?? 0, this.#checked));
    return Math.floor(this.minutes / reality_minutes) > Math.floor(answered / reality_minutes);
  });
  /** Until when the player may not play, if they said so themselves; withdrawing is possible all the same. */
  readonly excluded: number | null = $derived(
    this.account?.protections.in_force.find(({ kind }) => kind === "self-exclusion")?.value ?? null,
  );
  /** Whether the player was let in to withdraw: self-excluded, or locked by an operator; nothing else is open then (PLT-73). */
  readonly withdraws: boolean = $derived(this.excluded !== null || (this.account?.locked ?? false));
  readonly pausedUntil: number | null = $derived(
    this.account?.protections.in_force.find(({ kind }) => kind === "time-out")?.value ?? null,
  );

  /** The table at which something waits for the player: a live one, whose clock runs, or one with an open round. */
  readonly waiting: OpenSitting | null = $derived.by(() => {
    const seats = this.account?.seats ?? [];
    return seats.find(({ table }) => table.startsWith("live/")) ?? seats.find(({ round }) => round !== null) ?? null;
  });

  chooseMoney(money: Currency): void {
    this.#wanted = money;
    keep(MONEY, money);
  }

  /** The account's money that is not at a table. */
  balance(currency: Currency): number {
    return this.account?.balances[currency] ?? 0;
  }

  /** Money at tables that is not staked. */
  atTables(currency: Currency): number {
    const seats = this.account?.seats.filter((seat) => seat.currency === currency) ?? [];
    return seats.reduce((sum, seat) => sum + seat.balance, 0);
  }

  /** What the session came to. */
  net(currency: Currency): Net {
    const found = this.account?.session.net.find((net) => net.currency === currency);
    return found ?? { currency, rounds: 0, staked: 0, paid: 0 };
  }

  /** Load the account: when the page is opened, and when something may have changed. */
  async look(): Promise<Failure | null> {
    const visit = this.#visits;
    const reply = await whoAmI();
    if (visit !== this.#visits) return null;
    if ("value" in reply) this.#seat(reply.value);
    else if (reply.failure.code === "login/required") this.clear();
    this.failure = "failure" in reply && reply.failure.code !== "login/required" ? reply.failure : null;
    this.known ||= this.failure === null;
    return "failure" in reply ? reply.failure : null;
  }

  /** Someone has come in. */
  async enter(account: Account): Promise<void> {
    this.#visits += 1;
    this.#seat(account);
    this.known = true;
    await prefs.load(!this.withdraws);
  }

  async leave(): Promise<void> {
    await logOut();
    forgetOpened();
    this.clear();
  }

  clear(): void {
    this.#visits += 1;
    this.account = null;
    this.known = true;
    this.#checked = 0;
    prefs.forget();
  }

  /** The player has seen what the session came to. */
  async answer(): Promise<void> {
    this.#checked = this.now;
    await answerRealityCheck();
  }

  tick(): void {
    this.now = stage.now() + this.#ahead;
  }

  #seat(account: Account): void {
    if (this.account?.player !== account.player) this.#ahead = account.now - stage.now();
    this.account = account;
    this.tick();
  }

  /** How long the session had lasted at a time, in whole minutes. */
  #minutesAt(time: number): number {
    return this.account ? Math.max(0, Math.floor((time - this.account.session.began_at) / MINUTE)) : 0;
  }
}

export const house = new House();
