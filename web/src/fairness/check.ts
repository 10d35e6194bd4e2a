/**
 * A recorded round checked with nothing but hashes: the seed against the commitment, every hand against the shoe that
 * both seeds make, the Link bonus against its own stream; of a live shoe also the players' seeds and the root over all
 * cards; of a round that a person dealt, the commitment to the card that lay face down. It asks nobody.
 */

import { GAMES } from "../games";
import { SUITS } from "../game/cards";
import { opens } from "./hole";
import { seedsDigest, shoeRoot } from "./merkle";
import { hex, sha256, unhex } from "./sha256";
import { shoeOrder, Stream, type Weights } from "./stream";
import { parseToml, TomlError, type Table, type Toml } from "./toml";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const DEALER = -1;
const SEED_BYTES = 32;
/** The one game whose dealer has no hole card. */
const NO_HOLE_CARD = "majority-eu";

/** A card of a player's own record: its place in the shoe, whose it is, its name. */
const CARD_SHOWN = /^(\d{1,3}) (?:burnt|hole|(?:dealer|(\d)\.(\d)) (\S+))$/;

/** A hole card that a person dealt: what players were told of it, its salt, the card. */
const HOLE = /^([0-9a-f]{64}) ([0-9a-f]{32}) (\S+)$/;

/** A text that is no record; the message says why. */
export class UnreadableError extends Error {}

export interface RecordedHand {
  readonly spot: number;
  readonly hand: number;
  readonly cards: readonly number[];
  readonly ended: string;
}

/** What was published of a live shoe before it was dealt, and the cards of the round by their places in it. */
export interface LiveShoe {
  readonly seeds: readonly string[];
  readonly root: string;
  readonly shown: readonly { readonly at: number; readonly spot: number; readonly hand: number; readonly card: number }[];
  /** Places of the round, those of cards that were not shown included. */
  readonly places: number;
}

export interface RecordedRound {
  readonly code: string;
  readonly game: string;
  readonly end: string;
  readonly commitment: string;
  readonly serverSeed: string;
  readonly clientSeed: string;
  readonly start: number;
  readonly burn: boolean;
  readonly commands: readonly string[];
  readonly hands: readonly RecordedHand[];
  /** What each LINK bet that won was paid, with its stake, by spot. */
  readonly links: readonly { readonly spot: number; readonly stake: number; readonly paid: number }[];
  /** Of a live round, in a player's own record. */
  readonly live: LiveShoe | null;
  /** Whether a person dealt: then nobody has committed to the shoe (STU-30). */
  readonly byHand: boolean;
  /** Then there are commitments to the cards that lay face down, in a player's own record; and the dealer's cards. */
  readonly holes: readonly { readonly commitment: string; readonly salt: string; readonly card: number }[];
  readonly dealer: readonly number[];
}

/** What was found; `wrong` is empty where everything fits. */
export interface Verdict {
  readonly round: RecordedRound;
  /** Whether the record has seeds at all. */
  readonly seeded: boolean;
  readonly commitment: boolean;
  /** The shoe that the seeds make. */
  readonly order: readonly number[];
  /** How many cards of it the round dealt. */
  readonly dealt: number;
  readonly wrongHands: readonly WrongHand[];
  /** Null in games without a bonus. */
  readonly wrongBonus: readonly WrongBonus[] | null;
  /** Of a live shoe: whether the seeds are those that the players sent, and the root that of these cards. */
  readonly live: { readonly seeds: boolean; readonly root: boolean } | null;
  /** Of hole cards that a person dealt: whether each is the one committed to, and the last the one that was turned. */
  readonly holes: readonly { readonly card: number; readonly good: boolean }[];
  readonly good: boolean;
}

export interface WrongHand {
  readonly spot: number;
  readonly hand: number;
  readonly told: readonly number[];
  readonly found: readonly number[];
}

export interface WrongBonus {
  readonly spot: number;
  readonly told: number | null;
  readonly found: number | null;
}

export function cardName(card: number): string {
  return `${RANKS[card % 13] ?? ""}${SUITS[Math.floor(card / 13)] ?? ""}`;
}

