/**
 * The wheel of the Link bonus as it is drawn: what it stops on is decided by the house; here it is only turned there.
 * Angles are degrees, clockwise from the top.
 */

export type Section = number | "link" | "mega-link";

export interface Slice {
  readonly section: Section;
  readonly from: number;
  readonly to: number;
}

/** About how wide a slice is; a section with a larger share has several. */
const WIDTH = 20;
/** The part of a slice at each edge where the pointer does not come to rest. */
const MARGIN = 0.18;
/** Degrees a second at full speed, and how the wheel gets there and goes on. */
export const SPEED = 480;
export const RISE = 700;
export const TURN = 3400;
/** The least it turns while it comes to rest; at most a turn more. */
const LEAST = 420;

/** The slices around the wheel; those of a section make up its share of the weights (LNK-38). */
export function slices(wheel: readonly (readonly [Section, number])[]): readonly Slice[] {
  const sum = wheel.reduce((total, [, weight]) => total + weight, 0);
  const parts = wheel.flatMap(([section, weight]) => {
    const share = (360 * weight) / sum;
    const count = Math.max(1, Math.round(share / WIDTH));
    return Array.from({ length: count }, (_, index) => ({
      section,
      angle: share / count,
      place: (index + 0.5) / count,
    }));
  });
  parts.sort((one, other) => one.place - other.place);
  let from = 0;
  return parts.map(({ section, angle }) => ({ section, from, to: (from += angle) }));
}

/** How the wheel is turned when it rests on a section; `chance` from 0 to 1 says where on it. */
export function restAngle(all: readonly Slice[], section: Section, chance: number): number {
  const own = all.filter((slice) => slice.section === section);
  const slice = own[Math.floor(chance * own.length)] ?? own[0];
  if (!slice) return 0;
  const within = (chance * own.length) % 1;
  const at = slice.from + (slice.to - slice.from) * (MARGIN + (1 - 2 * MARGIN) * within);
  return (360 - at) % 360;
}

/** How far the wheel has turned, so many milliseconds after it was set in motion. */
export function turnedAfter(milliseconds: number): number {
  if (milliseconds < RISE) return (SPEED * milliseconds ** 2) / (2000 * RISE);
  return (SPEED * (milliseconds - RISE / 2)) / 1000;
}

export interface Landing {
  readonly angle: number;
  readonly duration: number;
}

/** Coming to rest from full speed, without a jerk: how far to turn from an angle, and for how long. */
export function landing(from: number, rest: number): Landing {
  const gap = (((rest - from - LEAST) % 360) + 360) % 360;
  const angle = LEAST + gap;
  return { angle, duration: (3000 * angle) / SPEED };
}

/** The moments, in milliseconds, at which slices pass the pointer while the wheel is set in motion. */
export function turnTicks(all: readonly Slice[], from: number): readonly number[] {
  const rise = turnedAfter(RISE);
  return passing(all, from, turnedAfter(TURN)).map((angle) =>
    angle < rise ? Math.sqrt((angle * 2000 * RISE) / SPEED) : (1000 * angle) / SPEED + RISE / 2,
  );
}

/** The same while it comes to rest. */
export function landingTicks(all: readonly Slice[], from: number, { angle, duration }: Landing): readonly number[] {
  return passing(all, from, angle).map((at) => duration * (1 - Math.cbrt(1 - at / angle)));
}

/** The angles, ascending, after which an edge of a slice stands under the pointer. */
function passing(all: readonly Slice[], from: number, angle: number): readonly number[] {
  const passed: number[] = [];
  for (const slice of all)
    for (let at = (((-slice.from - from) % 360) + 360) % 360; at < angle; at += 360) passed.push(at);
  return passed.sort((one, other) => one - other);
}

/** A number from 0 to 1 that a text stands for: the same text rests the wheel at the same place. */
export function chanceOf(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) / 2 ** 32;
}
