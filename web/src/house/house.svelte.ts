/** The player who is logged in: account, money, session clock, and reality checks (PLT-51). */

import type { Failure, Net, OpenSitting } from "../wire";
import { logOut, whoAmI, type Account } from "../net/api";
import { keep, kept } from "./memory";
import { prefs } from "./prefs.svelte";
import { forgetOpened } from "./recent";
import type { Currency } from "../shell/routes";
import { stage } from "../net/stage";

const MINUTE = 60_000;
const SEEN = "sabot.reality";
const MONEY = "sabot.money";

class House {
  account = $state.raw<Account | null>(null);
  /** Whether the house has answered whether someone is logged in. */
  known = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** The time now, by the house's clock, as exact as a clock that shows minutes must be. */
  now = $state(stage.now());
  /** Reality checks that the player has answered in this session. */
  #answered = $state(0);
  #ahead = 0;
  /** Counts who comes and goes: an answer to a request from before is about someone else. */
  #visits = 0;

  /** The currency that this player plays for by default. */
  readonly currency: Currency = $derived(this.account && !this.account.demo ? "EUR" : "FUN");
  /** What a player who has both would rather play for. */
  #wanted = $state<Currency>(kept(MONEY) === "FUN" ? "FUN" : "EUR");
  readonly money: Currency = $derived(this.currency === "EUR" ? this.#wanted : "FUN");
  readonly minutes: number = $derived(
    this.account ? Math.max(0, Math.floor((this.now - this.account.session.began_at) / MINUTE)) : 0,
  );
  /** Whether a reality check is due that was not answered yet. */
  readonly due: boolean = $derived(
    this.account !== null && Math.floor(this.minutes / this.account.session.reality_minutes) > this.#answered,
  );
  /** Until when the player may not play, if they said so themselves; withdrawing is possible all the same. */
  readonly excluded: number | null = $derived(
    this.account?.protections.in_force.find(({ kind }) => kind === "self-exclusion")?.value ?? null,
  );
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
    await prefs.load();
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
    prefs.forget();
  }

  /** The player has seen what the session came to. */
  answer(): void {
    if (!this.account) return;
    this.#answered = Math.floor(this.minutes / this.account.session.reality_minutes);
    remember(this.account.session.began_at, this.#answered);
  }

  tick(): void {
    this.now = stage.now() + this.#ahead;
  }

  #seat(account: Account): void {
    const before = this.account?.session.began_at;
    if (this.account?.player !== account.player) this.#ahead = account.now - stage.now();
    this.account = account;
    if (before !== account.session.began_at) this.#answered = remembered(account.session.began_at);
    this.tick();
  }
}

/** How many checks of a session were answered, kept in the browser (the house does not know) so that a reload does not ask again. */
function remembered(session: number): number {
  const [began, answered] = (kept(SEEN) ?? "").split("/").map(Number);
  return began === session ? (answered ?? 0) : 0;
}

function remember(session: number, answered: number): void {
  keep(SEEN, `${session}/${answered}`);
}

export const house = new House();
