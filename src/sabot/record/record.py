"""The record of a round: its input and its results, as one readable TOML text.

`loads` and `dumps` read and write it, `write` makes it from a played round, `replay` plays it again and
compares every hand and every payment.
"""

import hashlib
import tomllib
from typing import Literal, Self, TypeVar

import msgspec
from msgspec import Struct

from sabot.cards import format_cards
from sabot.engine.commands import DEALER, AllowBehind, Bet, DealerCommand, PlaceBets, Player, Void
from sabot.engine.events import BetSettled, WinCapped
from sabot.engine.inputs import ENGINE
from sabot.engine.play import Play
from sabot.engine.round import Round
from sabot.engine.shoe import HandShoe
from sabot.fairness import commitment
from sabot.games.options import TableOptions
from sabot.record.notation import format_command
from sabot.record.toml import format_toml

#: How a round ended: paid, voided by a command, or voided by a shoe that ran empty (COM-12, PLT-32).
End = Literal["settled", "voided", "shoe-empty"]
#: The longest text of a record, and the most dots in a key of it.
LONGEST_TEXT, MOST_DOTS = 4_000_000, 8

T = TypeVar("T")


class RecordError(ValueError):
    """A record that differs from what was played; `place` names where."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of a record and its tables."""


class Sealed(Part, frozen=True):
    """A record that ends with the hash of its contents, in its field `sha256`."""

    def seal(self) -> str:
        """The hash over everything else."""
        unsealed = msgspec.structs.replace(self, sha256="")
        return hashlib.sha256(msgspec.json.encode(unsealed, order="deterministic")).hexdigest()

    def sealed(self) -> Self:
        """The record with the hash of its contents."""
        return msgspec.structs.replace(self, sha256=self.seal())


class RoundPart(Part, frozen=True):
    """Which round of which game."""

    code: str
    game: str
    rules_sha256: str
    engine: int
    end: End


class ShoePart(Part, frozen=True):
    """The source of the cards: a seed with its commitment, or a given order."""

    #: The cards dealt, in order: a given order proves nothing about the shuffle.
    cards: str = ""
    commitment: str = ""
    seed: str = ""
    client_seed: str = ""
    #: Cards dealt from the shoe before this round.
    start: int = 0
    #: Who dealt: the house, or a person at a real table, whose shoe has no commitment (STU-30).
    dealing: Literal["house", "studio"] = "house"
    #: Cards that were taken back or corrected where a person dealt: place, what, by whom, why (STU-08).
    corrections: tuple[str, ...] = ()


class PursePart(Part, frozen=True):
    """A player's money, and golden chips as their face values."""

    player: str
    money: int
    golden: tuple[int, ...] = ()
    #: The most that may be staked in the round, by the player's loss limit (ASR-41).
    most: int | None = None


class BetPart(Part, frozen=True):
    """A bet when betting closed."""

    player: str
    spot: int
    kind: str
    stake: int = 0
    golden: tuple[int, ...] = ()


class HandPart(Part, frozen=True):
    """A hand at the end; spot -1 is the dealer's."""

    spot: int
    hand: int
    cards: str
    ended: str


class PaidPart(Part, frozen=True):
    """The result of one line; `result = "capped"` is the amount that the maximum win cut."""

    player: str
    spot: int
    hand: int
    why: str
    stake: int
    result: str
    paid: int
    golden_back: tuple[int, ...] = ()


class Record(Sealed, frozen=True, kw_only=True):
    """One round."""

    sha256: str = ""
    commands: tuple[str, ...] = ()
    draws: tuple[int, ...] = ()
    prices: tuple[int, ...] = ()
    round: RoundPart
    shoe: ShoePart
    options: TableOptions = TableOptions()
    purse: tuple[PursePart, ...] = ()
    bet: tuple[BetPart, ...] = ()
    hand: tuple[HandPart, ...] = ()
    paid: tuple[PaidPart, ...] = ()


class Seeds(Struct, frozen=True):
    """The seeds of a shoe and its bonus, known once the shoe is done."""

    server_seed: bytes
    client_seed: str


