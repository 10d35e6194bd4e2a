import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Frame, PlayerView, PublicOutcome, Results, TableEvent, TableView } from "../wire";
import { advance, EMPTY, fold, fromSnapshot, order, withResults } from "./table";
import { SNAPSHOT } from "./snapshot.fixture";

interface Step {
  command: string;
  events: TableEvent[];
  view: TableView;
  part: PlayerView;
  outcome: PublicOutcome;
  results: Results;
}

interface Scene {
  title: string;
  steps: Step[];
}

function golden(game: string): Scene[] {
  const path = new URL(`../../../tests/golden/${game}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8")) as Scene[];
}

function frame(seq: number, events: TableEvent[], epoch = 3): Frame {
  return { type: "frame", table: "solo/surrender", epoch, seq, at: 0, round: "r", turn: seq, events };
}

describe.each(["surrender", "cashback", "link", "classic-6"])("folding the events of %s", (game) => {
  it.each(golden(game).map((scene) => [scene.title, scene] as const))("%s", (_, scene) => {
    let table = fromSnapshot(SNAPSHOT);
    for (const step of scene.steps) {
      table = step.events.reduce(fold, table);
      const { view, outcome } = step;
      expect(table, step.command).toEqual(withResults(fromSnapshot({ ...SNAPSHOT, view, outcome }), step.results));
    }
  });
});

describe("a table", () => {
  const table = fromSnapshot(SNAPSHOT);

  it("takes frames in order, and only once", () => {
    expect(order(table, frame(8, []))).toBe("next");
    expect(order(table, frame(7, []))).toBe("seen");
    expect(order(table, frame(9, []))).toBe("gap");
    expect(order(table, frame(8, [], 4))).toBe("gap");
    expect(advance(table, frame(8, []))).toMatchObject({ seq: 8, turn: 8, round: "r" });
  });

  it("keeps what was settled until the next round opens", () => {
    const [scene] = golden("surrender");
    const events = scene?.steps.flatMap((step) => step.events) ?? [];
    const settled = events.reduce(fold, table);
    expect(settled.outcome.settled).toHaveLength(7);
    expect(settled.outcome.paid).toMatchObject({ staked: 2201, paid: 4150 });
    const opened = fold(settled, { type: "round-opened", code: "next" });
    expect(opened.outcome.settled).toHaveLength(0);
    expect(opened.view).toEqual(EMPTY);
  });

  it("shows the promise of the next shoe beside the seed of the last", () => {
    const seeds = { server_seed: "5eed", client_seed: "mine" };
    const revealed = fold(table, { type: "shoe-revealed", commitment: "c0ffee", ...seeds });
    const promised = fold(revealed, { type: "shoe-committed", commitment: "beef" });
    expect(promised.commitment).toBe("beef");
    expect(promised.outcome.revealed?.commitment).toBe("c0ffee");
  });

  it("says that a round was voided, and takes back what was settled in it", () => {
    const lost = { player: "7", spot: 0, hand: 0, why: "insurance", stake: { own: 50, golden: [], free: 0 } };
    const settled = fold(table, { type: "bet-settled", ...lost, result: "lose", paid: 0, golden_back: [] });
    const voided = fold(settled, { type: "round-voided", reason: "malfunction" });
    expect(voided.view.phase).toBe("voided");
    expect(voided.outcome).toEqual({ ...table.outcome, voided: "malfunction" });
  });
});
