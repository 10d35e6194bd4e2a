import { expect, it } from "vitest";
import { span } from "./period";

const NOON = new Date(2026, 2, 30, 12).getTime();

it("counts days by the player's clock, today among them", () => {
  expect(span("today", "", "", NOON)).toEqual({ since: new Date(2026, 2, 30).getTime() });
  expect(span("week", "", "", NOON)).toEqual({ since: new Date(2026, 2, 24).getTime() });
  expect(span("month", "", "", NOON)).toEqual({ since: new Date(2026, 2, 1).getTime() });
  expect(span("all", "2026-01-01", "", NOON)).toEqual({});
});

it("takes the last day in, also where a day has 23 hours", () => {
  expect(span("dates", "2026-03-01", "2026-03-29", NOON)).toEqual({
    since: new Date(2026, 2, 1).getTime(),
    until: new Date(2026, 2, 30).getTime(),
  });
  expect(span("dates", "", "", NOON)).toEqual({});
});
