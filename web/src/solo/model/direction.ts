/** How events are shown: how long each stands, and what moves in front of the table meanwhile. */

import type { BetSettled, BonusView, DiamondWon, Settings, TableEvent, TableView, WinCapped } from "../../wire";
import type { Section } from "../bonus/wheel";

/** How long an event stands before the next is shown, in milliseconds. */
export const PACE: Partial<Record<TableEvent["type"], number>> = {
  "card-dealt": 260,
  "hole-dealt": 260,
  "hole-shown": 460,
  peeked: 500,
  "hand-ended": 220,
  "bonus-started": 700,
};
/** What part of that time each speed of dealing takes. At once, cards do not fly either. */
export const SPEEDS: Readonly<Record<Settings["deal_speed"], number>> = { normal: 1, fast: 0.4, instant: 0 };
/** How long the cells of a bonus table turn, and how long they take to come to rest. */
export const CELLS_TURN = 1500;
export const CELLS_REST = 800;

/** A wheel in motion, or one that has just stopped. */
export interface WheelSpin {
  readonly section: Section;
  readonly stopped: boolean;
  /** Whether the player has asked for its last seconds. */
  readonly skipped: boolean;
}

/** A bonus that is over, as its pop-up shows it (LNK-34). */
export interface BonusWin {
  readonly bonus: BonusView;
  /** The cash section the wheel stopped on, if no table was played. */
  readonly section: Section | null;
  readonly pays: number;
  readonly diamonds: readonly DiamondWon[];
  readonly settled: BetSettled | null;
  readonly capped: WinCapped | null;
}

/** What moves in front of the table, or stands there until the player goes on. */
export interface Scene {
  readonly wheel: WheelSpin | null;
  /** Whether the empty cells of the bonus table turn. */
  readonly cells: boolean;
  /** The cells that were locked last. */
  readonly fresh: readonly number[];
  readonly diamonds: readonly DiamondWon[];
  readonly win: BonusWin | null;
}

export const STILL: Scene = { wheel: null, cells: false, fresh: [], diamonds: [], win: null };

/** The pop-up at the end of a bonus: made from the table before it and the events after it in the same frame. */
export function bonusWin(view: TableView, scene: Scene, pays: number, next: readonly TableEvent[]): BonusWin | null {
  const { bonus } = view;
  if (!bonus) return null;
  const settled = next.find(
    (event): event is BetSettled => event.type === "bet-settled" && event.spot === bonus.spot && event.why === "link",
  );
  const after = settled ? next[next.indexOf(settled) + 1] : undefined;
  return {
    bonus,
    section: scene.wheel?.section ?? null,
    pays,
    diamonds: scene.diamonds,
    settled: settled ?? null,
    capped: after?.type === "win-capped" ? after : null,
  };
}
