"""Every refusal of the house: its code, HTTP status, rule and English sentence; other languages are in `texts`.

>>> str(Refusal("bet/below-minimum", kind="main", stake=50, minimum=100, maximum=50000))
'Stake 0.50 on main is below the minimum: stake from 1.00 to 500.00 (COM-23)'
"""

from collections.abc import Mapping
from string import Formatter
from typing import NamedTuple


class Entry(NamedTuple):
    """One code of the registry; the sentence names its params and how each is formatted (`SentenceFormatter`)."""

    status: int
    rule: str
    sentence: str


# fmt: off
REFUSALS: dict[str, Entry] = {
    "account/unknown": Entry(409, "", "There is no account {account}"),
    "action/not-legal": Entry(409, "COM-53", "“{action:action}” is not possible now on {named:hand}: choose {legal:action}"),
    "behind/no-seats": Entry(409, "FRB-43", "This game has no bets behind"),
    "bet/above-maximum": Entry(409, "COM-23", "Stake {stake:money} on {kind:kind} is above the maximum: stake from {minimum:money} to {maximum:money}"),
    "bet/behind-forbidden": Entry(409, "FRB-43", "The player of seat {spot:number} does not allow bets behind"),
    "bet/behind-own-seat": Entry(409, "FRB-40", "Seat {spot:number} is your own: you cannot bet behind your own seat"),
    "bet/below-minimum": Entry(409, "COM-23", "Stake {stake:money} on {kind:kind} is below the minimum: stake from {minimum:money} to {maximum:money}"),
    "bet/beside-dealer": Entry(409, "SB-02", "There is one bet {kind:kind} for the whole round: place it beside the dealer"),
    "bet/final": Entry(409, "", "You have started: your bets are final until the next round"),
    "bet/late": Entry(409, "", "Too late: betting was closed when your bet arrived"),
    "bet/needs-any-main-bet": Entry(409, "SB-08", "The bet {kind:kind} needs a main bet first"),
    "bet/no-golden": Entry(409, "MAJ-57", "Golden chips can be placed only on main and side bets of a Majority table"),
    "bet/no-main-bet": Entry(409, "SB-08", "The bet {kind:kind} on {spot:place} needs a main bet there first"),
    "bet/no-such-bet": Entry(409, "SB-08", "This table has no bet '{kind:kind}': it has {known:kind}"),
    "bet/no-such-spot": Entry(409, "COM-50", "You cannot bet on {spot:place} here: the numbers are 1 to {last:number}"),
    "bet/none": Entry(409, "COM-50", "No main bet is on the table: place one first"),
    "bet/not-whole-cents": Entry(409, "COM-20", "Stake {stake} on {kind:kind} is not an amount of whole cents above 0"),
    "bet/seat-taken": Entry(409, "FRB-40", "Another player plays seat {spot:number}: bet behind it instead"),
    "bet/twice": Entry(409, "COM-50", "Two equal bets {kind:kind} on {spot:place}: name each bet once, with its whole stake"),
    "bet/unequal-seats": Entry(409, "", "The same main bet goes on all your seats, or on none"),
    "birth/bad": Entry(400, "", "{born!r} is not a date of birth: write year, month and day"),
    "birth/too-young": Entry(403, "", "You must be at least {least} years old to register"),
    "bonus/none": Entry(409, "LNK-20", "No bonus is being played on {spot:place}"),
    "bonus/press-continue": Entry(409, "LNK-26", "Press CONTINUE to enter the bonus table"),
    "bonus/press-spin": Entry(409, "LNK-27", "The next step of the bonus is SPIN"),
    "bus/unreachable": Entry(503, "", "The bus at {url} cannot be reached: {reason}"),
    "card/acted-on": Entry(409, "", "The last card cannot be taken back: something was done after it, call the supervisor"),
    "card/by-hand": Entry(409, "", "A card that lies face down is read by a device: by hand only in a pause, with the supervisor"),
    "card/by-house": Entry(409, "STU-01", "The house deals at this table: no card is read"),
    "card/none": Entry(409, "", "There is no such card in the round"),
    "card/not-correctable": Entry(409, "", "With this card the round would have gone another way: it can only be voided"),
    "card/not-due": Entry(409, "STU-07", "No card is due: put it aside and call the supervisor"),
    "card/not-in-shoe": Entry(409, "STU-07", "This card was dealt as often as {decks} decks can hold: call the supervisor"),
    "card/not-the-hole": Entry(409, "STU-06", "The turned card is not the one that was dealt face down: call the supervisor"),
    "card/supervisor": Entry(409, "", "Only a supervisor corrects a card, while the table is paused"),
    "cashback/stale": Entry(409, "CSH-15", "The price is {price:money} now, not {shown:money}"),
    "cashier/amount": Entry(409, "", "{amount:money} cannot be paid at once: pay from {least:money} to {most:money}"),
    "cashier/day": Entry(409, "", "{amount:money} is more than is left for today: {left:money} of {most:money} a day"),
    "cashier/demo": Entry(403, "", "A demo player plays for play money: register to deposit {currency}"),
    "cashier/refused": Entry(409, "", "The payment provider refuses: {reason}"),
    "change/bounds": Entry(409, "", "Choose a whole number from {least} to {most}"),
    "change/none": Entry(409, "", "It is like this already: nothing would change"),
    "change/unusable": Entry(409, "", "This cannot be set: {reason}"),
    "chat/empty": Entry(409, "", "The message is empty"),
    "chat/muted": Entry(409, "", "You cannot write for {minutes:minute}"),
    "chat/unknown": Entry(404, "", "There is no recent message {id}"),
    "check/no-difference": Entry(409, "", "Nothing differs from the recorded release"),
    "closed/bet": Entry(409, "", "The bet {kind:kind} is not offered at the moment: play without it"),
    "closed/check": Entry(409, "", "{game} is being checked: no new rounds start until that is done"),
    "closed/game": Entry(409, "", "{game} is closed at the moment: rounds that have begun are played to their end"),
    "closed/house": Entry(409, "", "All games are closed at the moment: rounds that have begun are played to their end"),
    "closed/table": Entry(409, "", "This table is closed: choose another one in the lobby"),
    "command/malformed": Entry(400, "", "Invalid request: {reason}"),
    "command/reused": Entry(409, "", "The id {id!r} was used before for another command: give each command an id of its own"),
    "command/stale": Entry(409, "", "The table has moved on: it is turn {turn} of round {round}"),
    "command/unknown": Entry(409, "COM-53", "{command!r} is not a command of a round"),
    "consent/closed": Entry(409, "MAJ-12", "The answer you gave before betting closed holds for this round"),
    "consent/needed": Entry(409, "", "First say whether doubles and splits of the box apply to you too"),
    "day/not-over": Entry(409, "", "The day {day} is not over: it can be closed a minute after its midnight, UTC"),
    "device/elsewhere": Entry(403, "", "The device {device!r} reads the cards of another table: {table!r}"),
    "device/none": Entry(404, "", "There is no device {device!r} at this table: there are {known}"),
    "device/unknown": Entry(401, "", "Only a device of the settings may read cards here: send its token as a bearer token"),
    "factor/enrol": Entry(403, "", "Set up your second factor first"),
    "factor/needed": Entry(403, "", "Confirm with the code of your second factor first"),
    "factor/not-begun": Entry(409, "", "There is no new second factor to confirm: start again"),
    "factor/wrong": Entry(403, "", "Wrong code, or a code that was used: wait for the next one"),
    "funds/insufficient": Entry(409, "COM-24", "The balance {balance:money} does not cover {cost:money}: add money first"),
    "funds/not-positive": Entry(409, "LNK-09", "{amount} is not an amount of whole cents above 0"),
    "funds/over-cap": Entry(409, "", "{amount:money} would bring {brought:money} to the table: the most is {cap:money}"),
    "game/unknown": Entry(404, "", "There is no game {game!r}"),
    "golden/grant": Entry(409, "", "{count:golden} of {value:money} cannot be granted: grant 1 to {most} at once, each worth up to {dearest:money}"),
    "golden/no-mixing": Entry(409, "MAJ-52", "Golden and ordinary chips may not be mixed on one spot at this table"),
    "golden/not-held": Entry(409, "MAJ-50", "You do not have {count:golden} of {value:money}: you have {held}"),
    "golden/over-cap": Entry(409, "MAJ-51", "{count:golden} is too many: this table allows {cap} in a round"),
    "history/no-place": Entry(400, "", "{cursor!r} is not a place in the history: start at the first page"),
    "host/unknown": Entry(421, "", "This server is not reached as {host!r}: its operator names public_url or hosts in the settings"),
    "house/bus-down": Entry(503, "", "Your server cannot reach the one that runs this table: betting here goes on by itself when it can"),
    "house/busy": Entry(503, "", "The server is busy: try again in a moment"),
    "house/down": Entry(503, "", "The server cannot store anything now: betting is suspended until it can"),
    "house/draining": Entry(503, "", "The server is closing: no new rounds start"),
    "house/error": Entry(500, "", "Something went wrong on the server: try again, and tell support if it lasts"),
    "limit/loss": Entry(409, "ASR-41", "Your daily loss limit leaves {left:money} for this round: {cost:money} is too much"),
    "limits/settings": Entry(409, "", "The limits {name!r} cannot be used: {reason}"),
    "limits/unknown": Entry(409, "", "The limits {name!r} are not available to you: choose {known:limits}"),
    "login/demo": Entry(403, "", "A demo player has no password: register first"),
    "login/idle": Entry(403, "", "You have not done anything here for {minutes:minute}: confirm that it is you"),
    "login/locked": Entry(403, "", "Too many failed attempts: this account does not open from here for {minutes:minute}, unless an administrator unlocks it"),
    "login/required": Entry(401, "", "Log in first"),
    "login/role": Entry(403, "", "This is for the roles: {role:roles}"),
    "login/wrong": Entry(401, "", "Wrong username or password"),
    "monitoring/no-alarm": Entry(409, "", "No alarm of this bet waits for an answer"),
    "monitoring/unknown": Entry(404, "", "This bet has not been played there by these rules"),
    "name/bad": Entry(400, "", "A username has {least} to {most} letters, digits and . _ - and begins with a letter or a digit"),
    "name/reserved": Entry(400, "", "The name {name!r} is reserved: choose another"),
    "node/buried": Entry(503, "", "This server did not answer for some seconds, and its tables went to others: try again in a moment"),
    "offer/no-switch": Entry(409, "SUR-06", "The insurance offer can be switched off only when you play solo"),
    "offer/none": Entry(409, "COM-30", "There is no open offer of that kind for this hand"),
    "offer/not-now": Entry(409, "COM-32", "Answer the open offer first ({turn:place})"),
    "offer/one-answer": Entry(409, "MAJ-09", "One answer holds for both boxes: name no box"),
    "operator/own": Entry(409, "", "You cannot act on your own account or where your money is, nor bet where you present or supervise: ask another operator"),
    "operator/rank": Entry(403, "", "Only someone with a higher role can decide about this account: ask an administrator"),
    "option/at": Entry(409, "", "{game}, {currency}: {reason}"),
    "option/bet": Entry(409, "", "there is no side bet {bet!r}: the game has {known:kind}"),
    "option/bots": Entry(409, "", "bots play for play money only"),
    "option/cap": Entry(409, "", "a player may bring {cap:money}, but the maximum stake on every spot, with every side bet, insurance, a split and both doubles, takes {needed:money}: set the cap to {needed:money} or more, set none, or lower the maximum"),
    "option/chips": Entry(409, "", "chips {chips}: write different amounts above 0 in ascending order"),
    "option/chips-limits": Entry(409, "", "chips from {smallest:money} to {largest:money} do not fit bets from {minimum:money} to {maximum:money}: some chip must be the minimum or a part of it, and ten of the largest must reach the maximum; without chips those that fit are used"),
    "option/cut": Entry(409, "", "the cut after {cut} of {cards} cards leaves {behind} behind it: leave at least {least}"),
    "option/dealing": Entry(409, "", "dealing stays {dealing!r} as long as there is the table: name another table"),
    "option/game": Entry(409, "", "there is no game {game!r}: there are {known}"),
    "option/golden-cap": Entry(409, "", "golden chip cap {cap}: write a number of chips from 0, or none"),
    "option/limits": Entry(409, "", "limits {minimum:money} to {maximum:money}: the minimum must be above 0 and not above the maximum"),
    "option/live-game": Entry(409, "", "there is no live game {game!r}: there are {known}"),
    "option/margin": Entry(409, "", "cashback margin {margin}: write basis points from 0 to 9999"),
    "option/max-win": Entry(409, "", "maximum win {most:money}: write an amount above 0, or none"),
    "option/max-win-main": Entry(409, "", "a maximum win of {most:money} cuts main bets of {stake:money}, which can win {win:money}: raise it"),
    "option/max-win-side": Entry(409, "", "a maximum win of {most:money} lowers the return of {bet:kind} at its maximum {stake:money} to {expected:percent}, below {least:percent}: raise it, or lower that maximum"),
    "option/no-bets": Entry(409, "", "there is no side bet {bet!r}: the game has none"),
    "option/no-table": Entry(409, "", "there is no live table {table!r}"),
    "option/played": Entry(409, "", "{game} in {currency} was played under this name: choose another"),
    "option/solo-game": Entry(409, "", "there is no solo game {game!r}: there are {known}"),
    "option/switch": Entry(409, "", "a game or a table needs its name, a bet its game and its own"),
    "option/twice": Entry(409, "", "they are there more than once"),
    "option/vip": Entry(409, "", "a player of VIP level 0 would have none"),
    "option/vote-threshold": Entry(409, "", "vote threshold {players}: write a number of players from 1"),
    "option/weights": Entry(409, "", "the bonus weights return {expected:percent} of the LINK bet: choose weights between {least:percent} and {most:percent}"),
    "origin/missing": Entry(403, "", "A request without an origin needs a bearer token"),
    "origin/strange": Entry(403, "", "Pages of {origin!r} may not call this server"),
    "password/same": Entry(400, "", "The new password is the old one: choose another"),
    "password/too-long": Entry(400, "", "A password has at most {most} bytes"),
    "password/too-short": Entry(400, "", "A password has at least {least} characters"),
    "player/bad-purse": Entry(409, "COM-20", "A player cannot join like this: {reason}"),
    "player/bot": Entry(409, "", "The bot {name!r} would play for money: only a demo player can be a bot"),
    "player/has-bets": Entry(409, "COM-27", "{player!r} has bets on the table: take them back first"),
    "player/locked": Entry(403, "", "This account is locked: contact support; you can still log in to withdraw your money"),
    "player/none": Entry(404, "", "There is no player {player!r}"),
    "player/solo": Entry(409, "COM-11", "A solo table has one player: nobody else can join"),
    "player/taken": Entry(409, "", "The name {name!r} is taken: choose another"),
    "player/unknown": Entry(409, "COM-27", "{player!r} has brought no money to this table"),
    "proposal/decided": Entry(409, "", "Proposal {id} is decided already: open it again to see how"),
    "proposal/outdated": Entry(409, "", "This has been changed since the proposal was made: propose it again"),
    "proposal/own": Entry(403, "", "You have proposed this yourself: another person has to approve it"),
    "proposal/unknown": Entry(404, "", "There is no proposal {id}"),
    "protection/deposit-limit": Entry(403, "", "Your deposit limit is {limit:money} a day: {left:money} are left today"),
    "protection/excluded": Entry(403, "", "You have excluded yourself from play: you can still log in to withdraw your money"),
    "protection/in-the-past": Entry(400, "", "A time-out or self-exclusion must end in the future"),
    "protection/loss-limit": Entry(403, "", "Your loss limit is {limit:money} a day: you can still stake {left:money} today"),
    "protection/session-limit": Entry(403, "", "You have played for {minutes:minute}, your own limit: take a break of {pause:minute}"),
    "protection/shorter": Entry(409, "", "A self-exclusion cannot be shortened"),
    "protection/time-out": Entry(403, "", "Your time-out is not over yet"),
    "rate/limited": Entry(429, "", "Too many requests: try again in {seconds:second}"),
    "release/unknown": Entry(503, "", "The server of this table is of another release, which does not know {what!r}"),
    "report/backwards": Entry(400, "", "The interval from {begin} to {end} ends before it begins: choose a first day that is not after the last, nor after today"),
    "report/too-long": Entry(409, "", "This list has more than {most} lines: choose a shorter interval"),
    "request/bad": Entry(400, "", "Invalid request: {reason}"),
    "request/not-json": Entry(415, "", "The server reads JSON only: send Content-Type application/json"),
    "request/slow": Entry(408, "", "The request did not arrive within {seconds:second}: send it again"),
    "request/too-long": Entry(413, "", "A request has at most {most} bytes"),
    "round/bad-reason": Entry(409, "PLT-32", "The reason of a void is one line of text without blanks around it, not {reason!r}"),
    "round/bonus-open": Entry(409, "LNK-20", "Play the bonus first ({spot:place})"),
    "round/card-due": Entry(409, "STU-02", "The dealer is dealing: wait for the card"),
    "round/differs": Entry(409, "", "The round {code} does not replay to what is stored: check the books with sabot audit"),
    "round/live": Entry(409, "", "The round {code} is played at a live table that is not open on this server"),
    "round/not-betting": Entry(409, "COM-09", "Bets are closed: the round is being played"),
    "round/not-dealt": Entry(409, "COM-09", "The cards are not dealt yet: place bets and deal"),
    "round/not-over": Entry(409, "", "The round {code} is still being played: its record is available when it is over"),
    "round/not-revealed": Entry(409, "", "The shoe of round {code} is still in use: its record is available when the shoe is done"),
    "round/not-to-pay": Entry(409, "STU-02", "The round cannot be paid yet: the cards come first"),
    "round/offers-open": Entry(409, "COM-09", "Answer the open offers first"),
    "round/open": Entry(409, "", "A round is being played: finish it first"),
    "round/over": Entry(409, "COM-09", "The round is over"),
    "round/refunded": Entry(409, "", "The round {code} was voided and everything was returned: there is nothing to replay"),
    "round/unknown": Entry(404, "", "There is no round {code!r}"),
    "route/method": Entry(405, "", "{method} is not allowed here: use {allowed}"),
    "route/unknown": Entry(404, "", "This address does not exist"),
    "scan/gap": Entry(409, "", "Reading {scan} came, reading {expected} is the next: one is missing, call the supervisor"),
    "scan/other-device": Entry(409, "", "Cards are read by {device} at this table: take this device first"),
    "scan/reused": Entry(409, "", "Reading {scan} was another card: each reading has a number of its own"),
    "scan/unknown": Entry(409, "", "No card has this code: put it aside and call the supervisor"),
    "seat/at-boxes": Entry(409, "", "This table has no seats: bet on a box"),
    "seat/empty": Entry(409, "", "Seat {spot:number} is empty: you cannot bet behind it"),
    "seat/none": Entry(409, "", "There is no seat {spot:number}: the seats are 1 to {last:number}"),
    "seat/not-yours": Entry(409, "", "Seat {spot:number} is not yours"),
    "seat/own-behind": Entry(409, "", "Seat {spot:number} is your own: you cannot bet behind your own seat"),
    "seat/too-many": Entry(409, "", "You have {most:seat} already: you cannot take more at this table"),
    "seed/late": Entry(409, "", "The shoe is shuffled already: seeds are sent while it is being shuffled"),
    "seed/studio": Entry(409, "", "A person shuffles and deals at this table: no seeds are sent"),
    "seed/unusable": Entry(409, "", "This seed cannot be used: {reason}"),
    "session/no-switch": Entry(409, "", "Insurance cannot be switched off in {game}"),
    "session/vip-limits": Entry(409, "", "The limits {name:limits} need VIP level {vip}, yours is {own}: choose {known:limits}"),
    "shoe/cut-seen": Entry(409, "COM-12", "The cut card of this shoe was shown already"),
    "shoe/none": Entry(409, "", "The table has no shoe: shuffle one first"),
    "sitting/closed": Entry(409, "", "You are not at this table: sit down first"),
    "sitting/in-round": Entry(409, "", "A round is being played: you can leave when it is over"),
    "sitting/open": Entry(409, "", "You are at this table already"),
    "socket/too-many": Entry(429, "", "Open connections: {most} already. Close another page first"),
    "start/too-little": Entry(409, "", "Stake at least {minimum:money} on each of your seats to start"),
    "stream/fenced": Entry(503, "", "This table is run by another server now"),
    "stream/owned": Entry(503, "", "Another server runs this table: node {node}"),
    "stream/unknown": Entry(409, "", "There is no stream {stream!r}"),
    "studio/locked": Entry(409, "", "The console is locked: enter the password"),
    "studio/no-key": Entry(503, "", "The house has no key to seal cards with"),
    "studio/no-presenter": Entry(409, "", "No presenter is on shift at this table"),
    "studio/nobody": Entry(409, "", "Nobody is there to play, or the table is closed"),
    "studio/not-presenter": Entry(409, "", "Another presenter is on shift at this table"),
    "table/not-now": Entry(409, "", "Not possible now: {phase:phase}"),
    "table/not-open": Entry(404, "", "The table {table!r} is not open: open the game first"),
    "table/not-paused": Entry(409, "", "The table is not paused"),
    "table/paused": Entry(409, "", "The table is paused: something is being checked"),
    "table/settings": Entry(409, "", "The table {table!r} cannot be opened: {reason}"),
    "table/unknown": Entry(409, "", "There is no table of {name!r}: the games are {known}"),
    "table/unreachable": Entry(503, "", "The server that runs the table {table!r} does not answer: try again in a moment"),
    "table/vip": Entry(409, "", "This table is for VIP level {vip} and above: yours is {yours}"),
    "table/votes": Entry(409, "", "At this table the box decides: vote"),
    "terms/not-accepted": Entry(403, "", "Accept the terms and conditions in force first, version {version}"),
    "terms/version": Entry(409, "", "The terms and conditions in force are version {version}: read and accept them"),
    "transfer/currencies": Entry(409, "", "Money cannot be moved between two currencies"),
    "transfer/no-amount": Entry(400, "", "{amount} is not an amount of whole cents above 0"),
    "transfer/rolled-back": Entry(409, "", "The transaction {id!r} was rolled back before it arrived"),
    "turn/not-yours": Entry(409, "COM-10", "It is the turn of {turn:hand}, not of {named:hand}"),
    "unit/conflict": Entry(409, "", "This was done before"),
    "unit/lost": Entry(503, "", "The database did not answer: the outcome will be known when it is back"),
    "unit/unwritable": Entry(400, "", "The content cannot be stored"),
    "video/none": Entry(404, "", "The table {table!r} has no video"),
    "vote/final": Entry(409, "MAJ-22", "You have already voted {vote:action}: a vote is final"),
    "vote/no-stake": Entry(409, "MAJ-22", "Only players with a stake on {named:hand} can vote on it"),
    "vote/none": Entry(409, "MAJ-20", "No vote is open on {named:hand}"),
}
# fmt: on


