// Written by `python -m tools.web web/src`; a test compares. Do not edit.

import type {
  Acted,
  BehindAllowed,
  BetReturned,
  BetSettled,
  BetsPlaced,
  BettingClosed,
  BonusEnded,
  BonusStarted,
  CardBurnt,
  CardDealt,
  CellsLocked,
  ConsentGiven,
  CutCardShown,
  DealerEnded,
  DiamondWon,
  EvenMoneyAnswered,
  EvenMoneyOffered,
  HandEnded,
  HoleDealt,
  HoleShown,
  InsuranceOffered,
  Insured,
  Limits,
  LossBounded,
  MoneyAdded,
  Peeked,
  PlayerJoined,
  PlayerPaid,
  RoundSettled,
  RoundVoided,
  SideBetDecided,
  StakeAdded,
  StakeDeclined,
  TableEntered,
  TableHead,
  TableOpened,
  TableOptions,
  TurnStarted,
  VoteCast,
  WheelStopped,
  WinCapped,
} from "./wire";

export type RoundEvent =
  | CardBurnt
  | BetsPlaced
  | BetReturned
  | ConsentGiven
  | BehindAllowed
  | LossBounded
  | MoneyAdded
  | PlayerJoined
  | BettingClosed
  | CardDealt
  | HoleDealt
  | SideBetDecided
  | InsuranceOffered
  | EvenMoneyOffered
  | Insured
  | EvenMoneyAnswered
  | Peeked
  | TurnStarted
  | VoteCast
  | Acted
  | StakeAdded
  | StakeDeclined
  | HandEnded
  | BonusStarted
  | WheelStopped
  | TableOpened
  | TableEntered
  | CellsLocked
  | DiamondWon
  | BonusEnded
  | HoleShown
  | DealerEnded
  | BetSettled
  | WinCapped
  | CutCardShown
  | RoundSettled
  | PlayerPaid
  | RoundVoided;

/** The version of the terms that a player accepts. */
export interface AcceptingTerms {
  readonly version: string;
}

/** Who came in; the token only for who asked for it. */
export interface Admitted {
  readonly player: number;
  readonly name: string;
  readonly token: string | null;
}

/** Where players are helped; what the operator has not named is empty (PLT-63). */
export interface Assistance {
  readonly email: string;
  readonly phone: string;
  readonly url: string;
}

/** What the account has now. */
export interface Balance {
  readonly currency: "EUR" | "FUN";
  readonly balance: number;
}

/** Rows by hard total, by soft total, and by the value of a pair (ace 1). */
export interface BestTable {
  readonly hard: Readonly<Record<string, string>>;
  readonly soft: Readonly<Record<string, string>>;
  readonly pairs: Readonly<Record<string, string>>;
}

/** The bonus with its weights; the defaults return 95 % of the LINK bet (RET-09, RET-10). */
export interface Bonus {
  readonly wheel: readonly (readonly [number | "link" | "mega-link", number])[];
  readonly cells: readonly (readonly [number, number])[];
  readonly tiles: readonly (readonly [number | "diamond", number])[];
  readonly diamonds: readonly (readonly ["grand" | "major" | "mini" | "minor", number])[];
  readonly pays: readonly (readonly ["grand" | "major" | "mini" | "minor", number])[];
  readonly link: BonusTable;
  readonly mega_link: BonusTable;
  readonly spins: number;
}

/** A bonus table: columns of three cells, a tile below each pair of columns. */
export interface BonusTable {
  readonly columns: number;
  readonly start: number;
}

/** What can be paid in and out; `deposit_left` is what the player's own limit leaves for today. */
export interface CashierPage {
  readonly balances: Readonly<Record<string, number>>;
  readonly currencies: readonly ("EUR" | "FUN")[];
  readonly deposit_left: number | null;
  readonly deposit: PaymentLimits;
  readonly withdraw: PaymentLimits;
  readonly confirm_from: number;
}

/** Someone outside the house who helps (PLT-50). */
export interface Contact {
  readonly name: string;
  readonly phone: string;
  readonly url: string;
}

