import { beforeEach, expect, it, vi } from "vitest";
import { forgetOpened, noteOpened, recent } from "./recent";

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});

it("remembers the tables that were opened last, each once, the newest first", () => {
  for (const game of ["surrender", "link", "cashback", "surrender", "freebet", "majority-eu"])
    noteOpened({ href: `/play/${game}`, game });
  expect(recent().map(({ game }) => game)).toEqual(["majority-eu", "freebet", "surrender", "cashback"]);
  forgetOpened();
  expect(recent()).toEqual([]);
});

it("finds nothing in what it has not written", () => {
  for (const text of ["no list", "{}", '[{"href": 3}, null, 7]']) {
    stored.set("sabot.recent", text);
    expect(recent()).toEqual([]);
  }
});
