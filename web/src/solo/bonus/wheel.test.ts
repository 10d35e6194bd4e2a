import { describe, expect, it } from "vitest";
import { GAMES } from "../../games";
import { chanceOf, landing, landingTicks, restAngle, slices, SPEED, TURN, turnedAfter, turnTicks, type Slice } from "./wheel";

const wheel = GAMES.link?.bonus?.wheel ?? [];
const all = slices(wheel);
const weights = wheel.reduce((sum, [, weight]) => sum + weight, 0);

/** The section under the pointer of a wheel that is turned so far. */
function underPointer(turned: number): Slice["section"] | undefined {
  const at = (((360 - turned) % 360) + 360) % 360;
  return all.find(({ from, to }) => from <= at && at < to)?.section;
}

describe("the wheel", () => {
  it.each(wheel)("gives %s the angle of its weight (LNK-38)", (section, weight) => {
    const angle = all.filter((slice) => slice.section === section).reduce((sum, { from, to }) => sum + to - from, 0);
    expect(angle).toBeCloseTo((360 * weight) / weights, 9);
  });

  it("is whole", () => {
    expect(all[0]?.from).toBe(0);
    expect(all.at(-1)?.to).toBeCloseTo(360, 9);
    all.slice(1).forEach(({ from }, index) => expect(from).toBe(all[index]?.to));
  });

  it("rests on the section that was drawn, wherever on it", () => {
    for (const [section] of wheel)
      for (let chance = 0; chance < 1; chance += 0.03)
        expect(underPointer(restAngle(all, section, chance))).toBe(section);
  });

  it("comes to rest at full speed's pace from any moment", () => {
    for (const after of [100, 900, TURN]) {
      const from = turnedAfter(after);
      const rest = restAngle(all, 50, 0.4);
      const end = landing(from, rest);
      expect((from + end.angle - rest) % 360).toBeCloseTo(0, 6);
      expect((3 * end.angle) / (end.duration / 1000)).toBeCloseTo(SPEED, 6);
      expect(end.duration).toBeLessThan(5000);
    }
  });

  it("ticks once for each slice that passes", () => {
    const turning = turnTicks(all, 0);
    expect(turning).toHaveLength(Math.ceil((all.length * turnedAfter(TURN)) / 360 - 1e-9) + 0);
    const end = landing(10, 200);
    const ticks = landingTicks(all, 10, end);
    expect(Math.abs(ticks.length - (all.length * end.angle) / 360)).toBeLessThan(3);
    expect(ticks.every((tick, index) => tick >= (ticks[index - 1] ?? 0) && tick <= end.duration)).toBe(true);
  });

  it("rests at the same place when the same round is shown again", () => {
    expect(chanceOf("261115-130501-K7QA/0")).toBe(chanceOf("261115-130501-K7QA/0"));
    expect(chanceOf("a")).not.toBe(chanceOf("b"));
  });
});
