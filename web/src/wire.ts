// Written by `python -m tools.web web/src`; a test compares. Do not edit.

export const SUBPROTOCOL = "sabot.v1";

/** Do something in the round: the engine's own command, of those that do not say whose they are. */
export interface Act {
  readonly type: "act";
  readonly id: string;
  readonly table: string;
  readonly round: string;
  readonly turn: number;
  readonly command: Hit | Stand | Double | Split | Surrender | Cashback | EvenMoney | Spin | Continue;
}

/** A decision was carried out; with votes, their tally. */
export interface Acted {
  readonly type: "acted";
  readonly spot: number;
  readonly hand: number;
  readonly action: "cashback" | "double" | "hit" | "split" | "stand" | "surrender";
  readonly free: boolean;
  readonly tally: readonly (readonly ["cashback" | "double" | "hit" | "split" | "stand" | "surrender", number])[];
}

/** Bring more money to the table (AGGIUNGI DENARO). */
export interface AddMoney {
  readonly type: "add-money";
  readonly id: string;
  readonly table: string;
  readonly amount: number;
}

/** Whether others may bet behind an own seat (FRB-43). */
export interface AllowBehind {
  readonly type: "allow-behind";
  readonly id: string;
  readonly table: string;
  readonly spot: number;
  readonly allowed: boolean;
}

/** The presenter says something. */
export interface Announced {
  readonly type: "announced";
  readonly what: "last-round" | "no-more-bets" | "nobody-bet" | "place-your-bets" | "shoes-exchanged" | "shuffle";
}

/** Whether a seat takes bets behind, and from when (FRB-43). */
export interface BehindAllowed {
  readonly type: "behind-allowed";
  readonly spot: number;
  readonly allowed: boolean;
  readonly next_round: boolean;
}

/** One bet of a player: on a spot, of a kind (`main`, `behind` or a side bet's name). */
export interface Bet {
  readonly spot: number;
  readonly kind: string;
  readonly stake: number;
  readonly golden: readonly number[];
}

/** A bet was returned before the deal: too small, or behind a seat that does not play (COM-25, FRB-41). */
export interface BetReturned {
  readonly type: "bet-returned";
  readonly player: string;
  readonly bet: Bet;
  readonly reason: "below-minimum" | "no-main-bet" | "seat-not-playing";
}

/** The result of a line: money paid, its stake included, and golden chips returned. */
export interface BetSettled {
  readonly type: "bet-settled";
  readonly player: string;
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
  readonly result: "blackjack" | "cashback" | "even-money" | "half" | "lose" | "push" | "returned" | "win";
  readonly paid: number;
  readonly golden_back: readonly number[];
}

/** The player's bets are now these. */
export interface BetsPlaced {
  readonly type: "bets-placed";
  readonly player: string;
  readonly bets: readonly Bet[];
  readonly balance: number;
}

/** A seated player's bets can be seen: they are final (FRB-24). */
export interface BetsShown {
  readonly type: "bets-shown";
  readonly player: string;
  readonly bets: readonly Bet[];
}

/** No more bets; these spots play. */
export interface BettingClosed {
  readonly type: "betting-closed";
  readonly spots: readonly StakedSpot[];
}

/** The bonus is over: what it pays to 1. */
export interface BonusEnded {
  readonly type: "bonus-ended";
  readonly spot: number;
  readonly pays: number;
}

/** A blackjack with a LINK bet opens its bonus. */
export interface BonusStarted {
  readonly type: "bonus-started";
  readonly spot: number;
}

/** A bonus as far as it is played. */
export interface BonusView {
  readonly spot: number;
  readonly stage: string;
  readonly feature: string | null;
  readonly tiles: readonly (number | "diamond")[];
  readonly cells: readonly (readonly [number, number])[];
  readonly spins: number;
}

/** Players with a bet on a box, and who will decide for it (MAJ-10). */
export interface BoxCount {
  readonly spot: number;
  readonly players: number;
  readonly mode: "best-strategy" | "owner" | "vote";
}

/** A card was burnt face down (MAJ-07). */
export interface CardBurnt {
  readonly type: "card-burnt";
}