// Reading

export function readRecord(text: string): RecordedRound {
  try {
    return roundOf(parseToml(text));
  } catch (error) {
    if (error instanceof TomlError) throw new UnreadableError(error.message);
    throw error;
  }
}

function roundOf(record: Table): RecordedRound {
  const round = tableAt(record, "round");
  // A player's own record of a round that a person dealt has a part of its own instead of a shoe.
  const shoe = tableAt(record, record["studio"] === undefined ? "shoe" : "studio");
  const options = record["options"] === undefined ? {} : tableAt(record, "options");
  const game = textAt(round, "game");
  const byHand = textAt(shoe, "dealing", "house") === "studio";
  const hands = listAt(record, "hand").map(handOf);
  if (!GAMES[game]) throw new UnreadableError(`game ${game}`);
  return {
    code: textAt(round, "code"),
    game,
    end: textAt(round, "end", "settled"),
    commitment: textAt(shoe, "commitment", ""),
    serverSeed: textAt(shoe, "seed", ""),
    clientSeed: textAt(shoe, "client_seed", ""),
    start: numberAt(shoe, "start", 0),
    burn: options["burn"] === true,
    commands: listAt(record, "commands").map((command) => {
      if (typeof command !== "string") throw new UnreadableError("commands");
      return command;
    }),
    hands,
    links: listAt(record, "paid")
      .map((row) => asTable(row, "paid"))
      .filter((paid) => paid["why"] === "link" && paid["result"] === "win")
      .map((paid) => ({ spot: numberAt(paid, "spot"), stake: numberAt(paid, "stake"), paid: numberAt(paid, "paid") })),
    live: record["kind"] === "own" && !byHand ? liveOf(record, shoe) : null,
    byHand,
    holes: byHand ? listAt(shoe, "holes").map(holeOf) : [],
    dealer: hands.find(({ spot }) => spot === DEALER)?.cards ?? [],
  };
}

function handOf(row: Toml): RecordedHand {
  const hand = asTable(row, "hand");
  const names = textAt(hand, "cards").split(" ").filter(Boolean);
  return { spot: numberAt(hand, "spot"), hand: numberAt(hand, "hand"), cards: names.map(cardOf), ended: textAt(hand, "ended") };
}

function holeOf(text: Toml): RecordedRound["holes"][number] {
  const [, commitment = "", salt = "", name = ""] = (typeof text === "string" ? HOLE.exec(text) : null) ?? [];
  if (!name) throw new UnreadableError("holes");
  return { commitment, salt, card: cardOf(name) };
}

function liveOf(record: Table, shoe: Table): LiveShoe {
  const cards = listAt(record, "cards").map((card) => {
    const found = typeof card === "string" ? CARD_SHOWN.exec(card) : null;
    if (!found) throw new UnreadableError("cards");
    return found;
  });
  return {
    seeds: listAt(shoe, "seeds").filter((seed) => typeof seed === "string"),
    root: textAt(shoe, "root"),
    places: cards.length,
    shown: cards
      .filter(([, , , , name]) => name !== undefined)
      .map(([, at, spot, hand, name = ""]) => ({
        at: Number(at),
        spot: spot === undefined ? DEALER : Number(spot),
        hand: Number(hand ?? 0),
        card: cardOf(name),
      })),
  };
}

function cardOf(name: string): number {
  const [rank, suit] = [RANKS.indexOf(name.slice(0, -1)), SUITS.findIndex((suit) => name.endsWith(suit))];
  if (rank < 0 || suit < 0) throw new UnreadableError(`card ${name}`);
  return 13 * suit + rank;
}

function asTable(value: Toml | undefined, name: string): Table {
  if (typeof value !== "object" || Array.isArray(value)) throw new UnreadableError(`[${name}]`);
  return value as Table;
}

function tableAt(table: Table, key: string): Table {
  return asTable(table[key], key);
}

function listAt(table: Table, key: string): readonly Toml[] {
  const value = table[key] ?? [];
  if (!Array.isArray(value)) throw new UnreadableError(key);
  return value as readonly Toml[];
}

