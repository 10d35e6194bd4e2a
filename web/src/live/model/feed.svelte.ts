/**
 * What the house tells of a live table: put in order as it comes, and shown card by card at the dealer's pace; what is late
 * is shown at once.
 */

import { foldOwn } from "../../game/fold";
import { Playback } from "../../game/playback";
import type { Stage } from "../../net/stage";
import type { Frame, OwnPart, Snapshot, TableEvent } from "../../wire";
import type { HouseClock } from "./clock";
import { fold, fromSnapshot, head, order, type LiveState } from "./state";

/** Events of which each is a card that the dealer puts down or turns; the house gives each the table's pace. */
export const CARDS: readonly TableEvent["type"][] = ["card-dealt", "hole-dealt", "hole-shown"];
/** Milliseconds for which a card that a person deals moves: the hands at the table set the pace (STU-02). */
const BY_HAND = 250;

/** Shows what the feed gives it, each thing when its time has come. */
export interface Screen {
  /** The table as it is shown now. */
  table: LiveState | null;
  showTable(table: LiveState | null): void;
  showEvent(event: TableEvent): void;
  showPart(part: OwnPart): void;
  showClosed(): void;
}

export class Feed {
  /** Whether events are still to be shown. */
  showing = $state(false);
  /** The newest state, ahead of the screen: puts frames in order; bets are compared with it. */
  newest: LiveState | null = null;
  part: OwnPart | null = null;
  /** Milliseconds by which cards are shown later than they are told, with the video (STU-24). */
  delay = 0;
  readonly #screen: Screen;
  readonly #stage: Stage;
  readonly #clock: HouseClock;
  /** Asks for the table anew: a frame is missing. */
  readonly #reopen: () => void;
  readonly #playback: Playback;
  /** Whether the table changes by what happens, and not because it was opened. */
  #happening = false;

  constructor(screen: Screen, stage: Stage, clock: HouseClock, reopen: () => void) {
    this.#screen = screen;
    this.#stage = stage;
    this.#clock = clock;
    this.#reopen = reopen;
    this.#playback = new Playback(
      (act, milliseconds) => stage.paced(act, milliseconds),
      (playing) => (this.showing = playing),
    );
  }

  /** Whether what appears now should move there. */
  get moves(): boolean {
    return this.#happening && this.showing && this.#stage.moves();
  }

  stop(): void {
    this.#playback.clear();
  }

  hearTable(message: Snapshot): void {
    this.newest = fromSnapshot(message, this.newest ?? this.#screen.table);
    this.#playback.clear();
    this.#show(() => {
      this.#happening = false;
      this.#screen.showTable(this.newest);
    });
  }

  hearPart(message: OwnPart): void {
    this.part = message;
    this.#show(() => this.#screen.showPart(message));
  }

  /** The house reads the table back, and shows it again by itself; or it was taken away for good (OFF-02). */
  hearClosed(reason: string): void {
    this.newest = null;
    if (reason === "closed/table") this.#show(() => this.#screen.showClosed());
  }

  hearFrame(frame: Frame): void {
    const newest = this.newest;
    if (newest?.name !== frame.table) return;
    const place = order(newest, frame);
    if (place === "gap") this.#reopen();
    if (place !== "next") return;
    this.newest = frame.events.reduce((table, event) => {
      this.part &&= foldOwn(this.part, event, table.view);
      return fold(table, event);
    }, { ...newest, ...head(newest, frame) });
    this.#show(() => {
      this.#happening = true;
      const screen = this.#screen;
      if (screen.table) screen.table = { ...screen.table, ...head(screen.table, frame) };
    });
    // Each card has its moment; what comes late, after a broken line, has it behind it.
    const pace = newest.studio ? BY_HAND : 1000 * newest.timers.pace;
    const now = this.#stage.now();
    let at = Math.min(now, now + frame.at - this.#clock.now());
    // With a video a card waits for its picture; what was told without a card goes on at once, after those before it.
    const shown = at + this.delay;
    if (this.delay && frame.events.some(({ type }) => CARDS.includes(type))) {
      at = Math.max(now, shown);
      this.#playback.add(() => Math.max(0, shown - this.#stage.now()));
    }
    for (const event of frame.events) {
      const waits = CARDS.includes(event.type);
      if (waits) at += pace;
      const end = at;
      this.#playback.add(() => {
        this.#screen.showEvent(event);
        return waits && this.#stage.moves() ? Math.min(pace, Math.max(0, end - this.#stage.now())) : 0;
      });
    }
  }

  #show(step: () => void): void {
    this.#playback.add(() => {
      step();
      return 0;
    });
  }
}