/** A card was dealt face up to a hand, or with spot -1 to the dealer; with the new total. */
export interface CardDealt {
  readonly type: "card-dealt";
  readonly spot: number;
  readonly hand: number;
  readonly card: number;
  readonly total: number;
  readonly soft: boolean;
}

/** What a card of the shoe was sealed with: its place, the card, its salt. */
export interface CardProof {
  readonly position: number;
  readonly card: number;
  readonly salt: string;
}

/** The salts of cards that were turned: with them, and their paths to the root, they can be checked (ASR-02). */
export interface CardsProved {
  readonly type: "cards-proved";
  readonly cards: readonly CardProof[];
}

/** Sell the hand for the price shown (CSH-15). */
export interface Cashback {
  readonly type: "cashback";
  readonly spot: number;
  readonly hand?: number;
  readonly price: number;
}

/** A spin of the bonus table: the new prizes, as (cell, prize), and the spins left. */
export interface CellsLocked {
  readonly type: "cells-locked";
  readonly spot: number;
  readonly cells: readonly (readonly [number, number])[];
  readonly spins: number;
}

/** Play with other limits, from the next round on (COM-54). */
export interface ChooseLimits {
  readonly type: "choose-limits";
  readonly id: string;
  readonly table: string;
  readonly limits: string;
}

/** The table is thrown away and read back: open it again. */
export interface Closed {
  readonly type: "closed";
  readonly table: string;
  readonly reason: string;
}

/** Whether doubles and splits that others decide are followed (FRB-42, MAJ-12). */
export interface Consent {
  readonly type: "consent";
  readonly id: string;
  readonly table: string;
  readonly double: boolean;
  readonly split: boolean;
}

/** What the player follows from now on. */
export interface ConsentGiven {
  readonly type: "consent-given";
  readonly player: string;
  readonly double: boolean;
  readonly split: boolean;
}

/** Leave the intro screen of a bonus table (CONTINUA). */
export interface Continue {
  readonly type: "continue";
  readonly spot: number;
}

/** How many people there are, programs beside them, and how they vote; told now and then. */
export interface CrowdCounted {
  readonly type: "crowd-counted";
  readonly players: number;
  readonly bots: number;
  readonly boxes: readonly BoxCount[];
  readonly tally: readonly (readonly ["cashback" | "double" | "hit" | "split" | "stand" | "surrender", number])[];
}

/** The cut card came out: the shoe is changed before the next betting (COM-12). */
export interface CutCardShown {
  readonly type: "cut-card-shown";
}

/** Stake and deal. The client seed is the player's part in the shuffle (ASR-02). */
export interface Deal {
  readonly type: "deal";
  readonly id: string;
  readonly table: string;
  readonly bets: readonly Bet[];
  readonly client_seed: string;
  readonly insurance?: boolean;
}

/** The dealer's hand is finished. */
export interface DealerEnded {
  readonly type: "dealer-ended";
  readonly total: number;
  readonly bust: boolean;
  readonly blackjack: boolean;
}

/** A double or split of others that the player could not follow, and why (MAJ-41, ASR-41). */
export interface DeclinedView {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly reason: string;
}

/** A full block over a diamond drew a prize. */
export interface DiamondWon {
  readonly type: "diamond-won";
  readonly spot: number;
  readonly block: number;
  readonly prize: "grand" | "major" | "mini" | "minor";
  readonly pays: number;
}

/** Double the stake, take one card, stand; free where the hand allows it free. */
export interface Double {
  readonly type: "double";
  readonly spot: number;
  readonly hand?: number;
}

/** Look at a live table. It is answered with a snapshot. */
export interface Enter {
  readonly type: "enter";
  readonly id: string;
  readonly table: string;
}

/** Take or refuse even money on a blackjack (LNK-04). */
export interface EvenMoney {
  readonly type: "even-money";
  readonly spot: number;
  readonly accept: boolean;
}

/** The answer to an even-money offer. */
export interface EvenMoneyAnswered {
  readonly type: "even-money-answered";
  readonly spot: number;
  readonly accepted: boolean;
}