/** A fresh player with play money. A program says that it is one: others see it, and no payout report counts it. */
export interface Demo {
  readonly bearer?: boolean;
  readonly bot?: boolean;
}

/** A game of the catalogue. */
export interface GameHead {
  readonly name: string;
  readonly title: string;
  readonly live: boolean;
  readonly sha256: string;
}

/** Limits to choose from a VIP level on; `yours` says whether the player may (PLT-11). */
export interface GameLimits {
  readonly game: string;
  readonly currency: "EUR" | "FUN";
  readonly name: string;
  readonly vip: number;
  readonly main: Limits;
  readonly side: Limits;
  readonly max_win: number | null;
  readonly cap: number | null;
  readonly yours: boolean;
}

/** All about a game, from the rules that the engine runs (PLT-61). */
export interface GamePage {
  readonly game: GameHead;
  readonly rules: Rules;
  readonly options: TableOptions;
  readonly returns: readonly GameReturn[];
  readonly best: BestTable;
  readonly limits: readonly GameLimits[];
  readonly guide: Readonly<Record<string, readonly Section[]>>;
}

/** The return of a bet as a fraction: as the regulation publishes it, and worked out exactly. */
export interface GameReturn {
  readonly bet: string;
  readonly published: number | null;
  readonly per_stake: number;
  readonly per_initial: number;
  readonly sd: number;
}

/** Every game of the house, and the limits to choose from where one plays alone. */
export interface Games {
  readonly games: readonly GameHead[];
  readonly limits: readonly GameLimits[];
  readonly house: string;
}

/** Another role for a player, and why (ASR-33). */
export interface GivingRole {
  readonly role: "administrator" | "player" | "presenter" | "supervisor";
  readonly reason: string;
}

/** Another VIP level for a player, and why. */
export interface GivingVip {
  readonly vip: number;
  readonly reason: string;
}

/** Golden chips for a player, and why; the same id grants nothing again (MAJ-50, ASR-11). */
export interface GrantingGolden {
  readonly id: string;
  readonly currency: "EUR" | "FUN";
  readonly value: number;
  readonly count: number;
  readonly reason: string;
}

/** Lines of a history, newest first; `next` is the `before` of the next page.

    Beside them, what tables did to the player in that time without being asked (PLT-49). */
export interface HistoryPage {
  readonly lines: readonly Line[];
  readonly next: string | null;
  readonly notices: readonly NoticeLine[];
}

/** A round as the back office sees it (PLT-60): all that was public, sums, and single players' parts as asked for. */
export interface HouseRound {
  readonly code: string;
  readonly table: string;
  readonly game: string;
  readonly currency: string;
  readonly state: string;
  readonly opened_at: number;
  readonly closed_at: number | null;
  readonly players: number;
  readonly staked: number;
  readonly paid: number;
  readonly lines: readonly LineSum[];
  readonly shares: readonly Share[];
  readonly next: number | null;
  readonly moments: readonly Moment[];
}

/** A limit of the player's own, with the moment it is in force from; None is no limit. */
export interface InForce {
  readonly kind: "deposit-day" | "loss-day" | "self-exclusion" | "session-minutes" | "time-out";
  readonly value: number | null;
  readonly since: number;
}

/** A round in a player's history: what the player staked and was paid, GC if golden chips were in it. */
export interface Line {
  readonly code: string;
  readonly at: number;
  readonly game: string;
  readonly currency: string;
  readonly staked: number;
  readonly paid: number;
  readonly golden: boolean;
  readonly state: string;
}

/** What became of everyone's bets of one kind on one hand: how many there were, staked and paid in sum. */
export interface LineSum {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly result: string;
  readonly bets: number;
  readonly staked: number;
  readonly paid: number;
}

/** A player comes back; a self-excluded one can do so to withdraw only. */
export interface LoggingIn {
  readonly name: string;
  readonly password: string;
  readonly bearer?: boolean;
  readonly purpose?: "play" | "withdraw";
}

/** The player: what the house knows, and where to go on (PLT-30). */
export interface Me {
  readonly player: number;
  readonly name: string;
  readonly role: "administrator" | "player" | "presenter" | "supervisor";
  readonly vip: number;
  readonly demo: boolean;
  readonly now: number;
  readonly balances: Readonly<Record<string, number>>;
  readonly seats: readonly Seat[];
  readonly protections: Protections;
  readonly session: SessionClock;
  readonly terms_due: boolean;
}

