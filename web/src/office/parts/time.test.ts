import { expect, it } from "vitest";

import { days } from "./time";

it("asks for whole days, and for minutes of them where a time is written (OFF-04)", () => {
  const noon = Date.UTC(2026, 10, 19, 12);
  expect(days({ from: "2026-11-19", to: "2026-11-19" })).toEqual({ since: noon - 43_200_000, until: noon + 43_200_000 });
  expect(days({ from: "2026-11-19T12:00", to: "2026-11-19T12:59", game: "link" })).toEqual({ since: noon, until: noon + 3_600_000, game: "link" });
});
