import { describe, expect, it } from "vitest";
import { SOUNDS, Synth, type SoundName } from "./synth";

const NAMES = Object.keys(SOUNDS) as SoundName[];

describe("sounds", () => {
  it.each(NAMES)("%s is short, and never loud where its parts meet", (name) => {
    const parts = SOUNDS[name];
    expect(Math.max(...parts.map(({ at, length }) => at + length))).toBeLessThan(1.6);
    const starts = parts.map(({ at }) => at);
    const loudest = Math.max(
      ...starts.map((now) => parts.filter(({ at, length }) => at <= now && now < at + length * 0.5).reduce((sum, { level }) => sum + level, 0)),
    );
    expect(loudest).toBeLessThan(0.9);
    expect(parts.every(({ length, level }) => length > 0 && level > 0)).toBe(true);
  });

  it("are not made before the page is touched, nor where the volume is nothing", () => {
    let made = 0;
    const make = (): AudioContext => {
      made += 1;
      throw new Error("no sound here");
    };
    new Synth(make, () => 1).play("card");
    const silent = new Synth(make, () => 0);
    silent.touch();
    silent.play("win");
    expect(made).toBe(0);
    const heard = new Synth(make, () => 1);
    expect(() => heard.touch()).toThrow("no sound here"); // made at the first touch, not while cards come
  });
});