function textAt(table: Table, key: string, otherwise?: string): string {
  const value = table[key] ?? otherwise;
  if (typeof value !== "string") throw new UnreadableError(key);
  return value;
}

function numberAt(table: Table, key: string, otherwise?: number): number {
  const value = table[key] ?? otherwise;
  if (typeof value !== "number") throw new UnreadableError(key);
  return value;
}

// Checking

const NOTHING = { commitment: false, order: [], dealt: 0, wrongHands: [], wrongBonus: null, live: null, holes: [], good: false };

export function check(round: RecordedRound): Verdict {
  const seed = unhex(round.serverSeed);
  if (seed?.length !== SEED_BYTES) return { round, seeded: false, ...NOTHING, holes: checkHoles(round) };
  const decks = GAMES[round.game]?.decks ?? 0;
  const commitment = hex(sha256(seed)) === round.commitment;
  const order = shoeOrder(seed, round.clientSeed, decks);
  if (round.live) {
    const seeds = seedsDigest(round.live.seeds) === round.clientSeed;
    const root = shoeRoot(seed, round.clientSeed, decks) === round.live.root;
    const wrongHands = misplaced(round.live, order);
    const good = commitment && seeds && root && wrongHands.length === 0;
    const dealt = round.live.places;
    return { round, seeded: true, commitment, order, dealt, wrongHands, wrongBonus: null, live: { seeds, root }, holes: [], good };
  }
  const { hands, dealt } = deal(round, order);
  const wrongHands = round.hands
    .map(({ spot, hand, cards }) => ({ spot, hand, told: cards, found: hands.get(`${spot}.${hand}`) ?? [] }))
    .filter(({ told, found }) => told.join() !== found.join());
  const wrongBonus = round.game === "link" ? checkBonus(round, new Stream(seed, round.clientSeed, "bonus")) : null;
  const good = commitment && wrongHands.length === 0 && !wrongBonus?.length;
  return { round, seeded: true, commitment, order, dealt, wrongHands, wrongBonus, live: null, holes: [], good };
}

/** One that was taken back was committed to as well; the last is the dealer's second card, once it was turned. */
function checkHoles({ holes, dealer }: RecordedRound): Verdict["holes"] {
  return holes.map(({ commitment, salt, card }, at) => {
    const turned = at === holes.length - 1 ? dealer[1] : undefined;
    return { card, good: opens(commitment, salt, card) && (turned === undefined || turned === card) };
  });
}

/** Cards of a live round that are not those at their places. */
function misplaced({ shown }: LiveShoe, order: readonly number[]): readonly WrongHand[] {
  return shown
    .filter(({ at, card }) => order[at] !== card)
    .map(({ at, spot, hand, card }) => ({ spot, hand, told: [card], found: order.slice(at, at + 1) }));
}

/** Deal the round again by its commands: every hand by `spot.hand`, and how many cards went. */
function deal(round: RecordedRound, order: readonly number[]): { hands: Map<string, number[]>; dealt: number } {
  const recorded = new Map(round.hands.map((hand) => [`${hand.spot}.${hand.hand}`, hand]));
  const spots = [...new Set(round.hands.map(({ spot }) => spot))].filter((spot) => spot !== DEALER).sort((a, b) => a - b);
  const hands = new Map<string, number[]>();
  let next = round.start;
  const draw = () => order[next++] ?? -1;
  const give = (place: string) => hands.set(place, [...(hands.get(place) ?? []), draw()]);

  if (round.burn) draw();
  if (!spots.length) return { hands: hands.set(`${DEALER}.0`, []), dealt: next - round.start };
  for (const spot of spots) give(`${spot}.0`);
  const dealer = [draw()];
  for (const spot of spots) give(`${spot}.0`);
  const hole = round.game === NO_HOLE_CARD ? [] : [draw()];
  for (const command of round.commands) {
    const [place = "", word = ""] = command.split(" ");
    if (!place.includes(".")) continue;
    if (word === "hit" || word === "double") give(place);
    if (word === "split") {
      const [spot = ""] = place.split(".");
      const [right = -1, left = -1] = hands.get(`${spot}.0`) ?? [];
      hands.set(`${spot}.0`, [right]).set(`${spot}.1`, [left]);
      give(`${spot}.0`);
      if (recorded.get(`${spot}.1`)?.ended !== "unstaked") give(`${spot}.1`);
    }
  }
  const told = recorded.get(`${DEALER}.0`)?.cards.length ?? 0;
  if (told > 1) dealer.push(...hole); // else the hole card was never turned
  while (dealer.length < told) dealer.push(draw());
  return { hands: hands.set(`${DEALER}.0`, dealer), dealt: next - round.start };
}

