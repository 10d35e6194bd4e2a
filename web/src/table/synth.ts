/**
 * Sounds made on the spot, short and soft: cards, chips, a win, the wheel. Nothing is made before the player has touched
 * the page: a browser would refuse it, and so would people.
 */

export type SoundName = "card" | "turn" | "chip" | "win" | "push" | "lose" | "bonus" | "lock" | "tick";

/** A note: its pitch in hertz, when it begins and how long it fades, in seconds, and how loud it is. */
interface Note {
  readonly pitch: number;
  readonly at: number;
  readonly length: number;
  readonly level: number;
  readonly shape?: OscillatorType;
}

const CHORD = [523.25, 659.25, 783.99, 1046.5];

const NOTES: Readonly<Record<Exclude<SoundName, "card" | "turn" | "tick">, readonly Note[]>> = {
  chip: [
    { pitch: 2350, at: 0, length: 0.05, level: 0.16 },
    { pitch: 3400, at: 0.018, length: 0.06, level: 0.1 },
  ],
  win: CHORD.map((pitch, index) => ({ pitch, at: index * 0.085, length: 0.42, level: 0.16, shape: "triangle" })),
  push: [{ pitch: 523.25, at: 0, length: 0.25, level: 0.1, shape: "triangle" }],
  lose: [{ pitch: 196, at: 0, length: 0.22, level: 0.1, shape: "sine" }],
  bonus: [...CHORD, 1318.5].map((pitch, index) => ({
    pitch,
    at: index * 0.11,
    length: 0.6,
    level: 0.14,
    shape: "triangle",
  })),
  lock: [
    { pitch: 880, at: 0, length: 0.3, level: 0.12, shape: "triangle" },
    { pitch: 1318.5, at: 0.06, length: 0.35, level: 0.1, shape: "triangle" },
  ],
};

export class Synth {
  readonly #make: () => AudioContext;
  /** From 0 to 1; 0 is silence. */
  readonly #volume: () => number;
  #context: AudioContext | null = null;
  #noise: AudioBuffer | null = null;
  #touched = false;

  constructor(make: () => AudioContext, volume: () => number) {
    this.#make = make;
    this.#volume = volume;
  }

  /** The player has touched the page. */
  touch(): void {
    this.#touched = true;
  }

  play(name: SoundName): void {
    const out = this.#out();
    if (!out) return;
    const now = out.context.currentTime;
    if (name === "card") this.#rustle(out, now, 2100, 0.09, 0.5);
    else if (name === "turn") this.#rustle(out, now, 1300, 0.13, 0.5);
    else if (name === "tick") this.#rustle(out, now, 3600, 0.018, 0.5);
    else for (const note of NOTES[name]) strike(out, now, note);
  }

  /** Ticks at these moments from now, in milliseconds; gives what takes back those to come. */
  ticks(moments: readonly number[]): () => void {
    const out = this.#out();
    if (!out) return () => undefined;
    const now = out.context.currentTime;
    for (const moment of moments) this.#rustle(out, now + moment / 1000, 3600, 0.018, 0.5);
    return () => out.disconnect();
  }

  close(): void {
    void this.#context?.close();
    this.#context = null;
  }

  /** Where sounds go; null where there are none. */
  #out(): GainNode | null {
    const volume = this.#volume();
    if (!this.#touched || volume <= 0) return null;
    this.#context ??= this.#make();
    const out = this.#context.createGain();
    out.gain.value = volume;
    out.connect(this.#context.destination);
    return out;
  }

  /** A burst of noise around a pitch: paper, or a peg. */
  #rustle(out: GainNode, at: number, pitch: number, length: number, level: number): void {
    const { context } = out;
    const source = context.createBufferSource();
    source.buffer = this.#noise ??= noise(context);
    const band = context.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = pitch;
    band.Q.value = 0.9;
    source.connect(band).connect(fade(out, at, length, level));
    source.start(at, 0, length);
  }
}

function strike(out: GainNode, now: number, { pitch, at, length, level, shape = "sine" }: Note): void {
  const source = out.context.createOscillator();
  source.type = shape;
  source.frequency.value = pitch;
  source.connect(fade(out, now + at, length, level));
  source.start(now + at);
  source.stop(now + at + length);
}

/** A gain that rises at once and dies away. */
function fade(out: GainNode, at: number, length: number, level: number): GainNode {
  const gain = out.context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(level, at + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(out);
  return gain;
}

function noise(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * 0.2), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}
