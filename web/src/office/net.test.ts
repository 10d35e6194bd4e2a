import { afterEach, expect, it, vi } from "vitest";

import { gate } from "./gate.svelte";
import { file } from "./net";

afterEach(() => vi.unstubAllGlobals());

/** The house answers with these, one after the other. */
function answering(...responses: readonly Response[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => Promise.resolve(responses[asked.push(address) - 1]));
  return asked;
}

const refusal = (status: number, code: string) => Response.json({ error: { code, params: { most: 100_000 } } }, { status });
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

it("asks for a file again when the door was passed, and has it by the house's name (OFF-06, OFF-20)", async () => {
  const sent = new Response("a;b", { headers: { "Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="wins-all-2026-08-30.csv"' } });
  const asked = answering(refusal(401, "login/idle"), sent);
  const saving = file("office/reports/wins/file", { format: "csv", first: undefined });
  await settle();
  expect(gate.needed).toBe("idle");
  gate.open(true);
  const reply = await saving;
  expect(asked).toEqual(Array(2).fill("/api/v1/office/reports/wins/file?format=csv"));
  expect(reply).toMatchObject({ value: { name: "wins-all-2026-08-30.csv" } });
  if ("value" in reply) expect(await reply.value.content.text()).toBe("a;b");
});

it("tells why a file is refused", async () => {
  answering(refusal(409, "report/too-long"));
  expect(await file("office/events.csv", {})).toEqual({ failure: { code: "report/too-long", params: { most: 100_000 } } });
});
