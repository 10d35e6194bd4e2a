/**
 * Sounds made on the spot, short and soft, after what they are made by: paper that slides, ceramic that clicks, small
 * bells. Nothing is made before the player has touched the page: a browser would refuse it, and so would people.
 */

export type SoundName = "card" | "turn" | "chip" | "shuffle" | "call" | "win" | "push" | "lose" | "bonus" | "lock" | "tick";

/** When a part of a sound begins and how long it dies away, in seconds, and how loud it is. */
interface Part {
  readonly at: number;
  readonly length: number;
  readonly level: number;
}

/** Noise through a filter that moves from one pitch to another, in hertz: paper, air, a peg. */
interface Rustle extends Part {
  readonly filter: BiquadFilterType;
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** How long it swells; 0 is a stroke. */
  readonly swell: number;
}

/** A pure tone: one of those that a body rings with. */
interface Ring extends Part {
  readonly pitch: number;
}

/** How much each sound of a kind differs from the one before: two chips are never the same. */
const LOOSE = 0.07;

/** Tones of a small bell: pitch, loudness and length beside those of the lowest. */
const BELL = [
  [1, 1, 1],
  [2.01, 0.5, 0.7],
  [2.76, 0.28, 0.45],
  [5.4, 0.12, 0.18],
] as const;
/** Those of a disc of ceramic: high, far from harmony, gone at once. */
const DISC = [
  [1, 1, 1],
  [1.53, 0.8, 0.8],
  [2.29, 0.55, 0.6],
  [3.1, 0.3, 0.4],
] as const;
/** Those of a bar of wood. */
const BAR = [
  [1, 1, 1],
  [3.93, 0.25, 0.3],
] as const;

function body(tones: readonly (readonly [number, number, number])[], pitch: number, at: number, length: number, level: number): readonly Ring[] {
  return tones.map(([higher, quieter, shorter]) => ({ pitch: pitch * higher, at, length: length * shorter, level: level * quieter }));
}

function stroke(filter: BiquadFilterType, pitch: number, at: number, length: number, level: number): Rustle {
  return { filter, from: pitch, to: pitch, width: 0.8, swell: 0, at, length, level };
}

/** One chip on another: a click, what the discs ring with, and a smaller second touch. */
function click(at: number, level: number): readonly (Ring | Rustle)[] {
  return [stroke("highpass", 5200, at, 0.012, level * 0.8), ...body(DISC, 2650, at, 0.055, level)];
}

/** Cards that fall on one another, ever faster, and are pushed together. */
function riffle(): readonly (Ring | Rustle)[] {
  const falls = Array.from({ length: 16 }, (_, index) => stroke("bandpass", 2600 + 80 * index, 0.42 * Math.sqrt(index / 16), 0.025, 0.11));
  return [...falls, { filter: "bandpass", from: 900, to: 2400, width: 0.7, swell: 0.08, at: 0.46, length: 0.2, level: 0.16 }];
}

function bells(pitches: readonly number[], apart: number, length: number, level: number): readonly Ring[] {
  return pitches.flatMap((pitch, index) => body(BELL, pitch, index * apart, length, level));
}

const [C5, E5, G5, C6, E6] = [523.25, 659.25, 783.99, 1046.5, 1318.5];

