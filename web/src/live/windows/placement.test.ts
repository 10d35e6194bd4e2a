import { expect, it } from "vitest";
import { enlarged, first, fit, moved, resized } from "./placement";

const PAGE = { width: 1280, height: 800 };
const FRAME = { x: 100, y: 100, width: 300, height: 300 };

it("moves, but not out of the page", () => {
  expect(moved(FRAME, 50, -20, PAGE)).toEqual({ ...FRAME, x: 150, y: 80 });
  expect(moved(FRAME, -500, 5000, PAGE)).toEqual({ ...FRAME, x: 0, y: 500 });
});

it("grows from its corner, up to the page's edge, and stays usable", () => {
  expect(resized(FRAME, 100, 50, PAGE)).toEqual({ ...FRAME, width: 400, height: 350 });
  expect(resized(FRAME, 5000, -5000, PAGE)).toEqual({ ...FRAME, width: 1180, height: 180 });
});

it("fits a page that has become small", () => {
  const phone = { width: 360, height: 740 };
  expect(fit(enlarged(PAGE), phone)).toEqual({ x: 0, y: 4, width: 360, height: 736 });
  for (const room of [PAGE, phone, { width: 200, height: 150 }]) expect(fit(first(room), room)).toEqual(first(room));
});
