/** What became of a player's bets: read from the lines of the round's book, at solo and at live tables. */

import type { Catalogue } from "../language/catalogue";
import type { BetSettled, HandView, Stake } from "../wire";

/** Why a line stands on the circle of a hand. */
export const ON_HAND: readonly string[] = ["initial", "double", "split"];

/** The total from which on the dealer's hand is over, soft ones too (COM-06). */
export const STANDS = 17;

/** Whether the dealer has blackjack, which is called so and not 21 (PLT-70). */
export function dealerBlackjack({ cards, total }: HandView): boolean {
  return cards.length === 2 && total === 21;
}

/** One bet in the book. */
export interface BookLine {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
}

/** The player's lines that are open, and those that are settled. */
export interface Book {
  readonly lines: readonly BookLine[];
  readonly settled: readonly BetSettled[];
}

export interface HandResult {
  readonly result: string;
  /** Won or lost by the player on the hand, stakes apart. */
  readonly net: number;
  readonly tone: "win" | "lose" | "even";
}

/** What lies for one hand, or for one side bet: the stake first, then what a double added; and what came back, once that is known. */
export interface HandStakes {
  readonly stakes: readonly Stake[];
  readonly paid: number | null;
}

/** What became of a side bet: which combination it has won with, and what that pays to 1; 0 if it loses. */
export interface SideOutcome {
  readonly category: string;
  readonly pays: number;
}

/** A combination that has won, in two parts as it is printed: `colore` and `5 a 1`. */
export function combination({ category, pays }: SideOutcome, texts: Catalogue): { readonly category: string; readonly odds: string } {
  return { category: texts.named("category", category), odds: texts.text("web.pays", { num: pays, den: 1 }).replaceAll(" ", "\u00a0") };
}

/** Whether a line stands on the place of a kind of bet. */
export function isOn(kind: string, why: string): boolean {
  return kind === "main" || kind === "behind" ? ON_HAND.includes(why) : why === kind;
}

/** What lies on a place, hand by hand from the first; a split pair has two hands, everything else one. */
export function stakesOn({ lines, settled }: Book, spot: number, kind: string): readonly HandStakes[] {
  const here = (line: BookLine) => line.spot === spot && isOn(kind, line.why);
  const over = settled.filter(here);
  const open = lines.filter((line) => here(line) && !over.some(({ hand, why }) => hand === line.hand && why === line.why));
  const hands = [...new Set([...over, ...open].map(({ hand }) => hand))].sort((one, other) => one - other);
  return hands.map((hand) => {
    const own = [...over, ...open].filter((line) => line.hand === hand);
    own.sort((one, other) => Number(one.why === "double") - Number(other.why === "double"));
    const waits = open.some((line) => line.hand === hand);
    const done = over.filter((line) => line.hand === hand);
    const paid = done.reduce((sum, line) => sum + line.paid, 0);
    // Golden chips that come back are not paid for: they lie as they did.
    const kept = paid === 0 && done.some(({ result }) => result === "push" || result === "returned");
    return { stakes: own.map(({ stake }) => stake), paid: waits || kept ? null : paid };
  });
}

/** What lies for hands that are over before anything is paid: half after RESA, the price after CASHBACK, nothing after a bust. */
export function givenUp(laid: readonly HandStakes[], hands: readonly HandView[]): readonly HandStakes[] {
  return laid.map((each, index) => {
    const { ended, sold } = hands[index] ?? {};
    if (each.paid !== null) return each;
    if (ended === "bust") return { ...each, paid: 0 };
    if (ended === "cashed-back") return { ...each, paid: sold ?? null };
    const half = each.stakes.reduce((sum, { own }) => sum + Math.floor(own / 2), 0);
    return ended === "surrendered" ? { ...each, paid: half } : each;
  });
}

/** All own money that a round has taken so far: what is open, and what is settled already, a lost insurance too (FRB-23). */
export function stakedIn({ lines, settled }: Book): number {
  const open = lines.filter(
    (line) => !settled.some(({ spot, hand, why }) => spot === line.spot && hand === line.hand && why === line.why),
  );
  return [...open, ...settled].reduce((sum, { stake }) => sum + stake.own, 0);
}

/** What the player paid to insure a hand, and what came of it; null where it is not insured. */
export function insuranceOn({ lines, settled }: Book, spot: number): { readonly cost: number; readonly paid: number | null } | null {
  const insures = (line: BookLine) => line.spot === spot && line.why === "insurance";
  const over = settled.find(insures);
  if (over) return { cost: over.stake.own, paid: over.paid };
  const line = lines.find(insures);
  return line ? { cost: line.stake.own, paid: null } : null;
}

/** What became of the player's stake on a hand, its double and `bonus` counted in; null while it is open, or without a stake. */
export function handResult({ settled }: Pick<Book, "settled">, spot: number, hand: number, bonus = 0): HandResult | null {
  const lines = settled.filter((line) => line.spot === spot && line.hand === hand && ON_HAND.includes(line.why));
  const [first] = lines;
  if (!first) return null;
  const net = lines.reduce((sum, { paid, stake }) => sum + paid - stake.own, bonus);
  const lost = net < 0 || (net === 0 && first.result === "lose"); // a golden or a free bet that loses costs no money
  return { result: first.result, net, tone: net > 0 ? "win" : lost ? "lose" : "even" };
}
