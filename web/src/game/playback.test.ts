import { beforeEach, describe, expect, it } from "vitest";
import { Playback, type Step, type Wait } from "./playback";

let shown: string[];
let timers: { act: () => void; milliseconds: number }[];
let playing: boolean;
let playback: Playback;

function step(name: string, wait: Wait): Step {
  return () => {
    shown.push(name);
    return wait;
  };
}

function tick(): void {
  timers.shift()?.act();
}

beforeEach(() => {
  shown = [];
  timers = [];
  playing = false;
  playback = new Playback(
    (act, milliseconds) => {
      const timer = { act, milliseconds };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
    (now) => (playing = now),
  );
});

describe("what is shown step by step", () => {
  it("stands for its time, one after the other", () => {
    playback.add(step("a", 0), step("b", 300), step("c", 0));
    expect([shown, playing]).toEqual([["a", "b"], true]);
    playback.add(step("d", 0));
    tick();
    expect([shown, playing]).toEqual([["a", "b", "c", "d"], false]);
  });

  it("stands until it is ended, and a tap does not end it", () => {
    playback.add(step("wheel", "until-ended"), step("win", 0));
    playback.skip();
    expect(shown).toEqual(["wheel"]);
    playback.end();
    expect([shown, playing]).toEqual([["wheel", "win"], false]);
  });

  it("is skipped before its time, and its time ends nothing more", () => {
    playback.add(step("turn", 1500), step("rest", 800));
    playback.end();
    expect(shown).toEqual(["turn"]);
    playback.skip();
    expect(shown).toEqual(["turn", "rest"]);
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([800]);
  });

  it("passes quickly for who is in a hurry, and slowly again after", () => {
    playback.hurry();
    playback.add(step("one", 260), step("two", 260), step("three", 260));
    playback.hurry();
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([40]);
    tick();
    tick();
    expect(playing).toBe(false);
    playback.add(step("four", 260));
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([260]);
  });

  it("is forgotten when the table is opened anew", () => {
    playback.add(step("win", "until-ended"), step("never", 0));
    playback.clear();
    expect(playing).toBe(false);
    playback.add(step("fresh", 0));
    expect(shown).toEqual(["win", "fresh"]);
  });
});