/** A blackjack may be taken at 1:1. */
export interface EvenMoneyOffered {
  readonly type: "even-money-offered";
  readonly spot: number;
}

/** Look at it no more; seats and bets stay. */
export interface Exit {
  readonly type: "exit";
  readonly id: string;
  readonly table: string;
}

/** Why not: a code of the registry with its params. */
export interface Failure {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What happened at a table; `turn` is what the next request must carry. */
export interface Frame {
  readonly type: "frame";
  readonly table: string;
  readonly epoch: number;
  readonly seq: number;
  readonly at: number;
  readonly round: string;
  readonly turn: number;
  readonly events: readonly TableEvent[];
}

/** What golden chips may be used for (MAJ-51, MAJ-52). */
export interface GoldenOptions {
  readonly mixing: boolean;
  readonly extra: boolean;
  readonly blind: boolean;
  readonly cap: number | null;
}

/** A hand is finished. */
export interface HandEnded {
  readonly type: "hand-ended";
  readonly spot: number;
  readonly hand: number;
  readonly how: "blackjack" | "bust" | "cashed-back" | "charlie" | "doubled" | "even-money" | "stood" | "surrendered" | "twenty-one" | "unstaked";
  readonly total: number;
}

/** A hand's face-up cards, its total, and how it ended. */
export interface HandView {
  readonly cards: readonly number[];
  readonly total: number;
  readonly soft: boolean;
  readonly ended: string | null;
}

/** Take a card. */
export interface Hit {
  readonly type: "hit";
  readonly spot: number;
  readonly hand?: number;
}

/** The dealer's second card came face down. */
export interface HoleDealt {
  readonly type: "hole-dealt";
}

/** The dealer's second card was turned. */
export interface HoleShown {
  readonly type: "hole-shown";
  readonly card: number;
  readonly total: number;
  readonly soft: boolean;
}

/** Insurance is offered: for one hand at its cost (solo), or to everyone at once (live). */
export interface InsuranceOffered {
  readonly type: "insurance-offered";
  readonly spot: number | null;
  readonly cost: number;
}

/** Take or refuse insurance, for one spot or for all not yet answered. */
export interface Insure {
  readonly type: "insure";
  readonly id: string;
  readonly table: string;
  readonly round: string;
  readonly turn: number;
  readonly accept: boolean;
  readonly spot?: number | null;
}

/** The player's answer to an insurance offer. */
export interface Insured {
  readonly type: "insured";
  readonly player: string;
  readonly spot: number;
  readonly accepted: boolean;
  readonly cost: number;
  readonly balance: number;
}

/** Leave the table with what is left, or one of the own seats; with a bet on it, after the round (FRB-33). */
export interface Leave {
  readonly type: "leave";
  readonly id: string;
  readonly table: string;
  readonly spot?: number | null;
}

/** Limits the player may choose (COM-54). */
export interface Limit {
  readonly name: string;
  readonly main: readonly [number, number];
  readonly side: readonly [number, number];
  readonly max_win: number | null;
  readonly cap: number | null;
}

/** Limits of an initial bet of one kind, in cents (COM-23). */
export interface Limits {
  readonly minimum: number;
  readonly maximum: number;
}

/** One of the player's stakes. */
export interface LineView {
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
}

/** A player's own part of a live table beside the round. */
export interface LivePart {
  readonly seats: readonly number[];
  readonly bets: readonly Bet[];
  readonly consent: readonly [boolean, boolean] | null;
  readonly golden: Readonly<Record<string, number>>;
  readonly leaving: boolean;
  readonly started: boolean;
  readonly wishes: Readonly<Record<string, "cashback" | "double" | "hit" | "split" | "stand" | "surrender">>;
  readonly ahead: Readonly<Record<string, readonly Option[]>>;
  readonly vote: "cashback" | "double" | "hit" | "split" | "stand" | "surrender" | null;
  readonly notices: readonly Notice[];
}

/** A live table beside its round. */
export interface LiveView {
  readonly phase: "betting" | "closing" | "dealer" | "dealing" | "decisions" | "idle" | "insurance" | "payout" | "shuffle";
  readonly until: number | null;
  readonly paused: string;
  readonly seats: readonly SeatView[];
  readonly crowd: CrowdCounted;
  readonly shoe: ShoeView | null;
  readonly timers: Timers;
  readonly next_commitment: string;
}

/** Every live table. */
export interface Lobby {
  readonly type: "lobby";
  readonly tables: readonly TableHead[];
}

/** The player's own loss limit lets so much more be staked in the round (ASR-41). */
export interface LossBounded {
  readonly type: "loss-bounded";
  readonly player: string;
  readonly left: number;
}

/** The player's own part at a table, whole; never replayed. */
export interface Me {
  readonly type: "me";
  readonly table: string;
  readonly balance: number | null;
  readonly account: number;
  readonly brought: number;
  readonly limits: string;
  readonly part: PlayerView | null;
  readonly results: Results;
  readonly last: readonly Bet[];
  readonly insurance: boolean;
  readonly live: LivePart | null;
}

export type Message =
  | Response
  | Frame
  | Me
  | Snapshot
  | Closed
  | Said
  | Unsaid
  | Lobby;

/** The player brought money. */
export interface MoneyAdded {
  readonly type: "money-added";
  readonly player: string;
  readonly amount: number;
  readonly balance: number;
}

/** The house has committed to the shoe at the shuffling table: players send their seeds for it (FRB-30). */
export interface NextShoeCommitted {
  readonly type: "next-shoe-committed";
  readonly commitment: string;
}

/** A thing that happened to a player, until the player's page says that it was seen. */
export interface Notice {
  readonly what: "bet-returned" | "decided" | "insurance-refused" | "limit-reached" | "money-returned" | "not-covered" | "seat-lost";
  readonly number: number;
  readonly at: number;
  readonly round: string;
  readonly spot: number;
  readonly hand: number;
  readonly detail: string;
  readonly amount: number;
}

/** Switch the insurance offer off for the play session, or back on (SUR-06, CSH-12). */
export interface OfferInsurance {
  readonly type: "offer-insurance";
  readonly id: string;
  readonly table: string;
  readonly offered: boolean;
}

/** An offer to the player. */
export interface OfferView {
  readonly spot: number;
  readonly kind: string;
  readonly cost: number;
  readonly affordable: boolean;
}

/** Open a game: the player's own table of a solo game. It is answered with a snapshot. */
export interface Open {
  readonly type: "open";
  readonly id: string;
  readonly game: string;
  readonly currency?: "EUR" | "FUN";
}

/** An action that the cards allow: its cost, and why it is not available, if so (COM-24). */
export interface Option {
  readonly action: "cashback" | "double" | "hit" | "split" | "stand" | "surrender";
  readonly cost: number;
  readonly free: boolean;
  readonly pays: number;
  readonly unavailable: string | null;
}

/** The dealer looked for a blackjack. */
export interface Peeked {
  readonly type: "peeked";
  readonly blackjack: boolean;
}

/** The table goes on; `until` is the end of the phase by the server's clock, in milliseconds of UTC. */
export interface PhaseChanged {
  readonly type: "phase-changed";
  readonly phase: "betting" | "closing" | "dealer" | "dealing" | "decisions" | "idle" | "insurance" | "payout" | "shuffle";
  readonly until: number | null;
}

/** Replace all own bets of a round by these. */
export interface PlaceBets {
  readonly type: "place-bets";
  readonly id: string;
  readonly table: string;
  readonly round: string;
  readonly bets: readonly Bet[];
}

/** The player came while bets were open. */
export interface PlayerJoined {
  readonly type: "player-joined";
  readonly player: string;
  readonly balance: number;
}

/** The sums of the round for a player: staked, paid, balance, and whether golden chips were used. */
export interface PlayerPaid {
  readonly type: "player-paid";
  readonly player: string;
  readonly staked: number;
  readonly paid: number;
  readonly balance: number;
  readonly golden: boolean;
}

/** The player's own part: balance, golden chips, stakes and open offers. */
export interface PlayerView {
  readonly balance: number;
  readonly golden: Readonly<Record<string, number>>;
  readonly lines: readonly LineView[];
  readonly offers: readonly OfferView[];
  readonly left: number | null;
  readonly declined: readonly DeclinedView[];
}

/** The first decision of an own seat, before its turn; none takes it back (FRB-25). */
export interface PreDecide {
  readonly type: "pre-decide";
  readonly id: string;
  readonly table: string;
  readonly round: string;
  readonly spot: number;
  readonly action?: "cashback" | "double" | "hit" | "split" | "stand" | "surrender" | null;
}

/** What became of that round for everyone: its side bets, its seeds once revealed, why it was voided. */
export interface PublicOutcome {
  readonly sides: readonly SideBetDecided[];
  readonly revealed: ShoeRevealed | null;
  readonly voided: string | null;
}

export type Request =
  | Open
  | Resume
  | Sit
  | AddMoney
  | Leave
  | ChooseLimits
  | OfferInsurance
  | Deal
  | Act
  | Insure
  | Enter
  | Exit
  | SendSeed
  | PlaceBets
  | StartNow
  | Consent
  | AllowBehind
  | PreDecide
  | Vote
  | See
  | Say
  | WatchLobby;

/** A request was carried out, or why not. */
export interface Response {
  readonly type: "answer";
  readonly id: string;
  readonly error: Failure | null;
  readonly at: number;
}

/** What became of the player's bets in the round being played, or in the last one: by line, and at its end in sum. */
export interface Results {
  readonly settled: readonly BetSettled[];
  readonly paid: PlayerPaid | null;
}

/** Go on after a broken connection: with the frames missed since, or with a snapshot. */
export interface Resume {
  readonly type: "resume";
  readonly id: string;
  readonly table: string;
  readonly epoch: number;
  readonly since: number;
}

/** A round begins; its code is what to quote to support (PLT-20). */
export interface RoundOpened {
  readonly type: "round-opened";
  readonly code: string;
}

/** All is paid. `golden` marks a round with golden chips (MAJ-56). */
export interface RoundSettled {
  readonly type: "round-settled";
  readonly golden: boolean;
}

/** A malfunction: every stake went back and every win of the round is void (PLT-32). */
export interface RoundVoided {
  readonly type: "round-voided";
  readonly reason: string;
}

/** Somebody said something at a table; outside the log and the counting of frames (PLT-40). */
export interface Said {
  readonly type: "said";
  readonly table: string;
  readonly id: number;
  readonly player: string;
  readonly name: string;
  readonly text: string;
  readonly at: number;
  readonly role: string;
}

/** Say something to the table (PLT-40). */
export interface Say {
  readonly type: "say";
  readonly id: string;
  readonly table: string;
  readonly text: string;
}

/** A seat is free. */
export interface SeatLeft {
  readonly type: "seat-left";
  readonly spot: number;
}

/** A player sits down; the screen name stands under the seat (FRB-20). */
export interface SeatTaken {
  readonly type: "seat-taken";
  readonly spot: number;
  readonly player: string;
  readonly name: string;
  readonly bot: boolean;
}

/** A seat that is taken. */
export interface SeatView {
  readonly spot: number;
  readonly player: string;
  readonly name: string;
  readonly streak: number;
  readonly behind: boolean;
  readonly started: boolean;
  readonly bets: readonly Bet[];
  readonly bot: boolean;
  readonly behind_next: boolean;
}

/** What was done to the player was shown, up to a notice's number (PLT-49). */
export interface See {
  readonly type: "see";
  readonly id: string;
  readonly table: string;
  readonly number: number;
}

/** The player's part in the shuffle of a live shoe (ASR-02). */
export interface SendSeed {
  readonly type: "send-seed";
  readonly id: string;
  readonly table: string;
  readonly seed: string;
}

/** The house has committed to the shoe that is in use from now on; no other waits. */
export interface ShoeCommitted {
  readonly type: "shoe-committed";
  readonly commitment: string;
}

/** The shoe is done: both seeds, for everyone to check. */
export interface ShoeRevealed {
  readonly type: "shoe-revealed";
  readonly commitment: string;
  readonly server_seed: string;
  readonly client_seed: string;
}

/** The players' seeds are in the shuffle: their digest, their number, and the root over all salted cards. */
export interface ShoeSeeded {
  readonly type: "shoe-seeded";
  readonly client_seed: string;
  readonly seeds: number;
  readonly root: string;
}

/** The shoe in use: what the house has promised of it. */
export interface ShoeView {
  readonly commitment: string;
  readonly client_seed: string;
  readonly seeds: number;
  readonly dealt: number;
}

/** A side bet is decided: its category, empty where it loses, and what it pays to 1 (SB-09). */
export interface SideBetDecided {
  readonly type: "side-bet-decided";
  readonly spot: number;
  readonly kind: string;
  readonly category: string;
  readonly pays: number;
}

/** Sit down with money from the account (PLT-04); at a table with seats, on one of them (FRB-20). */
export interface Sit {
  readonly type: "sit";
  readonly id: string;
  readonly table: string;
  readonly amount: number;
  readonly spot?: number | null;
}

/** A table as it is now. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly table: string;
  readonly epoch: number;
  readonly seq: number;
  readonly at: number;
  readonly game: string;
  readonly currency: "EUR" | "FUN";
  readonly commitment: string;
  readonly options: TableOptions;
  readonly limits: readonly Limit[];
  readonly round: string;
  readonly turn: number;
  readonly view: TableView | null;
  readonly outcome: PublicOutcome;
  readonly live: LiveView | null;
  readonly title: string;
  readonly sitting: number;
  readonly cap: number | null;
}

/** Spin the wheel, or the empty cells of the bonus table (GIRA). */
export interface Spin {
  readonly type: "spin";
  readonly spot: number;
}

/** Make two hands of a pair; free where the pair allows it free. */
export interface Split {
  readonly type: "split";
  readonly spot: number;
  readonly hand?: number;
}

/** A spot that plays. */
export interface SpotView {
  readonly spot: number;
  readonly owner: string | null;
  readonly mode: "best-strategy" | "owner" | "vote";
  readonly backers: number;
  readonly hands: readonly HandView[];
}

/** The stake of a line: own money, golden chips by face value, and a free bet. */
export interface Stake {
  readonly own: number;
  readonly golden: readonly number[];
  readonly free: number;
}

/** A double or split took a further stake, or put a free bet. */
export interface StakeAdded {
  readonly type: "stake-added";
  readonly player: string;
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly stake: Stake;
  readonly balance: number;
}

/** The player's loss limit forbids following a double or split (ASR-41). */
export interface StakeDeclined {
  readonly type: "stake-declined";
  readonly player: string;
  readonly spot: number;
  readonly hand: number;
  readonly why: string;
  readonly cost: number;
}

/** A spot that plays: its owner, its backers and who decides. */
export interface StakedSpot {
  readonly spot: number;
  readonly owner: string | null;
  readonly backers: number;
  readonly staked: number;
  readonly mode: "best-strategy" | "owner" | "vote";
}

/** Take no more cards. */
export interface Stand {
  readonly type: "stand";
  readonly spot: number;
  readonly hand?: number;
}

/** The own bets are final: deal as soon as everyone seated says so (FRB-24). */
export interface StartNow {
  readonly type: "start-now";
  readonly id: string;
  readonly table: string;
  readonly round: string;
}

/** Rounds that a seat has won in a row (FRB-45). */
export interface StreakChanged {
  readonly type: "streak-changed";
  readonly spot: number;
  readonly rounds: number;
}

/** Give the hand up for half its stake (RESA). */
export interface Surrender {
  readonly type: "surrender";
  readonly spot: number;
  readonly hand?: number;
}

/** The intro screen is left. */
export interface TableEntered {
  readonly type: "table-entered";
  readonly spot: number;
}

export type TableEvent =
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
  | RoundVoided
  | PhaseChanged
  | RoundOpened
  | Announced
  | SeatTaken
  | SeatLeft
  | BetsShown
  | CrowdCounted
  | StreakChanged
  | ShoeCommitted
  | NextShoeCommitted
  | ShoeRevealed
  | ShoeSeeded
  | CardsProved
  | TablePaused
  | TableResumed;

/** A live table as the lobby shows it (PLT-44). */
export interface TableHead {
  readonly table: string;
  readonly title: string;
  readonly game: string;
  readonly currency: "EUR" | "FUN";
  readonly eu: boolean;
  readonly phase: string;
  readonly paused: boolean;
  readonly taken: number;
  readonly seats: number;
  readonly humans: number;
  readonly bots: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly side_minimum: number;
  readonly side_maximum: number;
  readonly max_win: number | null;
  readonly vip: number;
}

/** A bonus table with its tiles and the prizes that stand at the start, as (cell, prize). */
export interface TableOpened {
  readonly type: "table-opened";
  readonly spot: number;
  readonly feature: string;
  readonly tiles: readonly (number | "diamond")[];
  readonly cells: readonly (readonly [number, number])[];
  readonly spins: number;
}

/** The options of a table. Amounts are cents. */
export interface TableOptions {
  readonly main: Limits;
  readonly behind: Limits;
  readonly side: Limits;
  readonly side_by_name: Readonly<Record<string, Limits>>;
  readonly chips: readonly number[];
  readonly side_bets_off: readonly string[];
  readonly insurance: boolean;
  readonly max_win: number | null;
  readonly cashback_margin: number;
  readonly golden: GoldenOptions;
  readonly vote_threshold: number;
  readonly burn: boolean;
  readonly cut: number;
}

/** A supervisor looks at something (PLT-33); the reason is a word of the catalogues, not the supervisor's own. */
export interface TablePaused {
  readonly type: "table-paused";
  readonly reason: string;
}

/** The round goes on. */
export interface TableResumed {
  readonly type: "table-resumed";
}

/** The table as everyone sees it. */
export interface TableView {
  readonly phase: "betting" | "bonus" | "decisions" | "offers" | "settled" | "voided";
  readonly dealer: HandView;
  readonly hole: boolean;
  readonly spots: readonly SpotView[];
  readonly turn: readonly [number, number] | null;
  readonly options: readonly Option[];
  readonly tally: readonly (readonly ["cashback" | "double" | "hit" | "split" | "stand" | "surrender", number])[];
  readonly bonus: BonusView | null;
}

/** Seconds, the seats of a player, and how many shoes there are (FRB-20, FRB-30, FRB-34, MAJ-20). */
export interface Timers {
  readonly shuffle: number;
  readonly betting: number;
  readonly closing: number;
  readonly pace: number;
  readonly insurance: number;
  readonly decision: number;
  readonly vote: number;
  readonly payout: number;
  readonly idle_rounds: number;
  readonly seats_each: number;
  readonly grace: number;
  readonly absence: number;
  readonly shuffling_table: boolean;
}

/** A hand has a decision to make, among these. */
export interface TurnStarted {
  readonly type: "turn-started";
  readonly spot: number;
  readonly hand: number;
  readonly options: readonly Option[];
}

/** A moderator took what was said away. */
export interface Unsaid {
  readonly type: "unsaid";
  readonly table: string;
  readonly id: number;
}

/** A vote on the hand's next action (MAJ-20). */
export interface Vote {
  readonly type: "vote";
  readonly id: string;
  readonly table: string;
  readonly round: string;
  readonly turn: number;
  readonly spot: number;
  readonly action: "cashback" | "double" | "hit" | "split" | "stand" | "surrender";
  readonly hand?: number;
}

/** The player's vote counts. */
export interface VoteCast {
  readonly type: "vote-cast";
  readonly player: string;
  readonly spot: number;
  readonly hand: number;
  readonly action: "cashback" | "double" | "hit" | "split" | "stand" | "surrender";
}

/** Be told of every live table, now and when something changes (PLT-44). */
export interface WatchLobby {
  readonly type: "watch-lobby";
  readonly id: string;
}

/** The wheel shows a section. */
export interface WheelStopped {
  readonly type: "wheel-stopped";
  readonly spot: number;
  readonly section: number | "link" | "mega-link";
}

/** The maximum win cut this much (LNK-08). */
export interface WinCapped {
  readonly type: "win-capped";
  readonly player: string;
  readonly amount: number;
  readonly max_win: number;
}