class CodedError(Exception):
    """An error with a code and params, from which a catalogue makes its sentence."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


class Refusal(CodedError):  # noqa: N818  # it is raised and shown as what it is: a refusal
    """A refused request, by a code of the registry; nothing has changed."""

    #: The game whose words name a place, once it is known.
    game = ""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code, **params)
        self.status, self.rule, self.sentence = REFUSALS[code]

    def __str__(self) -> str:
        text = SentenceFormatter(ENGLISH, self.game).vformat(self.sentence, (), self.params)
        return f"{text} ({self.rule})" if self.rule else text


#: The words of places and times in English sentences; en.toml has the same and all others.
ENGLISH = {
    "language.decimal": ".",
    "language.thousands": ",",
    "place.spot": "hand {number}",
    "place.freebet.spot": "seat {number}",
    "place.majority.spot": "box {number}",
    "place.part": "{place}, part {part}",
    "place.dealer": "the dealer",
    "place.none": "no hand",
    "count.second-one": "{n} second",
    "count.second": "{n} seconds",
    "count.minute-one": "{n} minute",
    "count.minute": "{n} minutes",
    "count.seat-one": "{n} seat",
    "count.seat": "{n} seats",
    "count.golden-one": "{n} golden chip",
    "count.golden": "{n} golden chips",
}
#: Headings of a catalogue whose names appear in sentences: bets, moves, limits, phases, roles.
NAMES = ("kind", "action", "limits", "phase", "roles")


class SentenceFormatter(Formatter):
    """Formats the params of a sentence, each by its kind; web/src/language/catalogue.ts does the same.

    `money` is cents, `percent` hundredths of a per cent. `number`, `place` (a spot) and `hand` (`spot.hand`) are counted from 1, places in the words of
    the game's felt. `second` and other units are counts. A heading of the catalogue is for one or more names. A param
    that is a refusal, the reason of another one, is its sentence.

    >>> english = SentenceFormatter(ENGLISH, "freebet")
    >>> english.format("{a:place}, {b:hand}, {c:number}, {d:second}, {e:money}", a=1, b="0.1", c=0, d=1, e=123450)
    'seat 2, seat 1, part 2, 1, 1 second, 1,234.50'
    """

    def __init__(self, words: Mapping[str, str], game: str = "") -> None:
        self.words = words
        self.game = game

    def format_field(self, value: object, format_spec: str) -> str:
        """One param as text; a value of another kind is left as it is."""
        if isinstance(value, Refusal):
            sentence = self.words.get(f"error.{value.code}", value.sentence)
            return self.vformat(sentence, (), value.params)
        if format_spec in NAMES:
            words = str(value).split(", ")
            return ", ".join(self.words.get(self.key(format_spec, word), word) for word in words)
        if format_spec == "hand":
            return self.hand(str(value))
        counted = f"count.{format_spec}" in self.words
        if not counted and format_spec not in ("money", "percent", "place", "number"):
            return str(super().format_field(value, format_spec))
        if type(value) is not int:
            return str(value)
        match format_spec:
            case "money":
                return self.amount(value)
            case "percent":
                return f"{self.amount(value)}%"
            case "place":
                return self.place(value)
            case "number":
                return str(value + 1)
        return self.words[f"count.{format_spec}{'-one' if value == 1 else ''}"].format(n=value)

    def key(self, heading: str, word: str) -> str:
        """The key of a name: that of the game, or of its family (`majority-eu`: majority), or the usual one."""
        games = (self.game, self.game.partition("-")[0])
        own = (f"{heading}.{game}.{word}" for game in games)
        return next((key for key in own if key in self.words), f"{heading}.{word}")

    def amount(self, cents: int) -> str:
        """An amount without its currency."""
        units, rest = divmod(abs(cents), 100)
        thousands = f"{units:,}".replace(",", self.words["language.thousands"])
        return f"{'-' if cents < 0 else ''}{thousands}{self.words['language.decimal']}{rest:02d}"

    def place(self, spot: int) -> str:
        """A spot in the words of the game's felt; a negative one is the dealer's."""
        if spot < 0:
            return self.words["place.dealer"]
        return self.words[self.key("place", "spot")].format(number=spot + 1)

    def hand(self, name: str) -> str:
        """A hand by a name like `0.1`, with the part of one that was split."""
        spot, _, part = name.partition(".")
        if not (spot.isdecimal() and part.isdecimal()):
            return self.words["place.none"]
        place = self.place(int(spot))
        return self.words["place.part"].format(place=place, part=int(part) + 1) if int(part) else place
