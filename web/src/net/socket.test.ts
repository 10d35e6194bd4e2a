import { beforeEach, describe, expect, it } from "vitest";
import { LATE, Line, type Place, type Question, type Surroundings } from "./socket";
import { FakeWire } from "./wire.fixture";

let wires: FakeWire[];
let waits: { act: () => void; milliseconds: number; gone: boolean }[];
let chance: number;
let awake: (anew: boolean) => void;
let lose: () => void;
let now: number;
let place: Place | null;
let heard: unknown[];
let line: Line;

function last(): FakeWire {
  const wire = wires.at(-1);
  if (!wire) throw new Error("nothing is connected");
  return wire;
}

beforeEach(() => {
  wires = [];
  waits = [];
  chance = 0.5;
  now = 0;
  heard = [];
  place = null;
  let ids = 0;
  const around: Surroundings = {
    connect: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    newId: () => `id${(ids += 1)}`,
    later: (act, milliseconds) => {
      const wait = { act: () => wait.gone || act(), milliseconds, gone: false };
      waits.push(wait);
      return () => (wait.gone = true);
    },
    random: () => chance,
    wake: (act) => {
      awake = act;
      return () => (awake = () => undefined);
    },
    lose: (act) => {
      lose = act;
      return () => (lose = () => undefined);
    },
    now: () => now,
  };
  const listener = {
    told: (message: unknown) => heard.push(message),
    line: (sure: boolean, sent: readonly Question[], silent: boolean, queued: readonly Question[]) =>
      heard.push([sure, sent.map(({ type }) => type), silent, queued.map(({ type }) => type)]),
    place: () => place,
  };
  line = new Line({ type: "open", game: "surrender", currency: "FUN" }, listener, around);
});

