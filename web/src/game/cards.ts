/** A card is `13 * suit + rank`: rank 0 is the ace, 12 the king; suits are spades, hearts, diamonds, clubs. */

export const RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"] as const;
export const SUITS = ["s", "h", "d", "c"] as const;

export type Rank = (typeof RANKS)[number];
export type Suit = (typeof SUITS)[number];

export function rankOf(card: number): Rank {
  return RANKS[card % 13] ?? "a";
}

export function suitOf(card: number): Suit {
  return SUITS[Math.floor(card / 13)] ?? "s";
}

/** Outlines of the suits in a box of 20 by 20 around the origin. */
export const SUIT_PATHS: Readonly<Record<Suit, string>> = {
  s: "M0-10C2.6-5.4 8.8-2.6 8.8 2.6A4.5 4.5 0 0 1 1.3 5.9C1.5 7.9 2.2 9.2 3.6 10H-3.6C-2.2 9.2-1.5 7.9-1.3 5.9A4.5 4.5 0 0 1-8.8 2.6C-8.8-2.6-2.6-5.4 0-10Z",
  h: "M0 9.4C-3.4 5-9.2 1.6-9.2-3.9A4.9 4.9 0 0 1 0-5.6A4.9 4.9 0 0 1 9.2-3.9C9.2 1.6 3.4 5 0 9.4Z",
  d: "M0-10C1.9-6.2 4.6-2.9 7.6 0C4.6 2.9 1.9 6.2 0 10C-1.9 6.2-4.6 2.9-7.6 0C-4.6-2.9-1.9-6.2 0-10Z",
  c: "M0-9.6A4.4 4.4 0 0 1 3.5-2.5A4.4 4.4 0 1 1 1.3 4.5C1.5 7.2 2.3 9 3.7 10H-3.7C-2.3 9-1.5 7.2-1.3 4.5A4.4 4.4 0 1 1-3.5-2.5A4.4 4.4 0 0 1 0-9.6Z",
};

const [LEFT, MIDDLE, RIGHT] = [35, 50, 65];

/** Where the pips of a number stand on a card of 100 by 140; the lower half stands on its head. */
export const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "2": [[MIDDLE, 26], [MIDDLE, 114]],
  "3": [[MIDDLE, 26], [MIDDLE, 70], [MIDDLE, 114]],
  "4": [[LEFT, 26], [RIGHT, 26], [LEFT, 114], [RIGHT, 114]],
  "5": [[LEFT, 26], [RIGHT, 26], [MIDDLE, 70], [LEFT, 114], [RIGHT, 114]],
  "6": [[LEFT, 26], [RIGHT, 26], [LEFT, 70], [RIGHT, 70], [LEFT, 114], [RIGHT, 114]],
  "7": [[LEFT, 26], [RIGHT, 26], [MIDDLE, 48], [LEFT, 70], [RIGHT, 70], [LEFT, 114], [RIGHT, 114]],
  "8": [[LEFT, 26], [RIGHT, 26], [MIDDLE, 48], [LEFT, 70], [RIGHT, 70], [MIDDLE, 92], [LEFT, 114], [RIGHT, 114]],
  "9": [[LEFT, 24], [RIGHT, 24], [LEFT, 55], [RIGHT, 55], [MIDDLE, 70], [LEFT, 85], [RIGHT, 85], [LEFT, 116], [RIGHT, 116]],
  "10": [[LEFT, 24], [RIGHT, 24], [MIDDLE, 39], [LEFT, 55], [RIGHT, 55], [LEFT, 85], [RIGHT, 85], [MIDDLE, 101], [LEFT, 116], [RIGHT, 116]],
};

/** A total as it stands beside a hand: both of its values while an ace counts 11, `7/17`. */
export function totalMark(total: number, soft: boolean): string {
  return soft && total < 21 ? `${total - 10}/${total}` : total.toString();
}
