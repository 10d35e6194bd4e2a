import { expect, it } from "vitest";

import type { Needed } from "../wire";
import { Calls, placeOf } from "./calls.svelte";

const NOTHING: Needed = { calls: [], cards: [], alarms: [], proposals: [] };

/** Calls of a house that answers with these, the last one for good; and how often it rang. */
function calls(...answers: readonly Partial<Needed>[]): { readonly calls: Calls; rings: number } {
  let asked = 0;
  const told = {
    calls: new Calls(
      () => Promise.resolve({ value: { ...NOTHING, ...answers[Math.min(asked++, answers.length - 1)] } }),
      () => (told.rings += 1),
    ),
    rings: 0,
  };
  return told;
}

it("rings for what is new, once, and leads there (OFF-07)", async () => {
  const told = calls({}, { proposals: [7] }, { proposals: [7] }, { proposals: [7, 8] });
  await told.calls.look();
  expect([told.rings, told.calls.places]).toEqual([0, []]);
  await told.calls.look();
  expect(told.calls.places).toEqual([{ what: "proposal", table: "", count: 1, href: "/office/proposals/7" }]);
  await told.calls.look();
  expect(told.rings).toBe(1);
  await told.calls.look();
  expect([told.rings, told.calls.places[0]?.href]).toEqual([2, "/office/proposals?state=open"]);
});

it("rings again for a supervisor who does not come, and not after (OFF-07)", async () => {
  const told = calls({ calls: ["live/one"], cards: ["live/one", "live/two"] });
  for (let look = 0; look < 10; look += 1) await told.calls.look();
  expect(told.rings).toBe(3);
  expect(told.calls.places.map(({ what, href }) => [what, href])).toEqual([
    ["call", "/office/floor/one"],
    ["card", "/office/floor/two"],
  ]);
});

it("forgets an alarm whose way was gone, and tells of the next one (OFF-07)", async () => {
  const first = { id: "5-1", at: 5, kind: "return-alarm" as const, table: null };
  const second = { id: "9-1", at: 9, kind: "scan-refused" as const, table: "live/one" };
  const told = calls({ alarms: [first] }, { alarms: [second, first] });
  await told.calls.look();
  expect(told.calls.places[0]?.href).toBe("/office/monitoring");
  told.calls.seen();
  expect(told.calls.places).toEqual([]);
  await told.calls.look();
  expect([told.rings, told.calls.places[0]?.href]).toEqual([2, "/office/floor/one"]);
  expect(placeOf({ kind: "unavailable", table: null })).toBe("/office/events?severity=alarm&kind=unavailable");
});

it("keeps what it knew while the house does not answer", async () => {
  let answers = true;
  const told = new Calls(
    () => Promise.resolve(answers ? { value: { ...NOTHING, calls: ["live/one"] } } : { failure: { code: "house/unreachable", params: {} } }),
    () => undefined,
  );
  await told.look();
  answers = false;
  await told.look();
  expect(told.places).toHaveLength(1);
  told.forget();
  expect(told.places).toEqual([]);
});