def write(round: Round, code: str, seeds: Seeds | None = None, corrections: tuple[str, ...] = ()) -> Record:
    """The record of a finished round, with its seeds if they are known, else with the order of its cards.

    `corrections` are told of a round that a person dealt.
    Both reveal cards that were never shown, such as a burnt one. So players get the record of a live round only when
    its shoe is done (MAJ-07).
    """
    if not round.over:
        raise ValueError(f"round {code} is not over: a record is written when it is settled or voided")
    tape = round.tape
    return Record(
        commands=tuple(
            format_command(command)
            for command in (*tape.consents.values(), *round.commands)
            if not isinstance(command, PlaceBets | AllowBehind | DealerCommand)
        ),
        draws=tuple(tape.draws) if seeds is None else (),
        prices=tuple(tape.prices),
        round=RoundPart(code, round.rules.name, round.rules.sha256, ENGINE, end_of(round)),
        shoe=_shoe_part(round, seeds, corrections),
        options=round.options,
        purse=tuple(
            PursePart(player, money, _chips(tape.golden.get(player, {})), tape.most.get(player))
            for player, money in tape.purses.items()
        ),
        bet=tuple(
            BetPart(player, bet.spot, bet.kind, bet.stake, bet.golden)
            for player, bets in _last_bets(round).items()
            for bet in bets
        ),
        hand=played_hands(round.play),
        paid=payments_of(round),
    ).sealed()


def end_of(round: Round) -> End:
    """How a finished round ended."""
    if round.phase == "settled":
        return "settled"
    return "voided" if isinstance(round.commands[-1], Void) else "shoe-empty"


def _last_bets(round: Round) -> dict[Player, tuple[Bet, ...]]:
    """The bets when betting closed, before any was returned, in the order of placing."""
    bets: dict[Player, tuple[Bet, ...]] = {}
    for command in round.commands:
        if isinstance(command, PlaceBets):
            bets.pop(command.player, None)
            bets[command.player] = command.bets
    return bets


def _shoe_part(round: Round, seeds: Seeds | None, corrections: tuple[str, ...]) -> ShoePart:
    tape = round.tape
    if seeds is None:
        dealing: Literal["house", "studio"] = "studio" if isinstance(round.shoe, HandShoe) else "house"
        cards = format_cards(tape.cards)
        return ShoePart(cards=cards, start=tape.start, dealing=dealing, corrections=corrections)
    return ShoePart(
        commitment=commitment(seeds.server_seed),
        seed=seeds.server_seed.hex(),
        client_seed=seeds.client_seed,
        start=tape.start,
    )


def _chips(golden: dict[int, int]) -> tuple[int, ...]:
    return tuple(value for value, count in sorted(golden.items()) for _ in range(count))


def played_hands(play: Play) -> tuple[HandPart, ...]:
    """Every hand at the end of a round, the dealer's last."""
    hands = [HandPart(spot, i, format_cards(hand.cards), hand.ended or "") for spot, i, hand in play.hands()]
    dealer = HandPart(DEALER, 0, format_cards(play.dealer.cards), "bust" if play.dealer.bust else "")
    return (*hands, dealer)


def payments_of(round: Round) -> tuple[PaidPart, ...]:
    """Every payment of the round, in order; none of a voided one."""
    if round.phase == "voided":
        return ()
    paid: list[PaidPart] = []
    for event in round.log:
        if isinstance(event, BetSettled):
            line = (event.player, event.spot, event.hand, event.why)
            paid.append(PaidPart(*line, event.stake.face, event.result, event.paid, event.golden_back))
        elif isinstance(event, WinCapped):
            paid.append(PaidPart(event.player, DEALER, 0, "max-win", 0, "capped", -event.amount))
    return tuple(paid)


def dumps(record: Sealed) -> str:
    """The text of a record."""
    return format_toml(msgspec.to_builtins(record))


def loads(text: str) -> Record:
    """The record of a text."""
    return read(text, Record)


def read(text: str, kind: type[T]) -> T:
    """A record of some kind from its text; `RecordError` names the place that is no part of it."""
    _check_text(text)
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        raise RecordError(place.rstrip("`") or "text", message) from None
    except RecursionError:
        raise RecordError("text", "not a record: it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise RecordError("text", f"not TOML: {error}") from None
    except ValueError:
        raise RecordError("text", "not a record: a number is too long") from None


def _check_text(text: str) -> None:
    """Refuse a text that would keep a TOML reader busy for very long."""
    if len(text) > LONGEST_TEXT:
        raise RecordError("text", f"not a record: {len(text)} characters are more than {LONGEST_TEXT}")
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().partition("=")[0].partition('"')[0].count(".") > MOST_DOTS:
            raise RecordError(f"line {number}", "not a record: a key has too many parts")
