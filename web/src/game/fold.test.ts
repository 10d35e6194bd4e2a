import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { GAMES } from "../games";
import { fold as foldLive, fromSnapshot as liveOf, type LiveState } from "../live/model/state";
import type { Frame, OwnPart, Snapshot, TableEvent } from "../wire";
import { foldOwn } from "./fold";
import { SNAPSHOT } from "./snapshot.fixture";
import { fold, fromSnapshot, head, type Table } from "./table";

/** Random rounds and evenings, and hashes of what the house shows after each event (`tests/golden/corpus.py`). */
interface Corpus {
  readonly events: readonly TableEvent["type"][];
  readonly rounds: readonly Entry<RoundStep>[];
  readonly evenings: readonly Entry<EveningStep>[];
}

interface Entry<Step> {
  readonly game: string;
  readonly seed: number;
  readonly steps: readonly Step[];
}

interface RoundStep {
  readonly events: readonly TableEvent[];
  readonly views: readonly string[];
  readonly outcome: string;
}

interface EveningStep {
  readonly frame: Frame | null;
  readonly snapshot: Snapshot | null;
  /** Own parts that were told, and hashes of all, by player. */
  readonly told: Readonly<Record<string, OwnPart>>;
  readonly parts: Readonly<Record<string, string>>;
  readonly table: string;
}

const path = new URL("../../../build/corpus.json.gz", import.meta.url);
const corpus = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Corpus;
const seen = new Set<string>();

function digest(...shown: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(shown, inOrder)).digest("hex").slice(0, 12);
}

function inOrder(_: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function byGame<Step>(entries: readonly Entry<Step>[]): [string, Entry<Step>[]][] {
  return [...new Set(entries.map(({ game }) => game))].map((game) => [game, entries.filter((entry) => entry.game === game)]);
}

/** What became of a round for everyone. */
function publicly({ outcome: { sides, revealed, voided } }: Table): object {
  return { sides, revealed, voided };
}

/** All of a live table that can change. */
function picture(table: LiveState): readonly unknown[] {
  const { phase, until, paused, seats, crowd, shoe, next_commitment, studio, stakes } = table;
  const live = { phase, until, paused, seats, crowd, shoe, next_commitment, studio, stakes };
  return [table.round, table.turn, table.seq, table.commitment, table.view, publicly(table), live];
}

describe.each(byGame(corpus.rounds))("rounds of %s", (game, rounds) => {
  it("fold to what the house shows, event by event", () => {
    for (const { seed, steps } of rounds) {
      let table = fromSnapshot(SNAPSHOT);
      for (const { events, views, outcome } of steps) {
        events.forEach((event, index) => {
          seen.add(event.type);
          table = fold(table, event);
          if (digest(table.view) !== views[index])
            expect.fail(`${event.type}: ${JSON.stringify(table.view)}; python -m tests.golden.corpus ${game} ${seed} has the house's`);
        });
        const { settled, paid } = table.outcome;
        const own = GAMES[game]?.live ? [] : [{ settled, paid }];
        if (digest(publicly(table), ...own) !== outcome) expect.fail(`round ${seed}: ${JSON.stringify(table.outcome)}`);
      }
    }
  });
});

describe.each(byGame(corpus.evenings))("evenings at %s", (_, evenings) => {
  it("fold to what the house shows, for everyone and for each player", () => {
    for (const { seed, steps } of evenings) {
      let table: LiveState | null = null;
      let own: Readonly<Record<string, OwnPart>> = {};
      steps.forEach(({ frame, snapshot, told, parts, table: expected }, number) => {
        if (frame && table) {
          for (const event of frame.events) seen.add(event.type);
          [table, own] = after(table, own, frame);
          if (digest(...picture(table)) !== expected)
            expect.fail(`evening ${seed}, step ${number}: ${JSON.stringify(frame.events)} to ${JSON.stringify(picture(table))}`);
        }
        if (snapshot) table = liveOf(snapshot);
        own = { ...own, ...told };
        for (const [player, part] of Object.entries(parts))
          if (digest(own[player]) !== part)
            expect.fail(`evening ${seed}, step ${number}, player ${player}: ${JSON.stringify(own[player])}`);
      });
    }
  });
});

/** A live table and the own parts of its players after a frame. */
function after(
  before: LiveState,
  parts: Readonly<Record<string, OwnPart>>,
  frame: Frame,
): [LiveState, Readonly<Record<string, OwnPart>>] {
  let [table, own] = [{ ...before, ...head(before, frame) }, parts];
  for (const event of frame.events) {
    const { view } = table;
    own = Object.fromEntries(Object.entries(own).map(([player, me]) => [player, foldOwn(me, event, view)]));
    table = foldLive(table, event);
  }
  return [table, own];
}

it("has every event that a table can tell", () => {
  expect(corpus.events.filter((event) => !seen.has(event))).toEqual([]);
});
