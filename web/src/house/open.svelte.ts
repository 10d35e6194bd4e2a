/**
 * The tables that the player is at, shown or not: each goes on while another table or page is looked at (PLT-44). One
 * with the player's money stays open until it is left; one that was only looked at, until another is chosen.
 */

import { untrack } from "svelte";
import type { LiveGame } from "../live/model/live.svelte";
import type { Account } from "../net/api";
import { prefs } from "./prefs.svelte";
import { stage } from "../net/stage";
import { seatPath, type Currency } from "../shell/routes";
import type { SoloGame } from "../solo/model/solo.svelte";

/** What a table waits for the player to do. */
export type Wait = "decision" | "vote" | "insurance" | "bets";

export type OpenTable = { readonly href: string } & (
  | { readonly kind: "solo"; readonly game: SoloGame }
  | { readonly kind: "live"; readonly game: LiveGame }
);

class OpenTables {
  list = $state.raw<readonly OpenTable[]>([]);
  /** The address of the table that is shown, or was shown last. */
  current = $state<string | null>(null);
  /** Addresses of tables that this page has shown. */
  readonly #shown = new Set<string>();
  /** Tables in the background that the player has left, or has only looked at here. */
  readonly #past = $derived(
    this.list.filter(
      (table) => table.href !== this.current && (isLeft(table) || (this.#shown.has(table.href) && isUnused(table))),
    ),
  );
  /** Addresses of tables that are being opened; another set for the next who logs in. */
  #opening = new Set<string>();

  constructor() {
    $effect.root(() => {
      $effect(() => {
        const past = this.#past;
        untrack(() => past.forEach((table) => void this.leave(table)));
      });
    });
  }

  /** A table is shown from now on. */
  show(href: string): void {
    this.#shown.add(href);
    this.current = href;
  }

  find(href: string): OpenTable | null {
    return this.list.find((table) => table.href === href) ?? null;
  }

  solo(href: string, name: string, currency: Currency, account: Account): Promise<void> {
    return this.#open(href, async () => {
      const { SoloGame } = await import("../solo/model/solo.svelte");
      return { href, kind: "solo", game: new SoloGame(name, currency, stage, account.session.began_at) };
    });
  }

  /** A live table by its name after `live/`. */
  live(table: string, account: Account): Promise<void> {
    const href = `/live/${table}`;
    return this.#open(href, async () => {
      const { LiveGame } = await import("../live/model/live.svelte");
      const seed = () => prefs.settings.client_seed || stage.newSeed();
      const game = new LiveGame(`live/${table}`, account.player, account.session.began_at, stage, seed);
      return { href, kind: "live", game };
    });
  }

  /** Open every table at which the player has money: after a login, or when the page is loaded again. */
  async restore(account: Account): Promise<void> {
    for (const { table, currency } of account.seats) {
      const [kind, second = "", game = ""] = table.split("/");
      if (kind === "live") await this.live(second, account);
      else await this.solo(seatPath(table, account.demo), game, currency, account);
    }
  }

  /** Leave a table for good; money that is not in a round goes back to the account (PLT-04). */
  async leave(table: OpenTable): Promise<void> {
    if (table.game.connected && table.game.sitting) await table.game.leave();
    if (!table.game.sitting) this.#close(table);
  }

  /** Look away from all tables without leaving them: the login has ended. */
  stop(): void {
    this.#opening = new Set();
    this.list.forEach(({ game }) => game.stop());
    this.list = [];
    this.current = null;
  }

  async #open(href: string, make: () => Promise<OpenTable>): Promise<void> {
    const opening = this.#opening;
    if (this.find(href) || opening.has(href)) return;
    opening.add(href);
    const table = await make();
    opening.delete(href);
    if (this.#opening === opening) this.list = [...this.list, table];
    else table.game.stop();
  }

  #close(table: OpenTable): void {
    table.game.stop();
    this.list = this.list.filter((other) => other !== table);
    if (this.current === table.href) this.current = null;
  }
}

/** Whether the player has no money at a table, and nothing is left to be told there (PLT-49). */
function isLeft({ kind, game }: OpenTable): boolean {
  const busy = kind === "live" ? game.part.notices.length > 0 && !game.gone : game.seating;
  return game.me !== null && !game.sitting && !busy;
}

/** Whether play money, which sits down by itself, lies at a table as it was brought. */
function isUnused({ kind, game }: OpenTable): boolean {
  const { me, table } = game;
  const fresh = kind === "solo" && table?.currency === "FUN" && game.sitting && !game.engaged;
  return fresh && !table.outcome.paid && me?.balance === me?.brought;
}

export const openTables = new OpenTables();
