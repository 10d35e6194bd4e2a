/** Why a player cannot stake more: the balance, or the player's own loss limit (COM-24, ASR-41). */
import type { PlayerView } from "../wire";
import type { Catalogue } from "../language/catalogue";

type Money = Pick<PlayerView, "balance" | "left">;

/** Whether it is the loss limit, not the balance, that does not let so much be staked. */
export function limited(cost: number, part: Money | null | undefined): boolean {
  return !!part && part.left !== null && cost > part.left && cost <= part.balance;
}

/** Whether so much more can be staked. */
export function covers(cost: number, part: Money | null | undefined): boolean {
  return cost <= (part?.balance ?? 0) && !limited(cost, part);
}

/** The reason on a button that cannot be pressed. */
export function lack(cost: number, part: Money | null | undefined, texts: Catalogue): string {
  return texts.text(limited(cost, part) ? "web.limited" : "web.poor");
}
