/**
 * The video of a live table: WHEP, or HLS where that fails; opened again after a cut; the quality that is chosen or does
 * best; and how late it is, so that cards are shown with their pictures (STU-20..24).
 */

import { AUTOMATIC, NO_VIDEO } from "../../house/quality";
import type { Reply } from "../../net/api";
import type { VideoAccess, VideoStream } from "../../wire";
import { ageOf, Delay, LONGEST_DELAY } from "./delay";
import type { Open, Player } from "./player";
import { AutomaticQuality } from "./quality";

/** Milliseconds between two looks at what plays; where nothing new comes for so long, it has ended. */
const LOOK = 500;
const SILENCE = 5000;
/** Milliseconds before it is tried again: twice as long each time, up to the longest. */
const PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** So long before it expires a token is replaced, for a stream that still asks. */
const RENEWED = 60_000;

/** The table that the video belongs to. */
export interface VideoTable {
  /** The house's time. */
  houseNow(): number;
  /** Whether no round is being dealt. */
  readonly between: boolean;
  /** Show cards so many milliseconds later than they are told. */
  showLater(milliseconds: number): void;
}

/** What the video needs of the browser and of the house. */
export interface Media {
  readonly whep: Open;
  readonly hls: Open;
  /** The addresses, with a new token. */
  access(): Promise<Reply<VideoAccess>>;
  later(act: () => void, milliseconds: number): () => void;
  now(): number;
  /** Whether the page is seen: a browser may stop what nobody looks at. */
  seen(): boolean;
  /** Whether the player's device is to load little. */
  sparing(): boolean;
}

export class TableVideo {
  /** What plays; null while the drawn presenter stands in. */
  player = $state.raw<Player | null>(null);
  /** The quality that plays. */
  quality = $state("");
  /** Whether the video does not come, or comes no more. */
  failed = $state(false);

  readonly #table: VideoTable;
  readonly #media: Media;
  #qualities: readonly string[] = [];
  #chosen = AUTOMATIC;
  #automatic = new AutomaticQuality(0);
  #delay = new Delay();
  /** Whether HLS plays where WHEP did not: WHEP is not tried again while that works. */
  #byHls = false;
  #run: AbortController | null = null;
  #nudge: () => void = () => undefined;

  constructor(table: VideoTable, media: Media) {
    this.#table = table;
    this.#media = media;
  }

  /** Play one of these qualities, the best first, as the player chose; without any, or with the video off, none. */
  watch(qualities: readonly string[], chosen: string): void {
    this.#qualities = qualities;
    this.#chosen = chosen;
    if (!qualities.length || chosen === NO_VIDEO) this.stop();
    else if (this.#run) this.#nudge();
    else this.#start();
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#nudge();
    this.#drop();
    this.failed = false;
  }

  #start(): void {
    this.#automatic = new AutomaticQuality(this.#media.sparing() ? this.#qualities.length - 1 : 0);
    this.#byHls = false;
    this.#run = new AbortController();
    void this.#play(this.#run.signal);
  }

  /** Keep the wanted quality playing; what plays is replaced when the other one does. */
  async #play(signal: AbortSignal): Promise<void> {
    for (let breaks = 0; this.#runs(signal); ) {
      const wanted = this.#wanted;
      if (this.player && this.quality === wanted) {
        await this.#rest(null);
        breaks = 0;
      } else if (!(await this.#open(wanted, signal)) && this.#runs(signal)) {
        this.failed = this.player === null;
        await this.#rest(Math.min(PAUSE * 2 ** breaks, LONGEST_PAUSE));
        breaks += 1;
      }
    }
  }

  #runs(signal: AbortSignal): boolean {
    return !signal.aborted;
  }

  /** Rest for a time, or until something has changed. */
  #rest(milliseconds: number | null): Promise<void> {
    return new Promise((done) => {
      const cancel = milliseconds === null ? null : this.#media.later(done, milliseconds);
      this.#nudge = () => {
        cancel?.();
        done();
      };
    });
  }

  get #choosesItself(): boolean {
    return !this.#qualities.includes(this.#chosen);
  }

  /** The quality to play: a table that does not have the chosen one chooses by itself. */
  get #wanted(): string {
    const place = Math.min(this.#automatic.place, this.#qualities.length - 1);
    return this.#choosesItself ? (this.#qualities[place] ?? "") : this.#chosen;
  }

  /** Open a quality one way or the other; gives whether it plays. */
  async #open(quality: string, signal: AbortSignal): Promise<boolean> {
    const reply = await this.#media.access();
    const stream = "value" in reply ? reply.value.streams.find((found) => found.quality === quality) : undefined;
    if (!("value" in reply) || !stream) return false;
    for (const way of this.#waysOf(stream)) {
      if (!this.#runs(signal)) return false;
      try {
        const player = await this.#media[way](stream[way], reply.value.token, signal);
        if (!this.#runs(signal)) {
          player.close();
          return false;
        }
        this.#byHls = way === "hls" && stream.whep !== "";
        this.#swap(player, quality, reply.value);
        return true;
      } catch {
        if (this.#runs(signal)) this.#byHls = false;
      }
    }
    return false;
  }

  #waysOf(stream: VideoStream): readonly ("whep" | "hls")[] {
    return (["whep", "hls"] as const).filter((way) => stream[way] && !(way === "whep" && this.#byHls));
  }

  #swap(player: Player, quality: string, access: VideoAccess): void {
    this.player?.close();
    this.player = player;
    this.quality = quality;
    this.failed = false;
    this.#delay.restart();
    this.#automatic.restart();
    void this.#follow(player, access);
  }

  /** The drawn presenter stands in, and cards are shown as they are told. */
  #drop(): void {
    this.player?.close();
    this.player = null;
    this.quality = "";
    this.#delay = new Delay();
    this.#table.showLater(0);
  }

  /** Look after what plays, until something else does. */
  async #follow(player: Player, access: VideoAccess): Promise<void> {
    const state = { over: false };
    void player.over.then(() => (state.over = true));
    let { token, expires_at } = access;
    for (let progress = -1, since = this.#media.now(); ; ) {
      await new Promise<void>((done) => this.#media.later(done, LOOK));
      const [counts, ages] = await Promise.all([player.counts(), player.ages(() => this.#table.houseNow())]);
      if (this.player !== player) return;
      const at = this.#media.now();
      if (counts.progress !== progress || !this.#media.seen()) [progress, since] = [counts.progress, at];
      if (state.over || at - since >= SILENCE) {
        this.#drop();
        this.failed = true;
        this.#nudge();
        return;
      }
      const age = ageOf(ages, access.latency);
      if (age !== null) this.#table.showLater(Math.min(LONGEST_DELAY, this.#delay.add(age, at, this.#table.between) + access.lead));
      if (this.#choosesItself) {
        this.#automatic.read({ ...counts, at }, this.#qualities.length);
        if (this.#wanted !== this.quality) this.#nudge();
      }
      if (player.kind === "hls" && expires_at - this.#table.houseNow() < RENEWED) {
        const reply = await this.#media.access();
        if ("value" in reply) ({ token, expires_at } = reply.value);
        player.renew(token);
      }
    }
  }
}
