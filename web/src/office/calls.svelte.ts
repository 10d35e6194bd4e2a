/** Where operators are needed: asked for on every page of the office, seen as badges and heard (OFF-07). */

import { keep, kept } from "../house/memory";
import { prefs } from "../house/prefs.svelte";
import type { Reply } from "../net/api";
import { Synth } from "../table/sound/synth";
import type { Needed } from "../wire";
import { get } from "./net";

/** A place to go to: what waits there, how much of it, and its address. */
export interface Place {
  readonly what: "call" | "card" | "alarm" | "proposal";
  /** The table, where it is about one. */
  readonly table: string;
  readonly count: number;
  readonly href: string;
}

type Alarm = Needed["alarms"][number];

/** The newest alarm that this browser was shown the way to. */
const SEEN = "sabot.office.alarm";
/** Looks between two rings for what nobody has come for: a call, a late card. */
const RING_AGAIN = 5;

export class Calls {
  needed = $state.raw<Needed | null>(null);
  #seen = $state(Number(kept(SEEN) ?? 0));
  readonly #ask: () => Promise<Reply<Needed>>;
  readonly #ring: () => void;
  /** What was needed at the last look. */
  #known: readonly string[] = [];
  #looks = 0;
  #busy = false;

  constructor(ask: () => Promise<Reply<Needed>>, ring: () => void) {
    this.#ask = ask;
    this.#ring = ring;
  }

  /** Ask again; what was not there before is heard, and a table that nobody has come to is heard again. */
  async look(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    const reply = await this.#ask();
    this.#busy = false;
    if ("failure" in reply) return;
    this.needed = reply.value;
    const now = this.#names();
    const waits = this.needed.calls.length + this.needed.cards.length > 0;
    this.#looks = waits ? this.#looks + 1 : 0;
    if (now.some((name) => !this.#known.includes(name)) || (waits && this.#looks % RING_AGAIN === 0)) this.#ring();
    this.#known = now;
  }

  /** Someone else has come in: nothing of this is for them. */
  forget(): void {
    this.needed = null;
    this.#known = [];
  }

  /** The alarms that were not looked at in this browser. */
  get fresh(): readonly Alarm[] {
    return (this.needed?.alarms ?? []).filter(({ at }) => at > this.#seen);
  }

  /** The way to the alarms was gone. */
  seen(): void {
    this.#seen = Math.max(this.#seen, ...(this.needed?.alarms ?? []).map(({ at }) => at));
    keep(SEEN, String(this.#seen));
  }

  /** Where to go, what is most urgent first. */
  get places(): readonly Place[] {
    if (!this.needed) return [];
    const { calls, cards, proposals } = this.needed;
    const table = (what: "call" | "card") => (name: string) => ({ what, table: name, count: 1, href: `/office/floor/${name.replace("live/", "")}` });
    const [alarm] = this.fresh;
    const proposal = proposals.length === 1 ? `/office/proposals/${proposals[0]}` : "/office/proposals?state=open";
    return [
      ...calls.map(table("call")),
      ...cards.filter((name) => !calls.includes(name)).map(table("card")),
      ...(alarm ? [{ what: "alarm" as const, table: "", count: this.fresh.length, href: this.fresh.length === 1 ? placeOf(alarm) : "/office/events?severity=alarm" }] : []),
      ...(proposals.length ? [{ what: "proposal" as const, table: "", count: proposals.length, href: proposal }] : []),
    ];
  }

  #names(): readonly string[] {
    const { calls, cards, proposals } = this.needed ?? { calls: [], cards: [], proposals: [] };
    return [...calls.map((table) => `call ${table}`), ...cards.map((table) => `card ${table}`), ...this.fresh.map(({ id }) => `alarm ${id}`), ...proposals.map((id) => `proposal ${id}`)];
  }
}

/** Where an alarm is looked into. */
export function placeOf({ kind, table }: Pick<Alarm, "kind" | "table">): string {
  if (kind === "return-alarm") return "/office/monitoring";
  if (kind === "self-check") return "/office/self-check";
  return table?.startsWith("live/") ? `/office/floor/${table.replace("live/", "")}` : `/office/events?severity=alarm&kind=${kind}`;
}

/** What rings; it is heard once the page was touched. */
export const bell = new Synth(
  () => new AudioContext(),
  () => (prefs.settings.sound.muted ? 0 : prefs.settings.sound.game / 100),
);
export const calls = new Calls(
  () => get<Needed>("office/needed"),
  () => bell.play("call"),
);
