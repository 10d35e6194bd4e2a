import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PlayerAccount, Settings } from "../wire";
import { house } from "./house.svelte";
import { prefs, USUAL } from "./prefs.svelte";
import { speech } from "../language/speech.svelte";

const BEGAN = Date.UTC(2026, 10, 15, 12);

const ADA: PlayerAccount = {
  player: 7,
  name: "ada",
  role: "player",
  vip: 0,
  demo: false,
  locked: false,
  now: BEGAN,
  balances: { EUR: 12_345, FUN: 500 },
  seats: [
    { table: "solo/7/link/EUR", currency: "EUR", balance: 900, brought: 1000, since: BEGAN, round: "r", game: "link" },
    { table: "solo/7/link/FUN", currency: "FUN", balance: 50, brought: 50, since: BEGAN, round: null, game: null },
  ],
  protections: { in_force: [], pending: [], deposited_today: 0, lost_today: 0 },
  session: { began_at: BEGAN, minutes: 0, reality_minutes: 60, checked_at: null, net: [{ currency: "EUR", rounds: 3, staked: 300, paid: 250 }] },
  terms_due: false,
};

/** What the house answers, by method and path. */
let answers: Record<string, unknown>;
let asked: { path: string; body: unknown }[];
let stored: Map<string, string>;

beforeEach(() => {
  answers = { "GET me": ADA, "GET settings": USUAL, "POST logout": null, "POST reality-check": null };
  asked = [];
  stored = new Map();
  vi.useFakeTimers({ now: BEGAN });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
  vi.stubGlobal("fetch", (address: string, { method, body }: { method: string; body?: string }) => {
    const path = `${method} ${address.replace("/api/v1/", "")}`;
    asked.push({ path, body: body === undefined ? undefined : JSON.parse(body) });
    const answer = answers[path];
    if (answer === undefined) return Promise.reject(new Error("no network"));
    const refused = answer !== null && typeof answer === "object" && "error" in answer;
    return Promise.resolve(
      answer === null ? new Response(null, { status: 204 }) : Response.json(answer, { status: refused ? 400 : 200 }),
    );
  });
  house.clear();
});

function refusal(code: string): unknown {
  return { error: { code, params: {} } };
}

/** Time passes, here and in the house. */
function later(minutes: number): void {
  const now = BEGAN + minutes * 60_000;
  vi.setSystemTime(now);
  answers["GET me"] = { ...(answers["GET me"] as PlayerAccount), now };
  house.tick();
}

describe("who is here", () => {
  it("is told with money and session", async () => {
    expect(await house.look()).toBeNull();
    expect(house.account?.name).toBe("ada");
    expect([house.balance("EUR"), house.atTables("EUR"), house.atTables("FUN")]).toEqual([12_345, 900, 50]);
    expect(house.net("EUR")).toMatchObject({ rounds: 3, staked: 300 });
    expect(house.net("FUN")).toEqual({ currency: "FUN", rounds: 0, staked: 0, paid: 0 });
    expect([house.currency, house.money]).toEqual(["EUR", "EUR"]);
    house.chooseMoney("FUN");
    expect(house.money).toBe("FUN");
    house.chooseMoney("EUR");
  });

  it("stays gone when an answer from before comes late, and stays in when the answer was for nobody", async () => {
    const before = house.look();
    house.clear();
    await before;
    expect(house.account).toBeNull();
    answers["GET me"] = refusal("login/required");
    const nobody = house.look();
    await house.enter(ADA);
    await nobody;
    expect(house.account?.name).toBe("ada");
  });

  it("is nobody where a login is required, and unknown where the house does not answer", async () => {
    answers["GET me"] = refusal("login/required");
    expect((await house.look())?.code).toBe("login/required");
    expect([house.account, house.known, house.failure]).toEqual([null, true, null]);
    delete answers["GET me"];
    expect((await house.look())?.code).toBe("house/unreachable");
    expect(house.failure?.code).toBe("house/unreachable");
    answers["GET me"] = { ...ADA, demo: true };
    await house.look();
    expect([house.failure, house.money]).toEqual([null, "FUN"]);
  });

  it("goes out, and takes the settings along", async () => {
    answers["GET settings"] = { ...USUAL, four_colours: true } satisfies Settings;
    await house.enter(ADA);
    expect(document.documentElement.dataset["suits"]).toBe("four");
    await house.leave();
    expect(asked.at(-1)?.path).toBe("POST logout");
    expect([house.account, document.documentElement.dataset["suits"]]).toEqual([null, "two"]);
  });

  it("knows what a player has forbidden themselves", async () => {
    const in_force = [
      { kind: "self-exclusion", value: 5, since: 1 },
      { kind: "time-out", value: 9, since: 1 },
    ] as const;
    answers["GET me"] = { ...ADA, protections: { ...ADA.protections, in_force } };
    await house.look();
    expect([house.excluded, house.pausedUntil]).toEqual([5, 9]);
  });
});

