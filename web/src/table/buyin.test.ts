import { expect, it } from "vitest";
import { SNAPSHOT } from "../game/snapshot.fixture";
import { Catalogue } from "../language/catalogue";
import { buyIn, firstChip, moneyLabel } from "./buyin";

const ME = { account: 500_000, brought: 0, limits: "standard" };

it("offers amounts by the least stake, and the one of the settings first", () => {
  expect(buyIn(SNAPSHOT, ME)).toEqual({ cap: null, most: 500_000, way: "bring", usual: 10_000, presets: [5_000, 10_000, 20_000, 50_000] });
});

it("offers more where stakes are higher", () => {
  const main = [2_500, 1_000_000] as const;
  const limits = [{ name: "high", main, side: main, max_win: null, cap: 400_000, chips: [2_500, 10_000] }];
  const high = buyIn({ ...SNAPSHOT, limits }, { ...ME, limits: "high" });
  expect(high).toEqual({ cap: 400_000, most: 400_000, way: "bring", usual: 25_000, presets: [50_000, 125_000, 250_000, 400_000] });
});

it("offers what can still be brought, and nothing where that is less than a stake", () => {
  const capped = { ...SNAPSHOT, cap: 30_000 };
  expect(buyIn(capped, { ...ME, brought: 20_000 }).most).toBe(10_000);
  expect(buyIn(SNAPSHOT, { ...ME, account: 4_250 })).toMatchObject({ usual: 4_250, presets: [2_000, 4_250] });
  expect(buyIn(SNAPSHOT, { ...ME, account: 99 })).toMatchObject({ usual: 0, presets: [] });
  expect(buyIn(null, null)).toMatchObject({ most: 0, usual: 0, presets: [] });
});

it("leads to more money where none can be brought (PLT-64)", () => {
  const capped = { ...SNAPSHOT, cap: 30_000 };
  const way = (account: number, brought: number) => buyIn(capped, { ...ME, account, brought }).way;
  expect([way(1, 0), way(1, 29_999), way(1, 30_000), way(0, 0), way(0, 30_000)]).toEqual(["bring", "bring", "leave", "cashier", "cashier"]);
  const label = (account: number, brought: number) => moneyLabel({ table: capped, me: { ...ME, account, brought } }, new Catalogue("it"));
  expect([label(1, 0), label(1, 30_000), label(0, 0)]).toEqual(["AGGIUNGI DENARO", "LASCIA E SIEDITI DI NUOVO", "CASSIERE"]);
});

it("begins with a chip that many of can be paid", () => {
  const { chips } = SNAPSHOT.options;
  expect([firstChip(chips, 10_000, 100), firstChip(chips, 1_000, 100), firstChip(chips, 50_000, 2_500)]).toEqual([500, 100, 2_500]);
});
