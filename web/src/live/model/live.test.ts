import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY, foldOwn } from "../../game/fold";
import type { Stage } from "../../net/stage";
import { FakeWire } from "../../net/wire.fixture";
import type { Request, Bet, Frame, LivePart, OwnPart, PlaceBetsRequest, Snapshot } from "../../wire";
import { lineWords } from "../../line/words";
import { HouseClock } from "./clock";
import { LiveGame } from "./live.svelte";
import { place } from "./piles";
import { NO_PART } from "./state";

interface Step {
  step: string;
  frame?: Frame | null;
  snapshot: Snapshot;
}

function evening(name: string): Step[] {
  const path = new URL(`../../../../tests/golden/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf-8")) as Step[];
}

const EVENING = evening("live-freebet");
const at = (title: string) => EVENING.findIndex(({ step }) => step === title);

let wires: FakeWire[];
let timers: { act: () => void; at: number }[];
let now: number;
let moves: boolean;
let game: LiveGame;

const wire = () => wires.at(-1) as FakeWire;
const sent = <T extends Request["type"]>(type: T) => wire().sent.filter((ask): ask is Extract<Request, { type: T }> => ask.type === type);

async function settled(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await Promise.resolve();
}

/** Put the clock on; what is due on the way is done. */
function pass(milliseconds: number): void {
  const end = now + milliseconds;
  for (;;) {
    const due = timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
    if (!due) break;
    timers.splice(timers.indexOf(due), 1);
    now = Math.max(now, due.at);
    due.act();
  }
  now = end;
}

async function answer(ask: Request | undefined, code = ""): Promise<void> {
  wire().says({ type: "answer", id: ask?.id ?? "", error: code ? { code, params: {} } : null, at: 0 });
  await settled();
}

function part(live: Partial<LivePart>, more: Partial<OwnPart> = {}): OwnPart {
  return {
    type: "me",
    table: "live/1",
    balance: 10_000,
    account: 50_000,
    brought: 10_000,
    limits: "",
    part: null,
    results: { settled: [], paid: null },
    insurance: true,
    last: [],
    notices: [],
    live: { ...NO_PART, ...live },
    ...more,
  };
}

/** Show the table as it was after a step of the evening, to ada, who sits on seat 0. */
async function enter(step: string, live: Partial<LivePart> = { seats: [0] }): Promise<void> {
  wire().onopen?.();
  wire().says(EVENING[at(step)]?.snapshot as Snapshot);
  wire().says(part(live));
  await answer(wire().sent[0]);
}

function told(step: string): Frame {
  return EVENING[at(step)]?.frame as Frame;
}

beforeEach(() => {
  wires = [];
  timers = [];
  now = 1_788_000_000_000;
  moves = false;
  let ids = 0;
  const stage: Stage = {
    connect: () => {
      wires.push(new FakeWire());
      return wire();
    },
    newId: () => `id${(ids += 1)}`,
    newSeed: () => "5eed",
    later: (act, milliseconds) => {
      const timer = { act, at: now + milliseconds };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    paced: (act, milliseconds) => stage.later(act, milliseconds),
    moves: () => moves,
    now: () => now,
  };
  game = new LiveGame("live/1", 1, now, stage, () => "5eed");
});

describe("a live table on the page", () => {
  it.each(["live-freebet", "live-majority", "live-shoes"])("shows the whole of %s as it was told", (name) => {
    const [first, ...steps] = evening(name);
    wire().onopen?.();
    wire().says(first?.snapshot as Snapshot);
    for (const { step, frame, snapshot } of steps) {
      if (frame) wire().says(frame);
      expect(game.table?.view, step).toEqual(snapshot.view ?? first?.snapshot.view ?? game.table?.view);
      expect(game.table, step).toMatchObject(snapshot.live ?? {});
    }
  });

  const cards = () => game.table?.view.spots.flatMap(({ hands }) => hands.flatMap((hand) => hand.cards)).length;

  it("shows at once what comes late", async () => {
    moves = true;
    await enter("no more bets");
    now = told("the deal").at + 60_000;
    wire().says(told("the deal"));
    expect([cards(), game.table?.phase, game.showing]).toEqual([4, "dealing", false]);
  });

  it("shows a card with its picture, what follows after it, and what has no card at once (STU-24)", async () => {
    await enter("no more bets");
    now = told("the deal").at;
    game.showLater(800);
    wire().says(told("the deal"));
    expect([cards(), game.table?.phase]).toEqual([0, "closing"]);
    pass(799);
    expect(cards()).toBe(0);
    pass(1);
    expect([cards(), game.table?.phase]).toEqual([4, "dealing"]);
    expect(sent("tell-delay").map(({ delay }) => delay)).toEqual([800]);
  });

  it("tells the house how late its cards are, when that changes and after a break (STU-24)", async () => {
    await enter("no more bets");
    for (const delay of [40, 90, 120, 141, 160, 0]) game.showLater(delay);
    expect(sent("tell-delay").map(({ delay }) => delay)).toEqual([90, 141, 0]);
    game.showLater(2600);
    for (const ask of sent("tell-delay")) await answer(ask);
    wire().onclose?.();
    pass(3000);
    await enter("no more bets");
    expect(sent("tell-delay").map(({ delay }) => delay)).toEqual([2600]);
  });

  it("puts cards down at the dealer's pace, and goes on when they lie", async () => {
    moves = true;
    await enter("no more bets");
    now = told("the deal").at;
    wire().says(told("the deal"));
    expect([cards(), game.dealt, game.dealtTo]).toEqual([1, 1, 0]); // the presenter's hand goes where the card goes
    pass(600);
    expect([cards(), game.dealt, game.dealtTo]).toEqual([2, 2, 2]);
    pass(600 * 4);
    expect([cards(), game.table?.phase]).toEqual([4, "closing"]);
    pass(600);
    expect([game.table?.phase, game.showing]).toEqual(["dealing", false]);
  });

  it("waits for bets until there are some, then for the decision that is the player's", async () => {
    await enter("betting");
    expect([game.engaged, game.wait]).toEqual([false, "bets"]);
    wire().says(part({ seats: [0], bets: [{ spot: 0, kind: "main", stake: 500, golden: [] }] }));
    expect([game.engaged, game.wait]).toEqual([true, null]);
    await enter("the first turn");
    expect(game.wait).toBe("decision");
  });

  it("goes on after a broken line where it was, and asks again what was not answered", async () => {
    await enter("betting");
    game.bets.press([place(0, "main", [0])]);
    const [asked] = sent("place-bets");
    wire().close();
    expect(game.connected).toBe(false);
    pass(500);
    wire().onopen?.();
    const seq = EVENING[at("betting")]?.snapshot.seq;
    expect(wire().sent).toMatchObject([{ type: "resume", table: "live/1", since: seq }]);
    wire().says(told("bob forbids bets behind"));
    await answer(wire().sent[0]);
    expect(sent("place-bets")).toEqual([asked]);
    expect(game.table?.seq).toBe((seq ?? 0) + 1);
  });

  it("says for a while that the line is back (PLT-49)", async () => {
    await enter("betting");
    const { line } = game;
    expect(line.returned).toBe(false);
    wire().close();
    expect([game.connected, line.returned]).toEqual([false, false]);
    pass(1000);
    wire().onopen?.();
    await answer(wire().sent[0]);
    expect([game.connected, line.returned]).toEqual([true, true]);
    pass(7999);
    expect(line.returned).toBe(true);
    pass(1);
    expect(line.returned).toBe(false);
  });

  it("shows no seconds while the house does not answer, and says what became of what was sent (PLT-67)", async () => {
    await enter("betting");
    expect([game.seconds !== null, game.betting]).toEqual([true, true]);
    game.bets.press([place(0, "main", [0])]);
    const [asked] = sent("place-bets");
    pass(1999);
    expect(game.connected).toBe(true);
    pass(1);
    expect([game.connected, game.seconds, game.betting]).toEqual([false, null, false]);
    expect(lineWords(game)).toMatch(/^The server does not answer\. Sent: Bets of 1\.00\. It is not known yet whether it counts\./);
    const before = game.announcer.said.length;
    await answer(asked);
    expect(game.connected).toBe(true);
    expect(lineWords(game)).toBe("You are connected again. Bets of 1.00: done.");
    expect(game.announcer.said.slice(before).map(({ text }) => text)).toEqual([lineWords(game)]);
  });

  it("asks whether the house is there when it says nothing while the clock runs, and gives a dead line up (PLT-67)", async () => {
    await enter("betting");
    const before = wire().sent.length;
    pass(4000);
    game.tick();
    expect(wire().sent.slice(before)).toMatchObject([{ type: "see", number: 0 }]);
    game.tick();
    expect(wire().sent).toHaveLength(before + 1);
    pass(2000);
    expect([game.connected, game.line.silent]).toEqual([false, true]);
    const connections = wires.length;
    pass(8000);
    pass(1000);
    expect(wires).toHaveLength(connections + 1);
    wire().onopen?.();
    await answer(wire().sent[0]);
    expect(lineWords(game)).toBe("You are connected again. Nothing has changed meanwhile.");
  });

  it("asks for the table again only if it is refused what it asks a silent house (PLT-67)", async () => {
    await enter("betting");
    const before = wire().sent.length;
    for (const times of [1, 2]) {
      pass(4000);
      game.tick();
      await answer(wire().sent.at(-1));
      expect(wire().sent.slice(before)).toHaveLength(times);
    }
    pass(4000);
    game.tick();
    await answer(wire().sent.at(-1), "table/not-open");
    expect(wire().sent.slice(before).map(({ type }) => type)).toEqual(["see", "see", "see", "resume"]);
    expect(game.connected).toBe(true);
  });

  it("asks a silent house also while cards wait for their pictures, and shows none of them early (STU-24)", async () => {
    await enter("no more bets");
    now = told("the deal").at;
    game.showLater(3000);
    await answer(sent("tell-delay")[0]);
    wire().says(told("the deal"));
    pass(2000);
    game.tick();
    await answer(sent("see")[0]);
    wire().says(part({ seats: [0] }));
    expect([sent("see").length, cards(), game.showing]).toEqual([1, 0, true]);
    pass(1000);
    expect(cards()).toBe(4);
  });

  it("says what happened until it was connected again, whatever happens after that (PLT-67)", async () => {
    await enter("betting");
    wire().close();
    pass(1000);
    wire().onopen?.();
    await answer(wire().sent[0]);
    for (const { frame } of EVENING.slice(at("betting") + 1, at("no more bets") + 1)) if (frame) wire().says(frame);
    expect(game.table?.phase).not.toBe("betting");
    expect(lineWords(game)).toBe("You are connected again. Nothing has changed meanwhile.");
  });

  it("says in one sentence what became of what was sent into a line that broke (PLT-67)", async () => {
    await enter("betting");
    game.bets.press([place(0, "main", [0])]);
    const [asked] = sent("place-bets");
    wire().close();
    const before = game.announcer.said.length;
    pass(1000);
    wire().onopen?.();
    await answer(wire().sent[0]);
    await answer(asked);
    expect(game.announcer.said.slice(before).map(({ text }) => text)).toEqual(["You are connected again. Bets of 1.00: done."]);
  });

  it("says of what is asked without a line that it will be sent, and what holds for who has no bets (PLT-67)", async () => {
    await enter("betting");
    wire().close();
    void game.tell("ciao");
    expect(lineWords(game)).toBe("Connection lost: trying again. Will be sent: CHAT. The table's time goes on.");
    pass(1000);
    wire().onopen?.();
    await answer(wire().sent[0]);
    await answer(sent("say")[0]);
    expect(lineWords(game)).toBe("You are connected again. CHAT: done.");
    wire().says(part({ seats: [0], bets: [{ spot: 0, kind: "main", stake: 500, golden: [] }] }));
    wire().close();
    expect(lineWords(game)).toBe("Connection lost: trying again. Your bets stay in play; the table's time goes on.");
  });

  it("asks for what it missed when there is a gap", async () => {
    await enter("betting");
    wire().says(told("no more bets"));
    expect(wire().sent.at(-1)).toMatchObject({ type: "resume", since: EVENING[at("betting")]?.snapshot.seq });
    expect(game.table?.phase).toBe("betting");
  });

  it("hears of an own seat by who the player is, whatever others are called", async () => {
    await enter("ada sits down");
    for (const player of ["2", "1"])
      game.showEvent({ type: "seat-taken", spot: 5, player, name: "you", bot: false });
    expect(game.announcer.said.slice(-2).map(({ text }) => text)).toEqual(["you sits down at seat 6.", "You take seat 6."]);
  });

  it("has its part in the shuffle, once", async () => {
    await enter("ada sits down");
    wire().says(told("bob sits down"));
    expect(sent("send-seed")).toHaveLength(1);
    expect(sent("send-seed")[0]).toMatchObject({ table: "live/1", seed: "5eed" });
  });

  it("has its part in the shuffle of a shoe that is shuffled aside, once for each and again after a restart", async () => {
    const steps = evening("live-shoes");
    const step = (title: string) => steps.find((found) => found.step === title);
    const before = step("a seed for the next shoe")?.snapshot as Snapshot;
    const seeds = () => sent("send-seed").length;
    wire().onopen?.();
    wire().says(before);
    wire().says(part({}, { balance: null }));
    await answer(wire().sent[0]);
    expect(seeds()).toBe(0); // one who only looks on
    wire().says(part({}));
    expect(seeds()).toBe(1);
    wire().says(step("the bets")?.frame as Frame);
    expect(seeds()).toBe(1);
    wire().says({ ...before, epoch: before.epoch + 1 });
    expect(seeds()).toBe(2);
    wire().says(step("payout")?.snapshot as Snapshot);
    const known = seeds();
    wire().says(step("shoes are exchanged")?.frame as Frame);
    expect(seeds()).toBe(known + 1);
    expect(game.announcer.spoken?.key).toBe("web.live.says.shoes-exchanged");
    expect(game.table?.phase).toBe("betting");
  });

  it("keeps what people say, and lets go of what was taken away", () => {
    const said = { type: "said", table: "live/1", id: 4, player: "2", name: "bob", text: "ciao", at: 0, role: "player" } as const;
    wire().onopen?.();
    wire().says(said);
    wire().says(said);
    expect(game.talk).toHaveLength(1);
    wire().says({ type: "unsaid", table: "live/1", id: 4 });
    expect(game.talk).toEqual([]);
  });
});

describe("bets", () => {
  const main = place(0, "main", [0]);
  const bet = (stake: number): Bet => ({ spot: 0, kind: "main", stake, golden: [] });
  const placed = (asks: readonly PlaceBetsRequest[]) => asks.map(({ bets }) => bets.map(({ stake }) => stake));

  it("go to the house one set at a time, those placed meanwhile together", async () => {
    await enter("betting");
    game.bets.press([main]);
    game.bets.press([main]);
    game.bets.press([main]);
    expect(placed(sent("place-bets"))).toEqual([[100]]);
    expect([game.staked, game.balance]).toEqual([300, 9700]);
    wire().says(part({ seats: [0], bets: [bet(100)] }, { balance: 9900 }));
    await answer(sent("place-bets")[0]);
    expect(placed(sent("place-bets"))).toEqual([[100], [300]]);
    wire().says(part({ seats: [0], bets: [bet(300)] }, { balance: 9700 }));
    await answer(sent("place-bets")[1]);
    expect(placed(sent("place-bets"))).toEqual([[100], [300]]);
    expect([game.staked, game.balance, game.net]).toEqual([300, 9700, 0]);
  });

  it("lie as the house has them when it refuses", async () => {
    await enter("betting", { seats: [0], bets: [bet(500)] });
    expect(game.staked).toBe(500);
    game.bets.press([main]);
    await answer(sent("place-bets")[0], "bet/late");
    expect([game.staked, game.failure?.code]).toEqual([500, "bet/late"]);
    expect(sent("place-bets")).toHaveLength(1);
  });

  it("are on their way before the round is started", async () => {
    await enter("betting");
    game.bets.press([main]);
    void game.startNow();
    await settled();
    expect(sent("start-now")).toEqual([]);
    wire().says(part({ seats: [0], bets: [bet(100)] }, { balance: 9900 }));
    await answer(sent("place-bets")[0]);
    expect(sent("start-now")).toMatchObject([{ round: EVENING[at("betting")]?.snapshot.round }]);
  });

  it("are staked also while none may be placed: once the round is started, in a pause, without a line", async () => {
    await enter("betting", { seats: [0], bets: [bet(500)] });
    wire().says(part({ seats: [0], bets: [bet(500)], started: true }, { balance: 9500 }));
    expect([game.betting, game.staked, game.balance]).toEqual([false, 500, 9500]);
    wire().says(part({ seats: [0], bets: [bet(500)] }, { balance: 9500 }));
    wire().close();
    expect([game.betting, game.staked]).toEqual([false, 500]);
  });

  it("follow to a seat more", async () => {
    await enter("betting", { seats: [0], bets: [bet(500)] });
    wire().says(part({ seats: [0, 3], bets: [bet(500)] }));
    await settled();
    expect(placed(sent("place-bets"))).toEqual([[500, 500]]);
  });

  it("that were dealt last are repeated by a page that was loaded since (FRB-23)", async () => {
    wire().onopen?.();
    wire().says(EVENING[at("the next betting")]?.snapshot as Snapshot);
    wire().says(part({ seats: [0] }, { last: [{ spot: 0, kind: "main", stake: 1000, golden: [] }] }));
    await answer(wire().sent[0]);
    expect([game.staked, game.bets.costOf(game.bets.repeat)]).toEqual([0, 1000]);
    game.bets.repeatOrDouble();
    expect(game.staked).toBe(1000);
  });

  it("that stood at the close are repeated, before the first chip only", async () => {
    await enter("no more bets", { seats: [0], bets: [bet(700)] });
    wire().says(told("the deal"));
    for (const step of EVENING.slice(at("the deal") + 1, at("the next betting") + 1)) if (step.frame) wire().says(step.frame);
    expect([game.table?.phase, game.staked, game.bets.costOf(game.bets.repeat)]).toEqual(["betting", 0, 700]);
    game.bets.repeatOrDouble();
    expect(placed(sent("place-bets"))).toEqual([[700]]);
    game.bets.repeatOrDouble();
    expect(game.staked).toBe(1400);
  });
});

it("knows how far the house's clock is ahead, by the quickest answer", () => {
  let here = 1000;
  const clock = new HouseClock(() => here);
  clock.compare(5100, 800); // asked 200 ms ago
  expect(clock.now()).toBe(5200);
  here = 2000;
  clock.compare(9000, 1000); // a slow answer tells less
  expect(clock.now()).toBe(6200);
  clock.compare(6150, 1990);
  expect(clock.now()).toBe(6155);
});

it("forgets what was the last round's, and a wish that was carried out", () => {
  const me = part({ seats: [0], bets: [], wishes: { 0: "hit", 2: "stand" }, started: true, vote: "hit" });
  const acted = { type: "acted", spot: 0, hand: 0, action: "hit", free: false, tally: [] } as const;
  expect(foldOwn(me, acted, EMPTY).live).toMatchObject({ wishes: { 2: "stand" }, vote: null });
  expect(foldOwn(me, { type: "round-opened", code: "x" }, EMPTY).live).toMatchObject({ wishes: {}, started: false, vote: null });
});