/** A step of a round as the player saw it, and what it did to the player's money at the table. */
export interface Moment {
  readonly at: number;
  readonly events: readonly RoundEvent[];
  readonly moved: number;
}

/** Money that came into the account, above 0, or left it; a rollback is a payment that came back. */
export interface Movement {
  readonly at: number;
  readonly kind: "deposit" | "rollback" | "withdraw";
  readonly currency: "EUR" | "FUN";
  readonly amount: number;
}

/** Movements at the cashier, newest first; `next` is the `before` of the next page. */
export interface Movements {
  readonly lines: readonly Movement[];
  readonly next: string | null;
}

/** A player who says nothing for some minutes, at any table, and why; 0 minutes end it. */
export interface Muting {
  readonly player: string;
  readonly minutes: number;
  readonly reason: string;
}

/** What rounds cost and paid, in cents. */
export interface Net {
  readonly currency: "EUR" | "FUN";
  readonly rounds: number;
  readonly staked: number;
  readonly paid: number;
}

/** The old password and the new one; every other login ends. */
export interface NewPassword {
  readonly old: string;
  readonly new: string;
  readonly bearer?: boolean;
}

/** What a table did to the player that nobody had asked for (PLT-49). */
export interface NoticeLine {
  readonly at: number;
  readonly what: "bet-returned" | "decided" | "insurance-refused" | "limit-reached" | "money-returned" | "not-covered" | "seat-lost";
  readonly game: string;
  readonly currency: string;
  readonly round: string;
  readonly spot: number;
  readonly hand: number;
  readonly detail: string;
  readonly amount: number;
}

/** Whom players turn to, and what registering asks of them. */
export interface Operator {
  readonly assistance: Assistance;
  readonly help_line: Contact;
  readonly register: Contact;
  readonly least_age: number;
  readonly terms_version: string;
}

/** Why a live table is to wait or to go on; for the house's own eyes. */
export interface Ordering {
  readonly reason: string;
}

/** Money in or out, under an id of the player's own: the same id moves nothing again (ASR-11). */
export interface Payment {
  readonly id: string;
  readonly currency: "EUR" | "FUN";
  readonly amount: number;
}

/** The least and the most of one payment, and the most of a day (UTC), in any money. */
export interface PaymentLimits {
  readonly least: number;
  readonly most: number;
  readonly day: number;
}

/** What is published of a shoe before its first betting; without the players' seeds, the commitment alone. */
export interface Promise {
  readonly decks: number;
  readonly commitment: string;
  readonly client_seed: string;
  readonly seeds: readonly string[];
  readonly root: string;
}

/** A card that was turned: its place in the shoe, its salt, and its path to the root. Bytes are hexadecimal. */
export interface Proof {
  readonly position: number;
  readonly card: number;
  readonly salt: string;
  readonly path: readonly string[];
}

/** Cards of the shoe in use, in the order they were turned, each with its proof; `next` is the `from` to go on with. */
export interface Proofs {
  readonly commitment: string;
  readonly root: string;
  readonly cards: number;
  readonly turned: number;
  readonly proofs: readonly Proof[];
  readonly next: number;
}

/** Limits to set; None lifts one, what is not named stays. Amounts in cents a day, moments in milliseconds. */
export interface Protecting {
  readonly deposit_day?: number | null;
  readonly loss_day?: number | null;
  readonly session_minutes?: number | null;
  readonly time_out?: number | null;
  readonly self_exclusion?: number | "for-good" | null;
}

/** What the player has set, what comes into force later, and what is used up today. */
export interface Protections {
  readonly in_force: readonly InForce[];
  readonly pending: readonly InForce[];
  readonly deposited_today: number;
  readonly lost_today: number;
}

/** A new player. `bearer` asks for the token in the answer instead of a cookie. */
export interface Registering {
  readonly name: string;
  readonly password: string;
  readonly born: string;
  readonly terms: string;
  readonly bearer?: boolean;
}

