import { beforeEach, expect, it } from "vitest";
import type { Reply } from "../net/api";
import { Door, MOST_TRIES } from "./door.svelte";

let waits: { act: () => void; milliseconds: number }[];
let cancelled: number;
let door: Door;

beforeEach(() => {
  [waits, cancelled] = [[], 0];
  door = new Door({
    later: (act, milliseconds) => {
      waits.push({ act, milliseconds });
      return () => (cancelled += 1);
    },
  });
});

const limited = (seconds: number): Reply<string> => ({ failure: { code: "rate/limited", params: { seconds } } });

/** Let what was promised come. */
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

it("waits as long as the house says, counts down, and tries again by itself", async () => {
  const replies = [limited(2), { value: "in" }];
  const entering = door.enter(() => Promise.resolve(replies.shift() ?? limited(1)));
  await settle();
  expect(door.seconds).toBe(2);
  waits.shift()?.act();
  expect(door.seconds).toBe(1);
  expect(replies).toHaveLength(1);
  waits.shift()?.act();
  expect(door.seconds).toBeNull();
  expect(await entering).toEqual({ value: "in" });
});

it("does not wait for anything else, nor for longer than a person would", async () => {
  for (const reply of [limited(3600), { failure: { code: "login/wrong", params: {} } }])
    expect(await door.enter(() => Promise.resolve(reply))).toEqual(reply);
  expect(waits).toEqual([]);
});

it("gives up in the end, and at once when the page is left", async () => {
  let tries = 0;
  const entering = door.enter(() => {
    tries += 1;
    return Promise.resolve(limited(1));
  });
  for (let turn = 1; turn < MOST_TRIES; turn += 1) {
    await settle();
    waits.pop()?.act();
  }
  expect(await entering).toEqual(limited(1));
  expect(tries).toBe(MOST_TRIES);
  void door.enter(() => Promise.resolve(limited(9)));
  await settle();
  door.stop();
  expect([door.seconds, cancelled > 0]).toEqual([null, true]);
});
