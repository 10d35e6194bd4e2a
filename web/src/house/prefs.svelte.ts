/**
 * The settings that follow the player to every device (PLT-43). A change acts at once and is then kept in the profile;
 * one that the house refuses is taken back. What concerns looks is set on the document, for every table to honour.
 */

import type { Failure, Settings, Sound } from "../wire";
import { changeSettings, settings as askSettings } from "../net/api";
import type { Language } from "../language/catalogue";
import { speech } from "../language/speech.svelte";

export const USUAL: Settings = {
  language: null,
  sound: { muted: false, voice: 80, game: 80 },
  allow_behind: true,
  follow_double: false,
  follow_split: false,
  follow_asked: false,
  video_quality: "auto",
  view: "immersive",
  focus: false,
  hide_chat: false,
  four_colours: false,
  less_motion: false,
  deal_speed: "normal",
  insurance: true,
  client_seed: "",
  favourites: [],
};

class Prefs {
  settings = $state.raw<Settings>(USUAL);
  failure = $state.raw<Failure | null>(null);
  /** Whether there is a profile to keep them in. */
  #kept = false;
  #line: Promise<unknown> = Promise.resolve();

  /** Take over the profile of a player who came in; who may only withdraw changes it for this visit alone. */
  async load(kept = true): Promise<void> {
    this.#kept = kept;
    const reply = await askSettings();
    if ("value" in reply) this.#take(reply.value);
    else this.failure = reply.failure;
  }

  /** The player has gone: the next one has settings of their own. */
  forget(): void {
    this.#kept = false;
    this.failure = null;
    this.#take({ ...USUAL, language: speech.language });
  }

  change(wanted: Partial<Settings>): Promise<void> {
    const before = this.settings;
    this.failure = null;
    this.#take({ ...before, ...wanted });
    if (!this.#kept) return Promise.resolve();
    // One after the other, so that the last one asked is the one that is kept.
    const kept = this.#line.then(async () => {
      const reply = await changeSettings(this.settings);
      if ("value" in reply) return;
      this.failure = reply.failure;
      this.#take({ ...this.settings, ...pick(before, Object.keys(wanted) as (keyof Settings)[]) });
    });
    this.#line = kept;
    return kept;
  }

  isFavourite(name: string): boolean {
    return this.settings.favourites.includes(name);
  }

  /** Make a game or a live table a favourite, or no longer (PLT-43). */
  toggleFavourite(name: string): Promise<void> {
    const { favourites } = this.settings;
    const others = favourites.filter((other) => other !== name);
    return this.change({ favourites: others.length < favourites.length ? others : [...favourites, name] });
  }

  changeSound(wanted: Partial<Sound>): Promise<void> {
    return this.change({ sound: { ...this.settings.sound, ...wanted } });
  }

  speak(language: Language): void {
    speech.choose(language);
    void this.change({ language });
  }

  #take(settings: Settings): void {
    this.settings = settings;
    if (settings.language) speech.choose(settings.language);
    const { dataset } = document.documentElement;
    dataset.suits = settings.four_colours ? "four" : "two";
    dataset.motion = settings.less_motion ? "less" : "full";
  }
}

function pick(settings: Settings, names: readonly (keyof Settings)[]): Partial<Settings> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

export const prefs = new Prefs();
