/** The live table the player is at, shown or not: other pages can be looked at meanwhile (PLT-44). */

import { untrack } from "svelte";
import type { Account } from "../net/api";
import { house } from "../house/house.svelte";
import { prefs } from "../house/prefs.svelte";
import { router } from "../shell/router.svelte";
import { stage } from "../net/stage";
import { LiveGame } from "./model/live.svelte";

class LiveSeat {
  game = $state.raw<LiveGame | null>(null);
  #end: () => void = () => undefined;

  constructor() {
    $effect.root(() => {
      // Another game is chosen, or the player is gone.
      $effect(() => {
        if (router.route.name === "play") untrack(() => this.part());
        if (house.known && !house.account) untrack(() => this.stop());
      });
    });
  }

  /** Be at a table, by its name after `live/`; another is left for it. */
  open(table: string, account: Account): void {
    const name = `live/${table}`;
    if (this.game?.name === name && this.game.player === String(account.player)) return;
    this.part();
    const seed = () => prefs.settings.client_seed || stage.newSeed();
    // It lives on when the page that opened it is left.
    let opened: LiveGame | null = null;
    this.#end = $effect.root(() => {
      opened = new LiveGame(name, account.player, account.session.began_at, stage, seed);
    });
    this.game = opened;
  }

  /** Leave the table for good; bets stand, and money that is not in play goes back to the account (FRB-33, PLT-04). */
  part(): void {
    const [left, end] = [this.game, this.#end];
    this.game = null;
    if (!left) return;
    const stop = () => {
      left.stop();
      end();
    };
    if (left.connected && left.sitting) void left.leave().finally(stop);
    else stop();
  }

  /** Look away without leaving: the login has ended. */
  stop(): void {
    if (!this.game) return;
    this.game.stop();
    this.game = null;
    this.#end();
  }
}

export const liveSeat = new LiveSeat();
