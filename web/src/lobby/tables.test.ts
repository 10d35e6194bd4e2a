import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TableHead } from "../wire";
import type { Wire } from "../net/socket";
import { LOOK_AGAIN, Tables } from "./tables.svelte";

const HEAD = { table: "live/freebet", phase: "betting" } as TableHead;

let wires: Wire[];
let sent: unknown[];
let waits: { act: () => void; milliseconds: number }[];
let closed: number;
let tables: Tables;

beforeEach(() => {
  [wires, sent, waits, closed] = [[], [], [], 0];
  tables = new Tables({
    connect: () => {
      const wire: Wire = {
        send: (text) => void sent.push(JSON.parse(text)),
        close: () => (closed += 1),
        onopen: null,
        onclose: null,
        onmessage: null,
      };
      wires.push(wire);
      return wire;
    },
    newId: () => "id",
    later: (act, milliseconds) => {
      waits.push({ act, milliseconds });
      return () => undefined;
    },
  });
});

afterEach(() => vi.unstubAllGlobals());

function tell(message: unknown): void {
  wires.at(-1)?.onmessage?.({ data: JSON.stringify(message) });
}

it("are told to a player as they change", () => {
  tables.watch(true);
  wires[0]?.onopen?.();
  expect(sent).toEqual([{ type: "watch-lobby", id: "id" }]);
  expect(tables.known).toBe(false);
  tell({ type: "lobby", tables: [HEAD] });
  tell({ type: "answer", id: "id", error: null, at: 0 });
  expect([tables.known, tables.list, tables.failure]).toEqual([true, [HEAD], null]);
  tell({ type: "lobby", tables: [{ ...HEAD, phase: "closing" }] });
  expect(tables.list[0]?.phase).toBe("closing");
});

it("stay in sight while the line is broken, and come back", () => {
  tables.watch(true);
  tell({ type: "lobby", tables: [HEAD] });
  wires[0]?.onclose?.();
  expect([tables.failure?.code, tables.list]).toEqual(["house/unreachable", [HEAD]]);
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([LOOK_AGAIN]);
  waits[0]?.act();
  tell({ type: "lobby", tables: [] });
  expect([tables.failure, tables.list]).toEqual([null, []]);
});

it("say when they cannot be watched", () => {
  tables.watch(true);
  tell({ type: "answer", id: "id", error: { code: "rate/limited", params: {} }, at: 0 });
  expect(tables.failure?.code).toBe("rate/limited");
});

it("are asked for by one who only looks, again and again", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ tables: [HEAD] })));
  tables.watch(false);
  await vi.waitFor(() => expect(tables.list).toEqual([HEAD]));
  expect(wires).toEqual([]);
  expect(waits).toHaveLength(1);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no network")));
  waits[0]?.act();
  await vi.waitFor(() => expect(tables.failure?.code).toBe("house/unreachable"));
});

it("are let go", async () => {
  tables.watch(true);
  tables.stop();
  wires[0]?.onclose?.();
  expect([closed, waits.length]).toEqual([1, 0]);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ tables: [HEAD] })));
  tables.watch(false);
  tables.stop();
  await new Promise((done) => setTimeout(done));
  expect([tables.known, waits.length]).toEqual([false, 0]);
});