/** Until what was answered has been heard. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
}

describe("the line to the house", () => {
  it("opens the game, and can be trusted once it is shown", async () => {
    last().onopen?.();
    expect(last().sent).toEqual([{ type: "open", id: "id1", game: "surrender", currency: "FUN" }]);
    expect(heard).toEqual([]);
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    expect(heard).toEqual([[true, [], false, []]]);
  });

  it("says nothing of a request that waits until the table is open for the first time (PLT-67)", async () => {
    last().onopen?.();
    void line.ask({ type: "leave", table: "t" });
    expect(heard).toEqual([]);
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    last().says({ type: "answer", id: "id2", error: null, at: 0 });
    expect(heard).toEqual([[true, [], false, []]]);
  });

  it("cannot be trusted while an answer is late, and says what was sent (PLT-67)", async () => {
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    void line.ask({ type: "leave", table: "t" });
    waits.findLast(({ milliseconds, gone }) => milliseconds === LATE && !gone)?.act();
    expect(heard.at(-1)).toEqual([false, ["leave"], true, []]);
    last().says({ type: "answer", id: "id2", error: null, at: 0 });
    expect(heard.at(-1)).toEqual([true, [], false, []]);
  });

  it("tells what was asked without a line apart: it is sent with the next one (PLT-67)", async () => {
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    void line.ask({ type: "leave", table: "t" });
    last().close();
    void line.ask({ type: "say", table: "t", text: "ciao" });
    expect(heard.at(-1)).toEqual([false, ["leave"], false, ["say"]]);
    waits.at(-1)?.act();
    last().onopen?.();
    last().says({ type: "answer", id: "id4", error: null, at: 0 });
    await settled();
    expect(last().sent.map(({ type }) => type)).toEqual(["open", "leave", "say"]);
    expect(heard.at(-1)).toEqual([false, ["leave"], false, ["say"]]); // what became of it is not known yet
    last().says({ type: "answer", id: "id2", error: null, at: 0 });
    last().says({ type: "answer", id: "id3", error: null, at: 0 });
    expect(heard.at(-1)).toEqual([true, [], false, []]);
  });

  it("is given up when nothing comes any more, but not while the house speaks (PLT-67)", async () => {
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    for (const [id, speaks] of [["id2", true], ["id3", false]] as const) {
      void line.ask({ type: "leave", table: "t" });
      waits.findLast(({ milliseconds, gone }) => milliseconds === LATE && !gone)?.act();
      now += 8000;
      if (speaks) last().says({ type: "unsaid", table: "t", id: 1 });
      const wire = last();
      waits.findLast(({ milliseconds, gone }) => milliseconds === 8000 && !gone)?.act();
      expect(wire.onclose === null).toBe(!speaks);
      if (!speaks) expect(heard.at(-1)).toEqual([false, ["leave"], false, []]);
      if (speaks) last().says({ type: "answer", id, error: null, at: 0 });
    }
  });

  it("is lost at once when the browser has no network (PLT-67)", async () => {
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    void line.ask({ type: "leave", table: "t" });
    lose();
    expect(heard.at(-1)).toEqual([false, ["leave"], false, []]);
    waits.at(-1)?.act();
    expect(wires).toHaveLength(2);
  });

  it("gives each question its own answer", async () => {
    last().onopen?.();
    const sat = line.ask({ type: "sit", table: "t", amount: 100 });
    const left = line.ask({ type: "leave", table: "t" });
    last().says({ type: "answer", id: "id3", error: { code: "sitting/closed", params: {} }, at: 0 });
    last().says({ type: "answer", id: "id2", error: null, at: 0 });
    expect(await sat).toBeNull();
    expect(await left).toEqual({ code: "sitting/closed", params: {} });
  });

  it("goes on where it was, and asks again what was not answered, with the same id", async () => {
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: null, at: 0 });
    await settled();
    const asked = line.ask({ type: "act", table: "t", round: "r", turn: 2, command: { type: "hit", spot: 0 } });
    const question = last().sent.at(-1);
    place = { table: "t", epoch: 3, seq: 9 };
    last().close();
    waits.at(-1)?.act();
    last().onopen?.();
    expect(last().sent).toEqual([{ type: "resume", id: "id3", table: "t", epoch: 3, since: 9 }]);
    last().says({ type: "answer", id: "id3", error: null, at: 0 });
    await settled();
    expect(last().sent.at(-1)).toEqual(question);
    last().says({ type: "answer", id: "id2", error: null, at: 0 });
    expect(await asked).toBeNull();
  });

  it("tries again within a second for as long as a seat is held, then less often", () => {
    const pauses: number[] = [];
    for (let times = 0; times < 60; times += 1) {
      last().onclose?.();
      pauses.push(waits.at(-1)?.milliseconds ?? 0);
      chance = (times % 3) / 3;
      waits.at(-1)?.act();
    }
    const quick = pauses.slice(0, 40);
    expect(Math.max(...quick)).toBeLessThan(700);
    expect(new Set(quick).size).toBeGreaterThan(1);
    expect(quick.reduce((sum, pause) => sum + pause)).toBeGreaterThan(15_000);
    expect(Math.max(...pauses)).toBeGreaterThan(5000);
    expect(Math.max(...pauses)).toBeLessThan(11_000);
  });

  it("is back at once when the page is shown again or the network is back", () => {
    last().onclose?.();
    expect(wires).toHaveLength(1);
    awake(false);
    expect(wires).toHaveLength(2);
    waits.find(({ milliseconds, gone }) => milliseconds < 1000 && !gone)?.act();
    expect(wires).toHaveLength(2); // the attempt that was waited for is not made twice
    awake(false);
    expect(wires).toHaveLength(2); // it is on its way
    last().onopen?.();
    awake(false);
    expect(wires).toHaveLength(2); // and there
    const before = last();
    awake(true);
    expect(wires).toHaveLength(3); // what was open over another network is not trusted
    expect(before.onclose).toBeNull();
  });

  it("gives an attempt up that was begun when there was no line", () => {
    const attempt = waits.at(-1);
    expect(attempt?.milliseconds).toBe(3000);
    attempt?.act();
    waits.at(-1)?.act();
    expect(wires).toHaveLength(2);
    last().onopen?.();
    expect(waits.filter(({ gone }) => !gone).length).toBeLessThanOrEqual(2);
    attempt?.act();
    expect(wires).toHaveLength(2);
  });

  it("opens the game anew when it cannot go on", async () => {
    place = { table: "t", epoch: 3, seq: 9 };
    last().onopen?.();
    last().says({ type: "answer", id: "id1", error: { code: "table/unknown", params: {} }, at: 0 });
    await settled();
    expect(last().sent.at(-1)).toMatchObject({ type: "open", game: "surrender" });
  });

  it("stays away once it hung up", () => {
    last().onopen?.();
    line.stop();
    awake(true);
    expect(wires).toHaveLength(1);
    expect(waits.every(({ gone }) => gone)).toBe(true);
  });
});
