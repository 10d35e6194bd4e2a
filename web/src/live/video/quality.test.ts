import { describe, expect, it } from "vitest";
import { AutomaticQuality } from "./quality";

/** Seconds in which so much is counted a second; gives the places. */
function watch(quality: AutomaticQuality, seconds: number, { from = 0, frozen = 0, lost = 0 } = {}): number[] {
  return Array.from({ length: seconds }, (_, second) =>
    quality.read({ at: 1000 * (from + second), frozen: frozen * second, lost: lost * second, received: 100 * second }, 3),
  );
}

describe("the automatic quality (STU-21)", () => {
  it("goes one down when the picture freezes or packets are lost for five seconds", () => {
    expect(watch(new AutomaticQuality(0), 6, { frozen: 0.3 })).toEqual([0, 0, 0, 0, 0, 1]);
    expect(watch(new AutomaticQuality(1), 6, { lost: 10 })).toEqual([1, 1, 1, 1, 1, 2]);
    expect(watch(new AutomaticQuality(2), 8, { lost: 10 }).at(-1)).toBe(2); // there is none below
  });

  it("bears a little of both", () => {
    expect(watch(new AutomaticQuality(0), 60, { frozen: 0.1, lost: 4 }).at(-1)).toBe(0);
  });

  it("goes one up after a calm minute, and begins to count anew", () => {
    const quality = new AutomaticQuality(2);
    expect(watch(quality, 61).slice(-2)).toEqual([2, 1]);
    expect(watch(quality, 60, { from: 61 }).at(-1)).toBe(1);
    expect(watch(quality, 1, { from: 122 })).toEqual([0]);
  });

  it("begins a minute anew after trouble, and with another stream", () => {
    const quality = new AutomaticQuality(1);
    watch(quality, 50);
    watch(quality, 6, { from: 50, lost: 20 });
    expect(quality.place).toBe(2);
    expect(watch(quality, 60, { from: 56 }).at(-1)).toBe(2);
    quality.restart();
    expect(watch(quality, 60, { from: 200 }).at(-1)).toBe(2);
  });
});
