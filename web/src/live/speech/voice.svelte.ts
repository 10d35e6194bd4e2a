/** The presenter's voice: speech where the browser has a good one and the player wants it; the subtitles say all of it (PLT-42). */

import { speech } from "../../language/speech.svelte";
import { bestVoice } from "./voices";

/** How long a line takes to be said, for a mouth that moves without a voice. */
const PER_LETTER = 55;

export class Voice {
  /** Whether the presenter is saying something. */
  talking = $state(false);
  readonly #volume: () => number;
  readonly #later: (act: () => void, milliseconds: number) => () => void;
  #cancel: () => void = () => undefined;

  /** `volume` is from 0, where nothing is to be heard, to 1. */
  constructor(volume: () => number, later: (act: () => void, milliseconds: number) => () => void) {
    this.#volume = volume;
    this.#later = later;
  }

  say(text: string): void {
    this.#cancel();
    this.talking = true;
    this.#cancel = this.#later(() => (this.talking = false), 400 + PER_LETTER * text.length);
    const volume = this.#volume();
    if (!volume || !("speechSynthesis" in globalThis)) return;
    const voice = bestVoice(speechSynthesis.getVoices(), speech.language);
    if (!voice) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.volume = volume;
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
  }

  stop(): void {
    this.#cancel();
    this.talking = false;
    if ("speechSynthesis" in globalThis) speechSynthesis.cancel();
  }
}
