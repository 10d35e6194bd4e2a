import { expect, test } from "vitest";
import { timeOf } from "./code";

test("the time of a code is what stands between its date and its letters", () => {
  expect(timeOf("260829-104005-K7QA")).toBe("10:40:05");
  expect(timeOf("")).toBeUndefined();
});