// The Link bonus

const WHEEL: Weights<number | "link" | "mega-link"> = [[5, 350], [10, 260], [15, 160], [25, 80], [50, 25], ["link", 90], ["mega-link", 35]];
const CELLS: Weights<number> = [[0, 4700], [1, 100], [2, 70], [3, 45], [4, 30], [5, 25], [10, 18], [15, 9], [50, 3]];
const TILES: Weights<number | "diamond"> = [[2, 50], [3, 25], [5, 10], ["diamond", 15]];
const DIAMONDS: Weights<number> = [[20, 70], [100, 24], [500, 5], [2000, 1]];
const BONUS_TABLES = { link: { columns: 6, first: 3 }, "mega-link": { columns: 12, first: 6 } };
const SPINS = 3;
const ROWS = 3;
const BLOCK = 6;

function checkBonus(round: RecordedRound, stream: Stream): readonly WrongBonus[] {
  const games = new Map<number, Iterator<number, void>>();
  const found = new Map<number, number>();
  for (const command of round.commands) {
    const [place = "", word = ""] = command.split(" ");
    if (word !== "spin") continue;
    const spot = Number(place);
    const game = games.get(spot) ?? bonusSpins(stream);
    games.set(spot, game);
    const spin = game.next();
    if (!spin.done) found.set(spot, spin.value);
  }
  if (round.end !== "settled") return [];
  const told = new Map(round.links.map(({ spot, stake, paid }) => [spot, paid / stake - 1]));
  return [...new Set([...found.keys(), ...told.keys()])]
    .map((spot) => ({ spot, told: told.get(spot) ?? null, found: found.get(spot) ?? null }))
    .filter((spot) => spot.told !== spot.found);
}

/** Spin after spin; the last value is what the bonus pays to 1. */
function* bonusSpins(stream: Stream): Generator<number, void> {
  const section = stream.pick(WHEEL);
  if (typeof section === "number") {
    yield section;
    return;
  }
  const { columns, first } = BONUS_TABLES[section];
  const cells = ROWS * columns;
  const tiles = Array.from({ length: cells / BLOCK }, () => stream.pick(TILES));
  const table = new Map<number, number>();
  const empty = () => Array.from({ length: cells }, (_, cell) => cell).filter((cell) => !table.has(cell));
  for (let prize = 0; prize < first; prize += 1) {
    const free = empty();
    table.set(free[stream.below(free.length)] ?? 0, stream.pick(CELLS.slice(1)));
  }
  yield 0;
  let left = SPINS;
  while (left && table.size < cells) {
    const turned = empty().map((cell) => [cell, stream.pick(CELLS)] as const);
    const prizes = turned.filter(([, prize]) => prize > 0);
    for (const [cell, prize] of prizes) table.set(cell, prize);
    left = prizes.length ? SPINS : left - 1;
    if (left && table.size < cells) yield 0;
  }
  let total = 0;
  tiles.forEach((tile, block) => {
    const own = [...table].filter(([cell]) => Math.floor(cell / BLOCK) === block).map(([, prize]) => prize);
    const sum = own.reduce((whole, prize) => whole + prize, 0);
    if (own.length < BLOCK) total += sum;
    else total += tile === "diamond" ? sum + stream.pick(DIAMONDS) : sum * tile;
  });
  yield total;
}
