/** What is said of a table where a person deals: which hand a card is due for, and whether the face-down card was the promised one (STU). */

import { DEALER } from "../../game/table";
import type { LiveState } from "./state";

/** Whether a hand waits for its next card; the dealer's also for the one that lies face down. */
export function isDue({ view, paused }: LiveState, spot: number, hand = 0): boolean {
  const { due } = view;
  if (!due || paused) return false;
  return due.spot === spot && due.hand === hand && (due.what === "card" || (spot === DEALER && due.what === "hole"));
}
