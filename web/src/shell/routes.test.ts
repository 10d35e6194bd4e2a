import { expect, it } from "vitest";
import { enterPath, isPrivate, isQuiet, opensBeside, playPath, routeOf, seatPath } from "./routes";

it.each([
  ["/", { name: "lobby" }],
  ["/play/surrender", { name: "play", game: "surrender", currency: null }],
  ["/play/link/fun", { name: "play", game: "link", currency: "FUN" }],
  ["/play/link/gold", { name: "unknown" }],
  ["/play", { name: "unknown" }],
  ["/live/majority-eu", { name: "live", table: "majority-eu" }],
  ["/studio/evening", { name: "studio", table: "evening" }],
  ["/studio", { name: "unknown" }],
  ["/office", { name: "office", page: "", item: "", query: "" }],
  ["/office/floor/majority-eu", { name: "office", page: "floor", item: "majority-eu", query: "" }],
  ["/history", { name: "history" }],
  ["/history/261115-130501-K7QA", { name: "round", code: "261115-130501-K7QA" }],
  ["/cashier/", { name: "cashier" }],
  ["/help", { name: "help", game: "", table: "" }],
  ["/help/freebet", { name: "help", game: "freebet", table: "" }],
  ["/prizes/link", { name: "prizes", game: "link" }],
  ["/fairness", { name: "fairness" }],
  ["/settings/more", { name: "unknown" }],
  ["/a/b/c/d", { name: "unknown" }],
  ["/%E0%A4%A", { name: "unknown" }],
])("%s", (path, route) => expect(routeOf(path)).toEqual(route));

it("leads to the door and from there on, but never out of the house", () => {
  expect(enterPath("/")).toBe("/enter");
  expect(enterPath("/history", true)).toBe("/enter?register&next=%2Fhistory");
  expect(routeOf("/enter", "?register&next=%2Fhistory")).toEqual({ name: "enter", register: true, next: "/history" });
  for (const next of ["https://example.org", "//example.org", "/\\example.org", ""])
    expect(routeOf("/enter", `?next=${encodeURIComponent(next)}`)).toEqual({ name: "enter", register: false, next: "/" });
});

it("knows the address of every table", () => {
  expect(playPath("link", "FUN")).toBe("/play/link/fun");
  expect(playPath("link", null)).toBe("/play/link");
  expect(seatPath("solo/7/surrender/EUR", false)).toBe("/play/surrender");
  expect(seatPath("solo/7/surrender/FUN", false)).toBe("/play/surrender/fun");
  expect(seatPath("solo/7/surrender/FUN", true)).toBe("/play/surrender");
  expect(seatPath("live/majority-eu", true)).toBe("/live/majority-eu");
});

it("keeps strangers out of what is a player's own, and who is self-excluded from play", () => {
  expect(["/cashier", "/play/link", "/history"].map((path) => isPrivate(routeOf(path)))).toEqual([true, true, true]);
  expect(["/", "/help", "/fairness"].some((path) => isPrivate(routeOf(path)))).toBe(false);
  expect(["/", "/play/link", "/live/freebet"].some((path) => isQuiet(routeOf(path)))).toBe(false);
  expect(isQuiet(routeOf("/cashier"))).toBe(true);
});

it("knows which pages open beside a table (PLT-44, PLT-48)", () => {
  for (const path of ["/", "/history", "/history/261115-130501-K7QA", "/settings", "/cashier", "/help/link", "/prizes/link"])
    expect(opensBeside(routeOf(path)), path).toBe(true);
  for (const path of ["/play/link", "/live/freebet", "/enter", "/office"]) expect(opensBeside(routeOf(path)), path).toBe(false);
});
