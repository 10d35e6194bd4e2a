import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Ask, Me, Snapshot, TableEvent } from "../wire";
import { Game, type Stage } from "./game.svelte";
import { SNAPSHOT } from "./snapshot.fixture";
import type { Wire } from "./socket";
import { handResult, paidOn, stakeOn } from "./stakes";

const ME: Me = {
  type: "me",
  table: SNAPSHOT.table,
  balance: 10_000,
  account: 50_000,
  brought: 10_000,
  limits: "standard",
  part: null,
  results: { settled: [], paid: null },
  live: null,
};

interface Step {
  events: TableEvent[];
  part: Me["part"];
  view: Snapshot["view"];
  outcome: Snapshot["outcome"];
  results: Me["results"];
}
const path = new URL("../../../tests/golden/surrender.json", import.meta.url);
const [scene] = JSON.parse(readFileSync(path, "utf-8")) as { steps: Step[] }[];

let sent: Ask[];
let waits: (() => void)[];
let moves: boolean;
let wire: Wire;
let game: Game;

function tell(message: unknown): void {
  wire.onmessage?.({ data: JSON.stringify(message) });
}

function frame(seq: number, events: TableEvent[], round = "r"): void {
  tell({ table: SNAPSHOT.table, epoch: SNAPSHOT.epoch, seq, at: 0, round, turn: seq, events });
}

async function answer(error: unknown = null): Promise<void> {
  tell({ type: "answer", id: sent.at(-1)?.id, error });
  await new Promise((done) => setTimeout(done));
}

beforeEach(() => {
  sent = [];
  waits = [];
  moves = false;
  wire = {
    send: (text) => void sent.push(JSON.parse(text) as Ask),
    close: () => undefined,
    onopen: null,
    onclose: null,
    onmessage: null,
  };
  const stage: Stage = {
    connect: () => wire,
    newId: () => `id${sent.length}`,
    newSeed: () => "seed",
    later: (act) => {
      waits.push(act);
      return () => undefined;
    },
    moves: () => moves,
    now: () => 0,
  };
  game = new Game("surrender", "FUN", stage, 0);
  wire.onopen?.();
  tell(SNAPSHOT);
  tell(ME);
});

describe("a game", () => {
  it("stakes what lies on the table, and keeps it for the next round", async () => {
    game.chip = 1000;
    game.press(0, "main");
    expect([game.staked, game.net]).toEqual([1000, 0]);
    void game.deal();
    expect(sent.at(-1)).toMatchObject({
      type: "deal",
      client_seed: "seed",
      insurance: true,
      bets: [{ spot: 0, kind: "main", stake: 1000, golden: [] }],
    });
    await answer();
    expect(game.slip).toEqual({ placings: [], last: { "0/main": 1000 } });
  });

  it("keeps the chips on the table when the deal is refused", async () => {
    game.chip = 1000;
    game.press(0, "main");
    void game.deal();
    await answer({ code: "house/busy", params: {} });
    expect(game.failure?.code).toBe("house/busy");
    expect(game.staked).toBe(1000);
  });

  it("asks one thing at a time", async () => {
    void game.sit(100);
    void game.sit(200);
    expect(sent.filter(({ type }) => type === "sit")).toHaveLength(1);
    await answer();
    void game.sit(300);
    expect(sent.filter(({ type }) => type === "sit")).toHaveLength(2);
  });

  it("shows what it is told at a pace, and takes no decision before it is shown", () => {
    moves = true;
    const [placed, dealt] = scene?.steps ?? [];
    frame(8, [...(placed?.events ?? []), ...(dealt?.events ?? [])]);
    expect(game.showing).toBe(true);
    expect(game.table?.view.spots.flatMap(({ hands }) => hands.flatMap(({ cards }) => cards))).toHaveLength(1);
    void game.decide("hit");
    expect(sent.at(-1)?.type).toBe("open");
    while (waits.length) waits.shift()?.();
    expect(game.showing).toBe(false);
    void game.decide("surrender");
    expect(sent.at(-1)).toMatchObject({ type: "surrender", spot: 1, hand: 0, round: "r", turn: 8 });
  });

  it("asks for what it missed after a gap", () => {
    frame(10, []);
    expect(sent.at(-1)).toMatchObject({ type: "resume", epoch: 3, since: 7 });
    expect(game.table?.seq).toBe(7);
  });

  it("opens a table again that the house has thrown away", () => {
    tell({ type: "closed", table: SNAPSHOT.table, reason: "unit/lost" });
    expect(sent.at(-1)).toMatchObject({ type: "open", game: "surrender" });
  });

  it("knows what lies on a place and what became of it", () => {
    for (const [index, step] of (scene?.steps ?? []).entries()) {
      frame(8 + index, step.events);
      tell({ ...ME, balance: 9000, part: step.part, results: step.results });
    }
    expectResults();
    expect(game.said.at(-1)?.text).toMatch(/22[.,]01/);
  });

  it("still knows it when the page is loaded again", () => {
    const last = scene?.steps.at(-1);
    tell({ ...SNAPSHOT, round: "r", turn: 5, view: last?.view, outcome: last?.outcome });
    tell({ ...ME, balance: 9000, results: last?.results });
    expectResults();
    expect(game.table?.outcome.paid).toMatchObject({ staked: 2201, paid: 4150 });
    frame(8, [{ type: "round-opened", code: "next" }], "next");
    expect(handResult(game, 1, 0)).toBeNull();
  });

  function expectResults(): void {
    expect([0, 1, 2].map((spot) => stakeOn(game, spot, "main"))).toEqual([1000, 501, 400]);
    expect([paidOn(game, 1, "21+3"), paidOn(game, 2, "player-pair"), paidOn(game, 0, "21+3")]).toEqual([600, 0, null]);
    expect(handResult(game, 1, 0)).toEqual({ result: "half", net: -251, tone: "lose" });
  }
});
