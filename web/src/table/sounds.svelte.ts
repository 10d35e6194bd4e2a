/** What is heard at a table: by event, as loud as the settings say, not at all where AUDIO is off (PLT-42). */

import type { TableEvent } from "../wire";
import { prefs } from "../lib/prefs.svelte";
import { Synth, type SoundName } from "./synth";

const BY_EVENT: Partial<Record<TableEvent["type"] | "chip-placed", SoundName>> = {
  "chip-placed": "chip",
  "card-dealt": "card",
  "hole-dealt": "card",
  "hole-shown": "turn",
  "stake-added": "chip",
  "bonus-started": "bonus",
  "table-opened": "bonus",
};

export class Sounds {
  /** AUDIO was switched off here; another table is heard again. */
  #hushed = $state(false);
  readonly synth = new Synth(
    () => new AudioContext(),
    () => (this.muted ? 0 : prefs.settings.sound.game / 100),
  );

  get muted(): boolean {
    return this.#hushed || prefs.settings.sound.muted;
  }

  toggle(): void {
    if (!this.muted) {
      this.#hushed = true;
      return;
    }
    this.#hushed = false;
    if (prefs.settings.sound.muted) void prefs.changeSound({ muted: false });
  }

  hear(event: TableEvent | { readonly type: "chip-placed" }): void {
    const name = this.#soundOf(event);
    if (name) this.synth.play(name);
  }

  #soundOf(event: TableEvent | { readonly type: "chip-placed" }): SoundName | undefined {
    if (event.type === "player-paid") {
      if (event.paid > event.staked) return "win";
      return event.paid === event.staked ? "push" : "lose";
    }
    if (event.type === "cells-locked") return event.cells.length ? "lock" : undefined;
    return BY_EVENT[event.type];
  }
}
