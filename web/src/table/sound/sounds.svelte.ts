/** What is heard at a table: by event, as loud as the settings say, not at all where AUDIO is off (PLT-42). */

import type { TableEvent } from "../../wire";
import { recall, remember } from "../../house/memory";
import { prefs } from "../../house/prefs.svelte";
import { Synth, type SoundName } from "./synth";

type Heard = TableEvent["type"] | "chip-placed";

const BY_EVENT: Partial<Record<Heard, SoundName>> = {
  "chip-placed": "chip",
  "card-dealt": "card",
  "hole-dealt": "card",
  "hole-shown": "turn",
  "stake-added": "chip",
  "bonus-started": "bonus",
  "table-opened": "bonus",
};

/** The table at which AUDIO was switched off, and the one at which the presenter's voice was. */
const HUSHED = "sabot.hushed";
const VOICE_HUSHED = "sabot.voice-hushed";

export class Sounds {
  readonly #table: string;
  readonly #byEvent: Partial<Record<Heard, SoundName>>;
  /** AUDIO was switched off here. It stays off while other pages are looked at; another table is heard again. */
  #hushed = $state(false);
  /** The same of the presenter's voice alone. */
  voiceHushed = $state(false);
  readonly synth = new Synth(
    () => new AudioContext(),
    () => (this.muted ? 0 : prefs.settings.sound.game / 100),
  );

  /** `table` is the name of the table whose sounds these are, `more` what is heard only there. */
  constructor(table: string, more: Partial<Record<Heard, SoundName>> = {}) {
    this.#table = table;
    this.#byEvent = { ...BY_EVENT, ...more };
    this.#hush(recall(HUSHED) === table);
    this.#hushVoice(recall(VOICE_HUSHED) === table);
  }

  get muted(): boolean {
    return this.#hushed || prefs.settings.sound.muted;
  }

  toggle(): void {
    if (!this.muted) {
      this.#hush(true);
      return;
    }
    this.#hush(false);
    if (prefs.settings.sound.muted) void prefs.changeSound({ muted: false });
  }

  /** How loud the presenter is, from 0 to 1 (PLT-42). */
  get voice(): number {
    return this.muted || this.voiceHushed ? 0 : prefs.settings.sound.voice / 100;
  }

  toggleVoice(): void {
    this.#hushVoice(!this.voiceHushed);
  }

  #hushVoice(hushed: boolean): void {
    this.voiceHushed = hushed;
    remember(VOICE_HUSHED, hushed ? this.#table : null);
  }

  #hush(hushed: boolean): void {
    this.#hushed = hushed;
    remember(HUSHED, hushed ? this.#table : null);
  }

  hear(event: TableEvent | { readonly type: "chip-placed" }): void {
    const name = this.#soundOf(event);
    // What is seen comes first: a sound is made when its frame is drawn.
    if (name) requestAnimationFrame(() => setTimeout(() => this.synth.play(name)));
  }

  #soundOf(event: TableEvent | { readonly type: "chip-placed" }): SoundName | undefined {
    if (event.type === "player-paid") {
      if (event.paid > event.staked) return "win";
      return event.paid === event.staked ? "push" : "lose";
    }
    if (event.type === "cells-locked") return event.cells.length ? "lock" : undefined;
    if (event.type === "phase-changed") return event.phase === "shuffle" ? "shuffle" : undefined;
    return this.#byEvent[event.type];
  }
}
