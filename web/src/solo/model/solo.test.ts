import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Request, OwnPart, Snapshot, TableEvent } from "../../wire";
import type { Stage } from "../../net/stage";
import { SoloGame } from "./solo.svelte";
import { SNAPSHOT } from "../../game/snapshot.fixture";
import { prefs, USUAL } from "../../house/prefs.svelte";
import { lineWords } from "../../line/words";
import * as chips from "./slip";
import type { Wire } from "../../net/socket";
import { handResult, isOn } from "../../game/book";
import { bonusWon, cutOff, stakeOn, winLeft } from "./stakes";

/** What came back on a place, once it is settled; null before. */
function paidOn({ settled }: SoloGame, spot: number, kind: string): number | null {
  const lines = settled.filter((line) => line.spot === spot && isOn(kind, line.why));
  return lines.length ? lines.reduce((sum, { paid }) => sum + paid, 0) : null;
}

const ME: OwnPart = {
  type: "me",
  table: SNAPSHOT.table,
  balance: 10_000,
  account: 50_000,
  brought: 10_000,
  limits: "standard",
  part: null,
  results: { settled: [], paid: null },
  insurance: true,
  last: [],
  notices: [],
  live: null,
};

interface Step {
  command: string;
  events: TableEvent[];
  part: OwnPart["part"];
  view: Snapshot["view"];
  outcome: Snapshot["outcome"];
  results: OwnPart["results"];
}
function golden(name: string, number = 0): Step[] {
  const path = new URL(`../../../../tests/golden/${name}.json`, import.meta.url);
  const scenes = JSON.parse(readFileSync(path, "utf-8")) as { steps: Step[] }[];
  return scenes[number]?.steps ?? [];
}
const steps = golden("surrender");

let sent: Request[];
let waits: (() => void)[];
let moves: boolean;
let wire: Wire;
let stage: Stage;
let game: SoloGame;

function tell(message: unknown): void {
  wire.onmessage?.({ data: JSON.stringify(message) });
}

function frame(seq: number, events: TableEvent[], round = "r"): void {
  tell({ type: "frame", table: SNAPSHOT.table, epoch: SNAPSHOT.epoch, seq, at: 0, round, turn: seq, events });
}

async function answer(error: unknown = null): Promise<void> {
  tell({ type: "answer", id: sent.at(-1)?.id, error });
  await new Promise((done) => setTimeout(done));
}

/** Tell a golden scene from its beginning as far as a step, which is left to be told. */
function until(all: Step[], command: string): Step {
  const end = all.findIndex((step) => step.command === command);
  all.slice(0, end).forEach((step, index) => {
    tellStep(step, 8 + index);
    game.closeWin();
  });
  const step = all[end];
  if (!step) throw new Error(`no step ${command}`);
  return step;
}

function tellStep(step: Step, seq = (game.table?.seq ?? 0) + 1): void {
  frame(seq, step.events);
  tell({ ...ME, balance: 9000, part: step.part, results: step.results });
}

async function open(name = "surrender"): Promise<void> {
  game = new SoloGame(name, "FUN", stage, 0);
  wire.onopen?.();
  tell({ ...SNAPSHOT, game: name });
  tell(ME);
  await answer();
}

beforeEach(async () => {
  sent = [];
  waits = [];
  moves = false;
  wire = {
    send: (text) => void sent.push(JSON.parse(text) as Request),
    close: () => undefined,
    onopen: null,
    onclose: null,
    onmessage: null,
  };
  stage = {
    connect: () => wire,
    newId: () => `id${sent.length}`,
    newSeed: () => "seed",
    later: (act) => {
      waits.push(act);
      return () => undefined;
    },
    paced: (act, milliseconds) => stage.later(act, milliseconds),
    moves: () => moves,
    now: () => 0,
  };
  await open();
});