export const SOUNDS: Readonly<Record<SoundName, readonly (Ring | Rustle)[]>> = {
  // It slides over the felt, and lies.
  card: [
    { filter: "bandpass", from: 1500, to: 3600, width: 0.8, swell: 0.05, at: 0, length: 0.13, level: 0.3 },
    stroke("lowpass", 420, 0.12, 0.05, 0.35),
  ],
  // It is lifted, and slaps on its face.
  turn: [
    { filter: "highpass", from: 2600, to: 4200, width: 0.7, swell: 0.04, at: 0, length: 0.08, level: 0.16 },
    stroke("bandpass", 1100, 0.11, 0.05, 0.4),
    stroke("lowpass", 320, 0.11, 0.06, 0.3),
  ],
  chip: [...click(0, 0.16), ...click(0.055, 0.07)],
  shuffle: riffle(),
  call: bells([G5, C6], 0.13, 0.7, 0.09),
  win: bells([C5, E5, G5, C6], 0.095, 0.9, 0.1),
  push: [...body(BAR, C5, 0, 0.3, 0.12), ...body(BAR, C5, 0.14, 0.3, 0.08)],
  lose: [...body(BAR, 220, 0, 0.3, 0.13), ...body(BAR, 174.6, 0.15, 0.38, 0.12)],
  bonus: bells([C5, E5, G5, C6, E6], 0.11, 1.1, 0.1),
  lock: bells([880, E6], 0.07, 0.5, 0.09),
  tick: [stroke("bandpass", 3400, 0, 0.016, 0.4), ...body(BAR, 1250, 0, 0.03, 0.08)],
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

  /** The player has touched the page: what sounds are made of is made now, and not while cards come. */
  touch(): void {
    if (this.#touched) return;
    this.#touched = true;
    const context = this.#open();
    if (context) this.#noise ??= noise(context);
  }

  play(name: SoundName): void {
    const out = this.#out();
    if (out) this.#sound(out, name, out.context.currentTime);
  }

  /** Ticks at these moments from now, in milliseconds; gives what takes back those to come. */
  ticks(moments: readonly number[]): () => void {
    const out = this.#out();
    if (!out) return () => undefined;
    const now = out.context.currentTime;
    for (const moment of moments) this.#sound(out, "tick", now + moment / 1000);
    return () => out.disconnect();
  }

  close(): void {
    void this.#context?.close();
    this.#context = null;
    this.#noise = null;
  }

  /** What makes sounds; null where there are none. */
  #open(): AudioContext | null {
    if (!this.#touched || this.#volume() <= 0) return null;
    return (this.#context ??= this.#make());
  }

  /** Where sounds go; null where there are none. */
  #out(): GainNode | null {
    const context = this.#open();
    if (!context) return null;
    if (context.state === "suspended") void context.resume();
    const out = context.createGain();
    out.gain.value = this.#volume();
    out.connect(context.destination);
    return out;
  }

  #sound(out: GainNode, name: SoundName, now: number): void {
    // What rings alone is in tune; paper and chips differ a little each time.
    const tuned = "pitch" in (SOUNDS[name][0] ?? {}) ? 1 : 1 + LOOSE * (Math.random() - 0.5);
    for (const part of SOUNDS[name]) {
      if ("pitch" in part) ring(out, now, part, tuned);
      else this.#rustle(out, now, part, tuned);
    }
  }

  #rustle(out: GainNode, now: number, { filter, from, to, width, swell, at, length, level }: Rustle, tuned: number): void {
    const { context } = out;
    const source = context.createBufferSource();
    source.buffer = this.#noise ??= noise(context);
    const band = context.createBiquadFilter();
    band.type = filter;
    band.Q.value = width;
    band.frequency.setValueAtTime(from * tuned, now + at);
    band.frequency.exponentialRampToValueAtTime(to * tuned, now + at + length);
    source.connect(band).connect(fade(out, now + at, length, level, swell));
    source.start(now + at, Math.random() * (NOISE - length), length);
  }
}

function ring(out: GainNode, now: number, { pitch, at, length, level }: Ring, tuned: number): void {
  const source = out.context.createOscillator();
  source.type = "sine";
  source.frequency.value = pitch * tuned;
  source.connect(fade(out, now + at, length, level, 0));
  source.start(now + at);
  source.stop(now + at + length);
}

/** A gain that rises, at once or in a swell, and dies away. */
function fade(out: GainNode, at: number, length: number, level: number, swell: number): GainNode {
  const gain = out.context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(level, at + Math.max(0.002, swell));
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(out);
  return gain;
}

/** Seconds of noise, of which every rustle takes another part. */
const NOISE = 0.5;

function noise(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * NOISE), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}
