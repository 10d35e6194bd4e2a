import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "./api";
import { reach } from "./reach.svelte";

let answers: ((response: Response | Error) => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  vi.stubGlobal("fetch", () => new Promise((resolve, reject) => answers.push((found) => (found instanceof Error ? reject(found) : resolve(found)))));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("whether the house can be reached (PLT-67)", () => {
  it("is in doubt while an answer is late, and told for a while when it has come", async () => {
    const reply = call("GET", "games");
    await vi.advanceTimersByTimeAsync(1999);
    expect(reach.lost).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([reach.lost, reach.sent]).toEqual([true, []]);
    answers[0]?.(Response.json({}));
    await reply;
    expect([reach.lost, reach.returned]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(8000);
    expect(reach.returned).toBe(false);
  });

  it("names what was sent and never answered until it is done or read", async () => {
    const paid = call("POST", "cashier/deposit", {});
    await vi.advanceTimersByTimeAsync(2000);
    expect(reach.sent).toEqual([""]);
    answers[0]?.(new Error("lost"));
    expect(await paid).toEqual({ failure: { code: "house/unreachable", params: {} } });
    expect([reach.lost, reach.unknown]).toEqual([true, [""]]);
    const again = call("POST", "cashier/deposit", {});
    answers[1]?.(Response.json({ error: { code: "cashier/limit", params: {} } }, { status: 400 }));
    await again;
    expect([reach.lost, reach.unknown, reach.returned]).toEqual([false, [], true]);
  });
});
