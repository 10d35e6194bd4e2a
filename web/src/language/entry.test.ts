import { beforeEach, describe, expect, it } from "vitest";
import { amountWithin, Entry, type Bounds } from "./entry.svelte";
import { speech } from "./speech.svelte";

let bounds: Bounds;
let entry: Entry;

beforeEach(() => {
  speech.language = "it";
  bounds = { currency: "EUR", least: 100, most: 100_000 };
  entry = new Entry(amountWithin(() => bounds));
});

function refusal(text: string): string | null {
  entry.text = text;
  expect(entry.take()).toBeNull();
  return entry.reason;
}

describe("a field for an amount", () => {
  it("takes what the language of the page writes", () => {
    entry.text = "1.000,00";
    expect([entry.value, entry.take(), entry.reason]).toEqual([100_000, 100_000, null]);
    speech.language = "en";
    expect([refusal("1.000,00"), entry.value]).toEqual(["Write the amount in figures, for example 1,000.50.", null]);
    entry.text = "1,000.00";
    expect(entry.take()).toBe(100_000);
  });

  it.each([
    ["", "Scrivi un importo."],
    ["molto", "Scrivi l'importo in cifre, per esempio 1.000,50."],
    ["2,505", "Un importo ha al massimo due decimali, per esempio 1.000,50."],
    ["0", "L'importo deve essere maggiore di zero."],
    ["0,99", "Il minimo è 1,00 €."],
    ["1.000,01", "Il massimo è 1.000,00 €."],
  ])("refuses %j and says why", (text, reason) => expect(refusal(text)).toBe(reason));

  it("says whose the bound is", () => {
    bounds = { currency: "FUN", most: 5_000, above: "above-account" };
    expect(refusal("50,01")).toBe("Sul conto hai 50,00 FUN.");
    bounds = { currency: "EUR", most: 5_000, above: "above-cap" };
    expect(refusal("51")).toBe("A questo tavolo puoi portare ancora 50,00 €.");
  });

  it("takes nothing where nothing is a limit", () => {
    bounds = { currency: "EUR", least: 0 };
    entry.text = "0";
    expect(entry.take()).toBe(0);
  });

  it("says nothing before it is asked for, and no longer once something else is written", () => {
    entry.text = "molto";
    expect(entry.reason).toBeNull();
    entry.take();
    expect(entry.reason).not.toBeNull();
    entry.text = "molt";
    expect(entry.reason).toBeNull();
    entry.take();
    entry.clear();
    expect([entry.text, entry.reason]).toEqual(["", null]);
  });
});
