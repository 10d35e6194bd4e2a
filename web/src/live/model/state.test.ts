import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Frame, LiveView, Snapshot, TableEvent } from "../../wire";
import { advance, fold, fromSnapshot, order, type LiveState } from "./state";

interface Step {
  step: string;
  frame?: Frame | null;
  snapshot: Snapshot;
}

function evening(name: string): Step[] {
  const path = new URL(`../../../../tests/golden/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8")) as Step[];
}

function picture({ phase, until, paused, seats, crowd, shoe, timers, next_commitment, studio, stakes }: LiveState): LiveView {
  return { phase, until, paused, seats, crowd, shoe, timers, next_commitment, studio, stakes };
}

/** Of a table, what a snapshot tells. */
function told(table: LiveState): object {
  const { view, outcome, round, turn, seq, epoch, commitment } = table;
  return { view, outcome, round, turn, seq, epoch, commitment, live: picture(table) };
}

describe.each(["live-freebet", "live-majority", "live-shoes"])("folding %s", (name) => {
  const [first, ...steps] = evening(name);
  if (!first) throw new Error("an evening has a beginning");

  it("gives what a snapshot tells, after every frame", () => {
    let table = fromSnapshot(first.snapshot);
    for (const { step, frame, snapshot } of steps) {
      if (frame) {
        expect(order(table, frame), step).toBe("next");
        table = advance(table, frame);
      }
      const after = fromSnapshot(snapshot, table);
      expect(told(table), step).toEqual({ ...told(after), seq: table.seq });
      expect(order(table, { ...(frame as Frame), epoch: table.epoch, seq: table.seq }), step).toBe("seen");
    }
  });

  it("goes on from the snapshot of any moment", () => {
    const last = steps.at(-1);
    const frames = steps.flatMap(({ frame }) => frame ?? []);
    for (const { snapshot } of steps) {
      const rest = frames.filter(({ seq }) => seq > snapshot.seq);
      const table = rest.reduce(advance, fromSnapshot(snapshot));
      expect(table.view).toEqual(last?.snapshot.view);
      expect(picture(table)).toEqual(last?.snapshot.live);
    }
  });
});

describe("a live table", () => {
  const [first] = evening("live-freebet");
  const table = fromSnapshot(first?.snapshot as Snapshot);
  const after = (...events: TableEvent[]) => events.reduce(fold, table);

  it("keeps what is known of its shoe when it is shown again", () => {
    const committed = after(
      { type: "shoe-committed", commitment: "c0ffee" },
      { type: "shoe-seeded", client_seed: "5eed", seeds: 2, root: "7007" },
    );
    const again = { ...(first?.snapshot as Snapshot), commitment: "c0ffee" };
    expect(fromSnapshot(again, committed).root).toBe("7007");
    expect(fromSnapshot({ ...again, commitment: "other" }, committed).root).toBe("");
  });

  it("knows the next shoe until it is the one in use", () => {
    const promised = after({ type: "next-shoe-committed", commitment: "beef" });
    expect([table.next_commitment, promised.next_commitment, promised.commitment]).toEqual(["", "beef", table.commitment]);
    const taken = fold(promised, { type: "shoe-committed", commitment: "beef" });
    expect([taken.next_commitment, taken.commitment, taken.shoe?.commitment]).toEqual(["", "beef", "beef"]);
  });

  it("keeps the streak of one who takes the same seat again, as a name that is told anew", () => {
    const taken = { type: "seat-taken", spot: 3, player: "7", name: "ada", bot: false } as const;
    const won = after(taken, { type: "streak-changed", spot: 3, rounds: 4 });
    const seated = (table: LiveState) => table.seats.find(({ spot }) => spot === 3);
    expect(seated(fold(won, { ...taken, name: "ada b" }))).toMatchObject({ player: "7", name: "ada b", bot: false, streak: 4 });
    expect(seated(fold(won, { ...taken, player: "8" }))?.streak).toBe(0);
  });
});
