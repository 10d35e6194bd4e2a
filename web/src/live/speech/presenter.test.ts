import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Catalogue } from "../../language/catalogue";
import type { Frame, Snapshot, TableEvent } from "../../wire";
import { gesture, lineFor, words } from "./presenter";
import { placeName, say } from "./narration";
import { fold, fromSnapshot, type LiveState } from "../model/state";

interface Step {
  frame?: Frame | null;
  snapshot: Snapshot;
}

function evening(name: string): Step[] {
  const path = new URL(`../../../../tests/golden/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8")) as Step[];
}

const italian = new Catalogue("it");
const english = new Catalogue("en");

/** All that is said in an evening: by the presenter, and in the live region. */
function told(name: string, texts: Catalogue, mine: readonly number[] | null = null): { spoken: string[]; said: string[] } {
  const [first, ...steps] = evening(name);
  let table = fromSnapshot(first?.snapshot as Snapshot);
  const [spoken, said]: [string[], string[]] = [[], []];
  for (const event of steps.flatMap(({ frame }) => frame?.events ?? [])) {
    table = fold(table, event);
    const line = lineFor(event, table, mine);
    if (line) spoken.push(words(line, texts));
    const text = say(event, table, texts, mine);
    if (text) said.push(text);
  }
  return { spoken, said };
}

describe("what is said", () => {
  it("tells what may be done to the one who may, and each thing once (ASR-51)", () => {
    const [first, ...steps] = evening("live-freebet");
    let table = fromSnapshot(first?.snapshot as Snapshot);
    const [own, other]: [string[], string[]] = [[], []];
    for (const event of steps.flatMap(({ frame }) => frame?.events ?? [])) {
      table = fold(table, event);
      const asked = event.type === "turn-started" && event.spot === 0 ? "turn-own" : null;
      own.push(say(event, table, italian, null, asked) ?? "");
      other.push(say(event, table, italian) ?? "");
    }
    expect(own.filter((line) => line.includes("Puoi"))).toHaveLength(4);
    expect(own.filter((line) => line.startsWith("Tocca a te: "))).toHaveLength(4);
    expect(other.filter((line) => line.includes("Puoi"))).toEqual([]);
    expect(other.filter((line) => line.startsWith("Tocca a Posto "))).toHaveLength(5);
    const lines = own.filter(Boolean);
    lines.forEach((line, i) => expect(line).not.toBe(lines[i - 1]));
    for (const said of own) expect(said).not.toMatch(/: raddoppiata\.$/);
  });

  it("at seats, in Italian", () => {
    const { spoken, said } = told("live-freebet", italian);
    expect(spoken.slice(0, 4)).toEqual([
      "Mescoliamo un sabot nuovo.",
      "Fate il vostro gioco, prego.",
      "Niente più puntate, grazie.",
      "Tocca a player 1.",
    ]);
    for (const sentence of [
      "player 1 si siede al posto 1.",
      "Posto 1, player 1: otto di picche, totale 8.",
      "Posto 1, player 1, parte 1: divide.",
      "Un momento di pazienza: stiamo controllando qualcosa.",
      "Si riprende da dove eravamo.",
      "Blackjack del banco.",
      "Il posto 3 è libero.",
    ])
      expect([...spoken, ...said]).toContain(sentence);
    expect(spoken.filter((line) => line.includes("undefined"))).toEqual([]);
  });

  it("speaks to a player as you, and of the others by their names (PLT-46)", () => {
    const [first, ...steps] = evening("live-freebet");
    let table = fromSnapshot(first?.snapshot as Snapshot);
    const told: string[] = [];
    for (const event of steps.flatMap(({ frame }) => frame?.events ?? [])) {
      table = fold(table, event);
      const player = table.seats.find(({ spot }) => spot === 0)?.player ?? null;
      const line = event.type === "turn-started" ? lineFor(event, table, null, player) : null;
      if (line && event.type === "turn-started") told.push(`${event.spot}: ${words(line, italian)}`);
    }
    expect(new Set(told.filter((line) => line.startsWith("0:")))).toEqual(new Set(["0: Tocca a te."]));
    expect(told.filter((line) => !line.startsWith("0:")).every((line) => line.includes(": Tocca a player"))).toBe(true);
  });

  it("of the own seat alone in focus mode", () => {
    const { spoken, said } = told("live-freebet", italian, [0]);
    expect(said).toContain("Posto 1, player 1: otto di picche, totale 8.");
    expect(spoken).toContain("Tocca a player 1.");
    expect([...spoken, ...said].filter((line) => /player [^1]|[Pp]osto [^1]/.test(line))).toEqual([]);
    const nobody = told("live-freebet", italian, []);
    expect([...nobody.spoken, ...nobody.said].filter((line) => /player \d|[Pp]osto \d/.test(line))).toEqual([]);
  });

  it("at boxes in focus mode: what a box does, and not how others voted", () => {
    const { spoken, said } = told("live-majority", english, [0, 1]);
    expect(spoken).toContain("Box 1: please vote.");
    expect(said).toContain("Box 1: doubles.");
    expect([...spoken, ...said].filter((line) => /votes|tied/.test(line))).toEqual([]);
  });

  it("at boxes, in English", () => {
    const { spoken, said } = told("live-majority", english);
    expect(spoken).toContain("Box 1: please vote.");
    expect(spoken).toContain("Box 1: doubles, with 2 votes of 2.");
    expect(spoken).toContain("Box 1: a tied vote. Best Strategy says: split.");
    expect(said).toContain("Box 2: Best Strategy plays.");
    expect([...spoken, ...said].filter((line) => /undefined|\{|web\./.test(line))).toEqual([]);
  });

  it("of shoes that are exchanged, and the bets that open with it", () => {
    const { spoken, said } = told("live-shoes", italian);
    const at = spoken.indexOf("Cambiamo sabot: l'altro è già mescolato.");
    expect(spoken.slice(at, at + 2)).toEqual(["Cambiamo sabot: l'altro è già mescolato.", "Fate il vostro gioco, prego."]);
    expect(said).toContain("Cambiamo sabot: l'altro è già mescolato.");
    expect(told("live-shoes", english).spoken).toContain("We change shoes: the other one is shuffled already.");
  });

  it("of a vote that nobody cast, and of a dealer's 22", () => {
    const steps = evening("live-majority");
    const table = fromSnapshot(steps.find(({ snapshot }) => snapshot.view?.spots.length)?.snapshot as Snapshot);
    const event = (more: object) => ({ spot: 0, hand: 0, action: "hit", free: false, tally: [], ...more }) as unknown as TableEvent;
    expect(lineFor(event({ type: "acted" }), table)?.key).toBe("web.live.says.vote-silent");
    const ended = { type: "dealer-ended", total: 22, bust: true, blackjack: false } as const;
    const freebet: LiveState = { ...table, game: "freebet" };
    expect(lineFor(ended, freebet)?.key).toBe("web.live.says.dealer-22");
    expect(lineFor(ended, table)?.key).toBe("web.live.says.dealer-bust");
    expect(placeName(table, -1, 0, italian)).toBe("Banco");
    expect(placeName(table, 1, 0, italian)).toBe("Postazione 2");
  });
});

it("deals with a gesture: from rest to the shoe, to the place of the card, and back", () => {
  const frames = (toward: number) => gesture(toward).map(({ transform }) => String(transform));
  const [left, middle, right] = [-1, 0, 1].map(frames);
  const x = (transform: string | undefined) => Number(/translate\((-?[\d.]+)px/.exec(transform ?? "")?.[1]);
  for (const way of [left, middle, right]) expect([way?.[0], way?.[1], way?.[3]]).toEqual(["none", middle?.[1], "none"]);
  const places = [left, middle, right].map((way) => x(way?.[2]));
  expect(places).toEqual([...places].sort((one, other) => one - other)); // further to the right, the further the place is
  expect(new Set(places).size).toBe(3);
  expect(x(middle?.[1])).toBeGreaterThan(x(right?.[2])); // the shoe is at the right end
});