describe("the reality check", () => {
  it("is due after each span, once", async () => {
    await house.look();
    later(59);
    expect([house.minutes, house.due]).toEqual([59, false]);
    later(61);
    expect(house.due).toBe(true);
    void house.answer();
    expect(house.due).toBe(false);
    expect(asked.at(-1)?.path).toBe("POST reality-check");
    await house.look(); // the house has not heard of it yet
    expect(house.due).toBe(false);
    later(121);
    expect(house.due).toBe(true);
  });

  it("is answered where the house says so, as after a reload or on another device, but not in a new session", async () => {
    await house.look();
    later(62);
    expect(house.due).toBe(true);
    const session = { ...ADA.session, checked_at: BEGAN + 61 * 60_000 };
    answers["GET me"] = { ...ADA, now: BEGAN + 62 * 60_000, session };
    await house.look();
    expect([house.minutes, house.due]).toEqual([62, false]);
    later(121);
    expect(house.due).toBe(true);
    void house.answer();
    answers["GET me"] = { ...ADA, now: BEGAN + 190 * 60_000, session: { ...ADA.session, began_at: BEGAN + 125 * 60_000 } };
    later(190);
    await house.look();
    expect([house.minutes, house.due]).toEqual([65, true]);
  });

  it("counts by the house's clock", async () => {
    answers["GET me"] = { ...ADA, now: BEGAN + 30 * 60_000 };
    await house.look();
    house.tick();
    expect(house.minutes).toBe(30);
  });
});

describe("settings", () => {
  beforeEach(async () => {
    answers["PUT settings"] = USUAL;
    await house.enter(ADA);
  });

  it("act at once and are kept whole", async () => {
    await prefs.change({ less_motion: true });
    expect(document.documentElement.dataset["motion"]).toBe("less");
    expect(asked.at(-1)).toEqual({ path: "PUT settings", body: { ...USUAL, less_motion: true } });
    await prefs.changeSound({ muted: true });
    expect(asked.at(-1)?.body).toMatchObject({ less_motion: true, sound: { muted: true, voice: 80, game: 80 } });
  });

  it("are taken back where the house refuses them", async () => {
    answers["PUT settings"] = refusal("house/down");
    await prefs.change({ four_colours: true });
    expect([prefs.settings.four_colours, prefs.failure?.code]).toEqual([false, "house/down"]);
  });

  it("bring the language along, and keep one that is chosen", async () => {
    answers["GET settings"] = { ...USUAL, language: "en" } satisfies Settings;
    await prefs.load();
    expect(speech.language).toBe("en");
    prefs.speak("it");
    await prefs.change({});
    expect(speech.language).toBe("it");
    expect(asked.at(-1)?.body).toMatchObject({ language: "it" });
  });

  it("have favourites, which are put there and taken away", async () => {
    await prefs.toggleFavourite("link");
    await prefs.toggleFavourite("live/freebet");
    expect(asked.at(-1)?.body).toMatchObject({ favourites: ["link", "live/freebet"] });
    await prefs.toggleFavourite("link");
    expect([prefs.isFavourite("link"), prefs.isFavourite("live/freebet")]).toEqual([false, true]);
  });

  it("of one who has no profile are not sent", async () => {
    house.clear();
    const before = asked.length;
    await prefs.change({ four_colours: true });
    expect(asked).toHaveLength(before);
    expect(prefs.settings.four_colours).toBe(true);
  });
});
