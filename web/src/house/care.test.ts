import { beforeEach, expect, it } from "vitest";
import { Catalogue } from "../language/catalogue";
import { endOf, EXCLUSIONS, FOR_GOOD, found, limitOf, LIMITS, limitText, PAUSES, wish } from "./care";
import { speech } from "../language/speech.svelte";

const texts = new Catalogue("it");
const MINUTES = "Scrivi minuti interi da 1 a 1440.";

beforeEach(() => (speech.language = "it"));

it.each([
  ["deposit-day", "50", 5000],
  ["loss-day", "12,50", 1250],
  ["loss-day", "1.000", 100_000],
  ["deposit-day", "0", 0],
  ["loss-day", "molto", "Scrivi l'importo in cifre, per esempio 1.000,50."],
  ["loss-day", "10.000.000.001", "Il massimo è 10.000.000.000,00 €."],
  ["session-minutes", "90", 90],
  ["session-minutes", "0", MINUTES],
  ["session-minutes", "1441", MINUTES],
  ["session-minutes", "1,5", MINUTES],
] as const)("%s of %j", (kind, written, value) => expect(limitOf(kind, written)).toBe(value));

it("asks for one limit at a time", () => {
  expect(LIMITS.map((kind) => wish(kind, 60))).toEqual([{ deposit_day: 60 }, { loss_day: 60 }, { session_minutes: 60 }]);
  expect(wish("loss-day", null)).toEqual({ loss_day: null });
});

it("says limits in words", () => {
  expect(LIMITS.map((kind) => limitText(kind, 6000, texts))).toEqual(["60,00 €", "60,00 €", "6000 min"]);
  expect(limitText("loss-day", null, texts)).toBe("nessun limite");
});

it("counts time-outs and exclusions in days, or for good", () => {
  const now = Date.UTC(2026, 10, 15, 12);
  expect(new Date(endOf("week", now)).toISOString()).toBe("2026-11-22T12:00:00.000Z");
  expect(endOf("for-good", now)).toBe(FOR_GOOD);
  const ends = [...PAUSES, ...EXCLUSIONS].map((span) => endOf(span, now));
  expect(ends).toEqual([...ends].sort((one, other) => one - other));
  for (const span of [...PAUSES, ...EXCLUSIONS]) expect(texts.named("web.care", span)).not.toBe(span);
});

it("finds a kind among what is in force", () => {
  const rows = [{ kind: "time-out", value: 5, since: 1 }] as const;
  expect(found(rows, "time-out")?.value).toBe(5);
  expect(found(rows, "loss-day")).toBeUndefined();
});
