import { describe, expect, it } from "vitest";
import { ageOf, capturedAt, datedAge, Delay, fromNtp, type Ages } from "./delay";

const NONE: Ages = { captured: null, played: null, travelled: null };

describe("the age of a picture (STU-24)", () => {
  it.each([
    ["the camera's clock needs no latency", { captured: 420, played: 30, travelled: 20 }, 420],
    ["the server's does", { captured: null, played: 30, travelled: 20 }, 150],
    ["as does the way alone", { ...NONE, travelled: 20 }, 140],
    ["a clock that is wrong is not believed", { captured: -7_200_000, played: 40, travelled: 20 }, 160],
    ["nor one that is beyond all delays", { captured: 4001, played: 9_000_000, travelled: 20 }, 140],
    ["nothing is known", NONE, null],
  ])("%s", (_, ages, age) => {
    expect(ageOf(ages, 120)).toBe(age);
  });

  it("is the longest delay where HLS is later than cards wait for", () => {
    expect([2600, 6400, 60_000, 7_200_000, -5].map(datedAge)).toEqual([2600, 4000, 4000, 7_200_000, -5]);
  });

  it("is that of the shown picture, also when a newer one has come, and when RTP's clock begins anew", () => {
    const newest = { captureTimestamp: 2_208_988_800_000 + 1_788_000_000_040, rtpTimestamp: 1800 };
    expect(fromNtp(newest.captureTimestamp)).toBe(1_788_000_000_040);
    expect(capturedAt(newest, 1800)).toBe(1_788_000_000_040);
    expect(capturedAt(newest, 2 ** 32 - 1800)).toBe(1_788_000_000_000); // 3600 ticks before: 40 ms
  });
});

describe("the delay of cards (STU-24)", () => {
  it("is the median of five seconds, at most four seconds", () => {
    const delay = new Delay();
    for (const [index, age] of [60, 900, 64, 62, 61].entries()) delay.add(age, 500 * index, true);
    expect(delay.add(63, 2500, true)).toBe(63); // between 62 and 63 and 64: one late picture changes nothing
    expect(delay.add(500, 8000, true)).toBe(500); // those before are forgotten
    expect(new Delay().add(9000, 0, true)).toBe(4000);
  });

  it("grows at once, and shrinks between rounds only, also with another stream", () => {
    const delay = new Delay();
    delay.add(300, 0, true);
    delay.restart();
    expect(delay.add(100, 500, false)).toBe(300);
    delay.restart();
    expect(delay.add(2600, 1000, false)).toBe(2600);
    delay.restart();
    expect(delay.add(100, 1500, false)).toBe(2600);
    expect(delay.add(100, 2000, true)).toBe(100);
  });
});
