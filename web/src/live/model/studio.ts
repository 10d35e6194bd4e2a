/** What is said of a table where a person deals: which hand a card is due for, and whether the face-down card was the promised one (STU). */

import { sha256 } from "../../fairness/sha256";
import { DEALER } from "../../game/table";
import type { LiveState } from "./state";

/** Whether a hand waits for its next card; the dealer's also for the one that lies face down. */
export function isDue({ view, paused }: LiveState, spot: number, hand = 0): boolean {
  const { due } = view;
  if (!due || paused) return false;
  return due.spot === spot && due.hand === hand && (due.what === "card" || (spot === DEALER && due.what === "hole"));
}

/** Whether a commitment is the SHA-256 of the salt, which is written in hex, and the card as one byte (STU-06). */
export function opens(commitment: string, salt: string, card: number): boolean {
  const bytes = (salt.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  const digest = sha256(Uint8Array.from([...bytes, card]));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === commitment;
}