describe("one who opens a table", () => {
  const STANDS = { ...ME, balance: null, brought: 0 };

  async function arrive(currency: "EUR" | "FUN", me: OwnPart): Promise<void> {
    sent = [];
    game = new SoloGame("surrender", currency, stage, 0);
    wire.onopen?.();
    tell({ ...SNAPSHOT, currency });
    tell(me);
    await answer();
  }

  it("is told what was done meanwhile, until the next deal (PLT-49)", async () => {
    const notice = { what: "money-returned", number: 7, at: 0, round: "", spot: -1, hand: 0, detail: "", amount: 900 } as const;
    await arrive("FUN", { ...STANDS, notices: [notice] });
    expect(game.away).toEqual([notice]);
    tell(ME); // seated: the house takes it as seen
    await answer();
    expect(game.away).toEqual([notice]);
    void game.deal();
    await answer();
    expect(game.away).toEqual([]);
  });

  it("is told for a while that the line is back", async () => {
    const { line } = game;
    expect(line.returned).toBe(false);
    wire.onclose?.();
    expect([game.connected, line.returned]).toEqual([false, false]);
    waits.splice(0).forEach((wait) => wait());
    wire.onopen?.();
    await answer();
    expect([game.connected, line.returned]).toEqual([true, true]);
    waits.splice(0).forEach((wait) => wait());
    expect(line.returned).toBe(false);
  });

  it("hears of a round that waits only in a round, and what happened as it was told, not as it is shown (PLT-67)", async () => {
    wire.onclose?.();
    expect(lineWords(game)).toBe("Connection lost: trying again.");
    waits.splice(0).forEach((wait) => wait());
    wire.onopen?.();
    await answer();
    waits.splice(0).forEach((wait) => wait());
    until(steps, "1.0 surrender");
    wire.onclose?.();
    expect(lineWords(game)).toBe("Connection lost: trying again. The round waits for you.");
    moves = true;
    waits.splice(0).forEach((wait) => wait());
    wire.onopen?.();
    const seq = game.table?.seq ?? 0;
    steps.slice(-2).forEach((step, index) => frame(seq + 1 + index, step.events));
    await answer();
    expect(game.showing).toBe(true);
    expect(lineWords(game)).toBe("You are connected again. The round ended meanwhile.");
  });

  it("for play money sits there at once, with a bet to be dealt", async () => {
    await arrive("FUN", STANDS);
    expect(sent.at(-1)).toMatchObject({ type: "sit", amount: SNAPSHOT.sitting });
    expect([game.seating, game.fresh]).toEqual([true, true]);
    tell(ME);
    await answer();
    expect([game.seating, game.staked, chips.stakes(game.slip)]).toEqual([false, 500, { "2/main": 500 }]);
    void game.deal();
    await answer();
    expect(game.fresh).toBe(false);
    tell(STANDS); // the sitting is over: who wants to sit again says so
    expect([sent.at(-1)?.type, game.seating]).toEqual(["deal", false]);
  });

  it("finds the last bets again instead of a first one", async () => {
    const last = [{ spot: 0, kind: "main", stake: 700, golden: [] }];
    await arrive("FUN", { ...STANDS, last });
    tell({ ...ME, last });
    await answer();
    expect(game.slip).toEqual({ placings: [], last: { "0/main": 700 } });
  });

  it("chooses how much to bring in euros, with an empty account, and after a refusal", async () => {
    await arrive("EUR", STANDS);
    expect(sent.map(({ type }) => type)).toEqual(["open"]);
    await arrive("FUN", { ...STANDS, account: 50 });
    expect(sent.map(({ type }) => type)).toEqual(["open"]);
    await arrive("FUN", STANDS);
    await answer({ code: "protection/time-out", params: {} });
    expect([game.seating, game.failure?.code, game.slip.placings]).toEqual([false, "protection/time-out", []]);
  });
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
    const [placed, dealt] = steps;
    waits = [];
    frame(8, [...(placed?.events ?? []), ...(dealt?.events ?? [])]);
    const cards = () => game.table?.view.spots.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards));
    expect([game.showing, cards()?.length]).toEqual([true, 1]);
    void game.decide("hit");
    expect(sent.at(-1)?.type).toBe("open");
    while (waits.length) waits.shift()?.();
    expect(game.showing).toBe(false);
    void game.decide("surrender");
    expect(sent.at(-1)).toMatchObject({ type: "act", round: "r", turn: 8, command: { type: "surrender", spot: 1, hand: 0 } });
  });

  it.each([
    ["normal", [260, 260]],
    ["fast", [104, 104]],
    ["instant", []],
  ] as const)("deals as fast as the settings say: %s", (deal_speed, first) => {
    prefs.settings = { ...prefs.settings, deal_speed };
    moves = true;
    const [placed, dealt] = steps;
    const paces: number[] = [];
    waits = [];
    stage.later = (act, milliseconds) => {
      waits.push(act);
      paces.push(milliseconds);
      return () => undefined;
    };
    frame(8, [...(placed?.events ?? []), ...(dealt?.events ?? [])]);
    expect([game.showing, game.moves]).toEqual([first.length > 0, first.length > 0]);
    waits.shift()?.();
    expect(paces).toEqual(first);
    prefs.settings = USUAL;
  });

  it("waits for the player in a round, once the cards lie", () => {
    expect([game.sitting, game.engaged, game.wait]).toEqual([true, false, null]);
    moves = true;
    const [placed, dealt] = steps;
    frame(8, [...(placed?.events ?? []), ...(dealt?.events ?? [])]);
    expect([game.engaged, game.wait]).toEqual([true, null]);
    while (waits.length) waits.shift()?.();
    expect(game.wait).toBe("decision");
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
    for (const [index, step] of steps.entries()) {
      frame(8 + index, step.events);
      tell({ ...ME, balance: 9000, part: step.part, results: step.results });
    }
    expectResults();
    expect(game.said.at(-1)?.text).toMatch(/22[.,]01/);
  });

  it("knows when the money at the table is too little for any bet (PLT-49)", () => {
    tell({ ...ME, balance: 99 });
    expect(game.broke).toBe(true);
    tell({ ...ME, balance: 100 });
    expect(game.broke).toBe(false);
    for (const [index, step] of steps.slice(0, 2).entries()) frame(8 + index, step.events);
    tell({ ...ME, balance: 0, part: steps[1]?.part });
    expect([game.betting, game.broke]).toEqual([false, false]);
  });

  it("still knows it when the page is loaded again", () => {
    const last = steps.at(-1);
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

describe("a decision", () => {
  it("sells a hand for the price that is shown (CSH-15)", async () => {
    await open("cashback");
    until(golden("cashback"), "0.0 cashback 841");
    expect(game.option("cashback")?.pays).toBe(841);
    void game.decide("cashback");
    expect(sent.at(-1)).toMatchObject({ type: "act", command: { type: "cashback", spot: 0, hand: 0, price: 841 } });
    await answer({ code: "cashback/stale", params: { price: 840, shown: 841 } });
    expect(game.failure?.code).toBe("cashback/stale");
    expect(sent.at(-1)).toMatchObject({ type: "open", game: "cashback" });
    expect(game.said.at(-1)?.text).toMatch(/8[.,]40/);
  });

  it("that refuses insurance for all is for the play session where the house says so (CSH-12, COM-57)", async () => {
    const offers = [0, 1].map((spot) => ({ spot, kind: "insurance", cost: 500, affordable: true }));
    await open("cashback");
    frame(8, [{ type: "insurance-offered", spot: 0, cost: 500 }]);
    tell({ ...ME, part: { balance: 9000, golden: {}, lines: [], offers } });
    void game.answer(false, true);
    expect(sent.at(-1)).toMatchObject({ type: "insure", accept: false, spot: null });
    await answer();
    expect(game.offersInsurance).toBe(true);
    tell({ ...ME, insurance: false });
    expect(game.offersInsurance).toBe(false);
    void game.offerInsurance(true);
    expect(sent.at(-1)).toMatchObject({ type: "offer-insurance", offered: true });
  });

  it("on even money is for one hand (LNK-04)", async () => {
    await open("link");
    until(golden("link"), "0 even-money yes");
    expect(game.offer).toMatchObject({ spot: 0, kind: "even-money" });
    void game.answer(true, true);
    expect(sent.at(-1)).toMatchObject({ type: "act", command: { type: "even-money", spot: 0, accept: true } });
  });
});

describe("a bonus", () => {
  const link = golden("link");

  function pass(): void {
    while (waits.length) waits.shift()?.();
  }

  beforeEach(() => open("link"));

  it("waits for its wheel to rest, and for the player at its win", () => {
    const spun = until(link, "0 spin");
    moves = true;
    tellStep(spun);
    expect(game.scene.wheel).toEqual({ section: 10, stopped: false, skipped: false });
    game.closeWin();
    game.skip();
    expect(game.scene.wheel?.skipped).toBe(true);
    game.wheelRests();
    expect(game.scene.wheel?.stopped).toBe(true);
    pass();
    expect(game.scene.win).toMatchObject({ section: 10, pays: 10, settled: { paid: 1100 } });
    expect(game.table?.view.bonus).toMatchObject({ spot: 0, stage: "wheel" });
    game.closeWin();
    pass();
    expect(game.scene).toMatchObject({ win: null, wheel: null });
    expect(game.table?.view.bonus).toMatchObject({ spot: 1, stage: "wheel" });
    expect(game.said.map(({ text }) => text).join()).toMatch(/X10/);
  });

  it("asks for what its stage needs", async () => {
    tellStep(until(link, "1 continue"));
    void game.spin();
    expect(sent.at(-1)).toMatchObject({ type: "act", command: { type: "spin", spot: 1 } });
    await answer();
    tell({ ...SNAPSHOT, game: "link", view: link[5]?.view, round: "r", turn: 5 });
    void game.proceed();
    expect(sent.at(-1)).toMatchObject({ type: "act", command: { type: "continue", spot: 1 } });
  });

  it("turns its cells before it tells what they show", () => {
    const opened = until(link, "1 spin");
    tellStep(opened);
    moves = true;
    tellStep({ ...opened, events: [{ type: "cells-locked", spot: 1, cells: [[4, 50]], spins: 3 }] });
    expect([game.scene.cells, game.table?.view.bonus?.cells.length]).toEqual([true, 3]);
    game.skip();
    expect([game.scene.cells, game.scene.fresh, game.table?.view.bonus?.cells.length]).toEqual([false, [4], 4]);
  });

  it("has one spin less from the press of GIRA on, and again where nothing came of it (LNK-27)", async () => {
    const opened = until(link, "1 continue");
    tellStep(opened);
    const { spins } = game;
    expect(spins).toBe(game.view.bonus?.spins);
    void game.spin();
    expect(game.spins).toBe(spins - 1);
    await answer({ code: "house/busy", params: {} });
    expect(game.spins).toBe(spins);
    void game.spin();
    await answer();
    expect(game.spins).toBe(spins - 1);
    moves = true;
    tellStep({ ...opened, events: [{ type: "cells-locked", spot: 1, cells: [], spins: spins - 1 }] });
    expect([game.scene.cells, game.spins]).toEqual([true, spins - 1]);
    game.skip();
    expect([game.scene.cells, game.spins]).toEqual([false, spins - 1]);
  });

  it("can win no more than the maximum win leaves (LNK-08, LNK-36)", () => {
    tellStep(until(link, "1 spin"));
    const won = game.settled.reduce((sum, { paid, stake }) => sum + paid - stake.own, 0);
    expect(won).toBe(1000);
    expect(winLeft(game)).toBeNull();
    tell({ ...SNAPSHOT, game: "link", options: { ...SNAPSHOT.options, max_win: 1500 }, limits: [], view: link[7]?.view, round: "r", turn: 7 });
    tell({ ...ME, part: link[7]?.part, results: link[7]?.results });
    expect(winLeft(game)).toBe(500);
  });

  it("tells of a win that was cut (LNK-08)", () => {
    const spun = until(link, "0 spin");
    const [stopped, ended, settled] = spun.events;
    if (!stopped || !ended || !settled) throw new Error("no events");
    tellStep({ ...spun, events: [stopped, ended, settled, { type: "win-capped", player: "ada", amount: 400, max_win: 600 }] });
    expect(game.scene.win?.capped?.amount).toBe(400);
    const paid = { type: "player-paid", player: "ada", staked: 100, paid: 700, balance: 1, golden: false } as const;
    tell({ ...ME, results: { settled: [settled], paid } });
    game.closeWin();
    expect(cutOff(game)).toBe(400);
  });

  it("tells of its diamonds, and leaves its table in sight meanwhile (LNK-29)", () => {
    const mega = golden("link", 1);
    tellStep(mega.at(0) as Step, 8);
    mega.slice(1, -1).forEach((step) => tellStep(step));
    moves = true;
    tellStep(mega.at(-1) as Step);
    pass();
    expect(game.scene.win).toMatchObject({ pays: 2740, settled: { paid: 548_200 } });
    expect(game.scene.win?.diamonds.map(({ block, prize }) => [block, prize])).toEqual([[2, "major"], [4, "grand"]]);
    expect(game.table?.view.bonus?.cells).toHaveLength(36);
    game.closeWin();
    pass();
    expect([game.table?.view.phase, handResult(game, 0, 0, bonusWon(game, 0))?.net]).toEqual(["settled", 1500 + 548_000]);
  });

  it("is found again after the page was loaded anew", () => {
    tell({ ...SNAPSHOT, game: "link", view: link[7]?.view, round: "r", turn: 7 });
    tell({ ...ME, part: link[7]?.part, results: link[7]?.results });
    expect(game.table?.view.bonus).toMatchObject({ stage: "table", feature: "link", spins: 2 });
    expect(stakeOn(game, 1, "link")).toBe(100);
    expect([stakeOn(game, 0, "link"), paidOn(game, 0, "link")]).toEqual([100, 1100]);
  });

  it("counts as its hand's win (LNK-34)", () => {
    moves = false;
    link.forEach((step, index) => {
      tellStep(step, 8 + index);
      game.closeWin();
    });
    expect(handResult(game, 0, 0, bonusWon(game, 0))).toEqual({ result: "even-money", net: 2000, tone: "win" });
  });
});

describe("chips", () => {
  it("are repeated as they were dealt, after the page was loaded anew too (COM-55)", () => {
    const last = steps.at(-1);
    tell({ ...SNAPSHOT, round: "r", view: last?.view, outcome: last?.outcome });
    const bets = { "0/main": 1000, "1/main": 501, "1/21+3": 100, "2/main": 200, "2/player-pair": 100, "-1/dealer-pair": 100 };
    const dealt = Object.entries(bets).map(([at, stake]) => {
      const [spot = "", kind = ""] = at.split("/");
      return { spot: Number(spot), kind, stake, golden: [] };
    });
    tell({ ...ME, balance: 100_000, results: last?.results, last: dealt });
    expect(game.staked).toBe(game.table?.outcome.paid?.staked); // PUNTATA is of the round that is shown (FRB-23)
    game.repeatOrDouble();
    expect(chips.stakes(game.slip)).toEqual(bets);
    game.repeatOrDouble();
    expect(chips.stakes(game.slip)["1/main"]).toBe(1002);
    expect(game.swept).toBe(true);
  });

  it("are taken off the balance when the cards begin to come", () => {
    game.chip = 1000;
    game.press(0, "main");
    moves = true;
    frame(8, [{ type: "round-opened", code: "r" }, ...(steps[0]?.events ?? []), ...(steps[1]?.events ?? [])]);
    expect([game.balance, game.staked, game.net]).toEqual([9000, 1000, 0]);
  });

  it("are said when they are placed", () => {
    game.press(2, "main");
    expect(game.said.at(-1)?.text).toMatch(/3.*1[.,]00/);
    game.press(4, "21+3");
    expect(game.failure?.code).toBe("bet/no-main-bet");
  });
});
