/** The cards of a live shoe, sealed: leaves, the root over them, and the opening of one, as docs/play/fairness.md tells. */

import { hex, joined, sha256, unhex, utf8 } from "./sha256";
import { shoeOrder, Stream } from "./stream";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const SALT = 16;

export interface Opening {
  readonly position: number;
  readonly card: number;
  /** Hexadecimal, as are the hashes of the path. */
  readonly salt: string;
  readonly path: readonly string[];
}

export function leafHash(leaf: Uint8Array): Uint8Array {
  return sha256(joined(LEAF, leaf));
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(joined(NODE, left, right));
}

/** The leaf of a card: its salt, its place, the card. */
function cardLeaf(position: number, card: number, salt: Uint8Array): Uint8Array {
  return joined(salt, Uint8Array.of(position >> 8, position & 255, card));
}

/** The root over leaves; the last of an odd number goes up a level as it is. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves.map(leafHash);
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      if (left) above.push(right ? nodeHash(left, right) : left);
    }
    level = above;
  }
  return level[0] ?? sha256(new Uint8Array());
}

/** Whether a card is the one that was sealed at its place, in a shoe of so many cards. */
export function opens(root: string, cards: number, { position, card, salt, path }: Opening): boolean {
  const bytes = unhex(salt);
  const rest = path.map(unhex);
  if (bytes?.length !== SALT || position < 0 || position >= cards) return false;
  let found = leafHash(cardLeaf(position, card, bytes));
  for (let at = position, width = cards; width > 1; at = at >> 1, width = (width + 1) >> 1) {
    if (at % 2 === 0 && at + 1 === width) continue;
    const beside = rest.shift();
    if (!beside) return false;
    found = at % 2 ? nodeHash(beside, found) : nodeHash(found, beside);
  }
  return rest.length === 0 && hex(found) === root;
}

/** The client seed of a live shoe: the digest of the players' seeds, a line each. */
export function seedsDigest(seeds: readonly string[]): string {
  return hex(sha256(utf8(seeds.map((seed) => `${seed}\n`).join(""))));
}

/** The root over a whole shoe that is revealed. */
export function shoeRoot(serverSeed: Uint8Array, clientSeed: string, decks: number): string {
  const salts = new Stream(serverSeed, clientSeed, "salt");
  const order = shoeOrder(serverSeed, clientSeed, decks);
  return hex(rootOf(order.map((card, position) => cardLeaf(position, card, salts.block(position).slice(0, SALT)))));
}