/** A round opened for one of its players; what the time-out decided in it is told beside its moments. */
export interface RoundView {
  readonly line: Line;
  readonly moments: readonly Moment[];
  readonly notices: readonly NoticeLine[];
}

/** The rules of one game. The defaults are the classic six-deck game of the literature. */
export interface Rules {
  readonly name: string;
  readonly decks: number;
  readonly spots: number;
  readonly backing: "boxes" | "seats" | "solo";
  readonly hole_card: boolean;
  readonly checks: readonly ("ace" | "ten")[];
  readonly dealer_hits_soft_17: boolean;
  readonly win_pays: readonly [number, number];
  readonly blackjack_pays: readonly [number, number];
  readonly insurance_pays: readonly [number, number];
  readonly even_money: boolean;
  readonly double_after_split: boolean;
  readonly free_double: readonly number[];
  readonly free_split: readonly number[];
  readonly surrender: boolean;
  readonly cashback: boolean;
  readonly charlie: number;
  readonly dealer_22_pushes: boolean;
  readonly ten_up_returns_double: boolean;
  readonly buster_keeps_dealer: boolean;
  readonly side_bets: readonly SideBet[];
  readonly bonus: Bonus | null;
}

/** A table where the player sits, with the money there that is not staked; `round` is the one to go back to. */
export interface Seat {
  readonly table: string;
  readonly currency: "EUR" | "FUN";
  readonly balance: number;
  readonly brought: number;
  readonly since: number;
  readonly round: string | null;
  readonly game: string | null;
}

/** A heading and the sentences below it. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** How long the player has been here, what came of it, and how often the page reminds (PLT-51). */
export interface SessionClock {
  readonly began_at: number;
  readonly minutes: number;
  readonly reality_minutes: number;
  readonly net: readonly Net[];
}

/** What follows the player to every device (PLT-42, PLT-43, PLT-47, ASR-50). */
export interface Settings {
  readonly language: "en" | "it" | null;
  readonly sound: Sound;
  readonly allow_behind: boolean;
  readonly follow_double: boolean;
  readonly follow_split: boolean;
  readonly view: "classic" | "immersive";
  readonly focus: boolean;
  readonly hide_chat: boolean;
  readonly four_colours: boolean;
  readonly less_motion: boolean;
  readonly insurance: boolean;
  readonly client_seed: string;
}

/** What a round was for one of its players. */
export interface Share {
  readonly player: number;
  readonly staked: number;
  readonly paid: number;
  readonly golden: boolean;
}

/** The shoe before: with its seed it can be shuffled again, and every card of it compared (ASR-02). */
export interface ShoeBefore {
  readonly promise: Promise;
  readonly server_seed: string;
}

/** The shoe in use: what was promised of it, how many of its cards are dealt, and where the cut card is. */
export interface ShoeNow {
  readonly promise: Promise;
  readonly dealt: number;
  readonly cut: number;
}

/** The shoes of a live table; None where there is none yet. */
export interface Shoes {
  readonly now: ShoeNow | null;
  readonly before: ShoeBefore | null;
  readonly next: Promise | null;
}

/** A side bet and its prizes, the highest category first; a prize of N pays N:1. */
export interface SideBet {
  readonly name: "21+3" | "buster" | "dealer-pair" | "link" | "lucky-lucky" | "player-pair" | "top-3";
  readonly judge: "bonus" | "dealer-bust" | "dealer-pair" | "hand-pair" | "lucky" | "poker";
  readonly prizes: readonly (readonly [string, number])[];
  readonly once: boolean;
}

/** Volumes in per cent (PLT-42). */
export interface Sound {
  readonly muted: boolean;
  readonly voice: number;
  readonly game: number;
}

/** The lobby (PLT-44). */
export interface Tables {
  readonly tables: readonly TableHead[];
}

/** The terms in force: paragraphs with a blank line between them, headings after `# `. */
export interface Terms {
  readonly version: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** A line that is taken away from every screen, and why. */
export interface Unsaying {
  readonly id: number;
  readonly reason: string;
}

/** Why a round is voided; for the house's own eyes (ASR-33). */
export interface Voiding {
  readonly reason: string;
}
