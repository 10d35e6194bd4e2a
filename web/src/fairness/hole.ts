/** The commitment to a card that lies face down at a table where a person deals. */

import { hex, sha256, unhex } from "./sha256";

/** Whether a commitment is the SHA-256 of the salt, which is written in hex, and the card as one byte (STU-06). */
export function opens(commitment: string, salt: string, card: number): boolean {
  const bytes = unhex(salt);
  return bytes !== null && hex(sha256(Uint8Array.from([...bytes, card]))) === commitment;
}
