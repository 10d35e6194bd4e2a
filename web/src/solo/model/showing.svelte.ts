/**
 * Shows a table event by event, at a pace a person can follow, or at once where motion is not wanted; moves the scene in
 * front of it and writes the lines of the live region.
 */

import type { Frame, Snapshot, TableEvent } from "../../wire";
import { bonusWin, CELLS_REST, CELLS_TURN, PACE, SPEEDS, STILL, type Scene } from "./direction";
import { Playback, type Step, type Wait } from "../../game/playback";
import { say, type Said } from "../../game/say";
import { prefs } from "../../house/prefs.svelte";
import type { Stage } from "../../net/stage";
import { speech } from "../../language/speech.svelte";
import { EMPTY, fold, fromSnapshot, head, type Table } from "../../game/table";

/** How long a wheel that has stopped is looked at. */
const LOOK = 1100;
/** Lines the live region keeps. */
const KEPT_LINES = 40;

export class Showing {
  table = $state.raw<Table | null>(null);
  /** Whether events are still to be shown. */
  showing = $state(false);
  /** What moves in front of the table. */
  scene = $state.raw<Scene>(STILL);
  said = $state.raw<readonly Said[]>([]);
  /** Whether the last round's cards have been taken off the table for new bets. */
  swept = $state(false);
  /** Told of every event when it is shown, and of chips put down. */
  onshow: (event: TableEvent | { readonly type: "chip-placed" }) => void = () => undefined;

  protected readonly stage: Stage;
  readonly #playback: Playback;
  /** Whether the table changes by what happens, and not because it was opened. */
  #happening = false;
  #lines = 0;

  constructor(stage: Stage) {
    this.stage = stage;
    this.#playback = new Playback(
      (act, milliseconds) => stage.paced(act, milliseconds),
      (playing) => (this.showing = playing),
    );
  }

  /** The table as it lies there: nothing once it is swept for new bets. */
  readonly view = $derived(this.swept ? EMPTY : (this.table?.view ?? EMPTY));

  /** Whether what appears now should move there. */
  get moves(): boolean {
    return this.#happening && this.showing && this.#speed > 0;
  }

  /** What part of its time a card takes: none where motion is not wanted, or where the player wants cards at once. */
  get #speed(): number {
    return this.stage.moves() ? SPEEDS[prefs.settings.deal_speed] : 0;
  }

  // What the player does to it

  /** Show the events that are left quickly. */
  hurry(): void {
    if (!this.table?.view.bonus) this.#playback.hurry();
  }

  /** SALTA: the last seconds of the wheel, or the end of the cells' turning (LNK-21, LNK-27). */
  skip(): void {
    const { wheel } = this.scene;
    if (wheel && !wheel.stopped) this.scene = { ...this.scene, wheel: { ...wheel, skipped: true } };
    else this.#playback.skip();
  }

  /** Whoever draws the wheel says that it rests. */
  wheelRests(): void {
    if (this.scene.wheel?.stopped === false) this.#playback.end();
  }

  /** The player has seen the pop-up of a bonus win. */
  closeWin(): void {
    if (this.scene.win) this.#playback.end();
  }

  // What there is to show

  /** A table from the beginning, instead of what was still to be shown. */
  protected showSnapshot(told: Snapshot): void {
    this.#playback.clear();
    this.showNext(() => {
      this.#happening = false;
      this.scene = STILL;
      this.table = fromSnapshot(told);
    });
  }

  /** Something that takes no time, in its turn. */
  protected showNext(act: () => void): void {
    this.#playback.add(() => {
      act();
      return 0;
    });
  }

  protected showFrame(frame: Frame): void {
    this.showNext(() => {
      this.#happening = true;
      if (this.table) this.table = head(this.table, frame);
    });
    frame.events.forEach((event, index) => this.#playback.add(...this.#steps(event, frame.events.slice(index + 1))));
  }

  protected showNothing(): void {
    this.#playback.clear();
  }

  say(text: string): void {
    this.said = [...this.said.slice(1 - KEPT_LINES), { number: (this.#lines += 1), text }];
  }

  /** The steps in which an event is shown; what follows it in the frame is known. */
  #steps(event: TableEvent, next: readonly TableEvent[]): Step[] {
    const show = () => this.#show(event);
    switch (event.type) {
      case "wheel-stopped":
        return [
          () => this.#set({ wheel: { section: event.section, stopped: false, skipped: false } }, "until-ended"),
          () => {
            this.#show(event);
            return this.#set({ wheel: { section: event.section, stopped: true, skipped: false } }, LOOK);
          },
        ];
      case "table-opened":
        return [() => this.#set({ wheel: null }, 0), show];
      case "cells-locked":
        return [
          () => this.#set({ cells: true, fresh: [] }, CELLS_TURN),
          () => {
            this.#show(event);
            return this.#set({ cells: false, fresh: event.cells.map(([cell]) => cell) }, CELLS_REST);
          },
        ];
      case "diamond-won":
        return [() => this.#set({ diamonds: [...this.scene.diamonds, event] }, 0), show];
      case "bonus-ended":
        return [() => this.#showWin(event.pays, next), () => this.#set(STILL, 0), show];
      default:
        return [show];
    }
  }

  #set(change: Partial<Scene>, wait: Wait): Wait {
    this.scene = { ...this.scene, ...change };
    return this.stage.moves() ? wait : 0;
  }

  /** The pop-up stands until the player closes it, with motion or without. */
  #showWin(pays: number, next: readonly TableEvent[]): Wait {
    const win = this.table && bonusWin(this.table.view, this.scene, pays, next);
    if (!win) return 0;
    this.scene = { ...this.scene, win };
    if (win.settled) this.say(speech.texts.text("web.bonus.say-win", { pays, paid: win.settled.paid }));
    return "until-ended";
  }

  #show(event: TableEvent): number {
    if (!this.table) return 0;
    this.table = fold(this.table, event);
    if (event.type === "round-opened") this.swept = false;
    const text = say(event, this.table.view, speech.texts.at(this.table.game));
    if (text) this.say(text);
    this.onshow(event);
    return (PACE[event.type] ?? 0) * this.#speed;
  }
}
