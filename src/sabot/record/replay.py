"""Playing a record again, to the cent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter

from sabot.cards import CardError, parse_cards
from sabot.engine import Bet, Round, RuleError, StackedShoe
from sabot.engine.commands import AnyCommand, Deal, PlaceBets, Void
from sabot.fairness import SeededShoe, Stream, commitment
from sabot.games import find
from sabot.games.rules import Rules
from sabot.record.notation import NotationError, parse_command
from sabot.record.record import ENGINE, HandPart, PaidPart, Record, RecordError, hands_of, payments_of
from sabot.record.tape import PlayedDraws, PlayedPrices, Recorder, TapeEndError


def replay(record: Record, rules: Rules | None = None) -> Round:
    """The round a record tells of, played again; `RecordError` names the first place where it differs.

    A round of rules that differ from the catalogue's needs those rules.
    """
    rules = rules or _rules(record)
    recorder, used = _recorder(record, rules)
    for place, command in _script(record):
        _apply(recorder.round, place, command)
    if not recorder.round.over:
        raise RecordError("commands", "the round is not over after the last command")
    for name, count, length in used():
        if count != length:
            raise RecordError(f"{name}[{count}]", f"{length} are recorded, the round uses {count}")
    _compare("hand", record.hand, hands_of(recorder))
    _compare("paid", record.paid, payments_of(recorder))
    if record.sha256 != record.seal():
        raise RecordError(
            "sha256", "every hand and payment agrees, but the text was changed after it was sealed"
        )
    return recorder.round


def _rules(record: Record) -> Rules:
    try:
        rules = find(record.round.game).rules
    except LookupError as error:
        raise RecordError("round.game", str(error)) from None
    if rules.sha256 != record.round.rules_sha256:
        raise RecordError("round.rules_sha256", f"the rules of {rules.name} here are {rules.sha256}")
    return rules


def _recorder(record: Record, rules: Rules) -> tuple[Recorder, Callable[[], list[tuple[str, int, int]]]]:
    """The round to replay, and a function that says how much of each tape it used."""
    if record.round.engine > ENGINE:
        raise RecordError("round.engine", f"engine {record.round.engine} is newer than this one, {ENGINE}")
    prices = PlayedPrices(record.prices)
    draws = PlayedDraws(record.draws)
    part = record.shoe
    if part.cards:
        try:
            cards = parse_cards(part.cards)
        except CardError as error:
            raise RecordError("shoe.cards", str(error)) from None
        shoe: StackedShoe | SeededShoe = StackedShoe([*([0] * part.start), *cards])
        draw: Callable[[int], int] = draws
        end = part.start + len(cards)
    else:
        server_seed = _server_seed(record)
        shoe = SeededShoe(rules.decks, Stream(server_seed, part.client_seed, "shoe"))
        draw = Stream(server_seed, part.client_seed, "bonus").below
        end = -1
    for _ in range(part.start):
        shoe.draw()
    recorder = Recorder(
        rules,
        shoe,
        purses={purse.player: purse.money for purse in record.purse},
        golden={purse.player: _count(purse.golden) for purse in record.purse},
        options=record.options,
        price=prices,
        draw=draw,
    )

    def used() -> list[tuple[str, int, int]]:
        tapes = [("prices", prices.used, len(record.prices)), ("draws", draws.used, len(record.draws))]
        if end >= 0:
            tapes.append(("shoe.cards", shoe.dealt - part.start, end - part.start))
        return tapes

    return recorder, used


def _server_seed(record: Record) -> bytes:
    part = record.shoe
    try:
        seed = bytes.fromhex(part.seed)
        revealed = commitment(seed)
    except ValueError as error:
        raise RecordError("shoe.seed", str(error)) from None
    if revealed != part.commitment:
        raise RecordError("shoe.commitment", f"the seed's commitment is {revealed}")
    return seed


def _count(chips: Sequence[int]) -> dict[int, int]:
    return {value: len(list(same)) for value, same in groupby(sorted(chips))}


def _script(record: Record) -> list[tuple[str, AnyCommand]]:
    """The commands with their places; the bets stand before the deal."""
    script: list[tuple[str, AnyCommand]] = []
    bets: list[tuple[str, AnyCommand]] = [
        ("bet", PlaceBets(player, tuple(Bet(b.spot, b.kind, b.stake, b.golden) for b in rows)))
        for player, rows in groupby(record.bet, key=attrgetter("player"))
    ]
    placed = False
    for at, text in enumerate(record.commands):
        place = f"commands[{at}] {text!r}"
        try:
            command = parse_command(text)
        except NotationError as error:
            raise RecordError(place, str(error)) from None
        if not placed and isinstance(command, Deal | Void):
            script += bets
            placed = True
        script.append((place, command))
    return script


def _apply(round: Round, place: str, command: AnyCommand) -> None:
    try:
        round.apply(command)
    except RuleError as error:
        raise RecordError(place, f"refused: {error}") from None
    except TapeEndError as error:
        raise RecordError(str(error).partition(" ")[0], f"wanted by {place}, but {error}") from None


def _compare(
    name: str, recorded: Sequence[HandPart | PaidPart], replayed: Sequence[HandPart | PaidPart]
) -> None:
    for at, (old, new) in enumerate(zip(recorded, replayed, strict=False)):
        for key in new.__struct_fields__:
            if getattr(old, key) != getattr(new, key):
                raise RecordError(
                    f"{name}[{at}].{key}",
                    f"recorded {getattr(old, key)!r}, the replay gives {getattr(new, key)!r}",
                )
    if len(recorded) != len(replayed):
        raise RecordError(
            f"{name}[{min(len(recorded), len(replayed))}]",
            f"{len(recorded)} are recorded, the replay gives {len(replayed)}",
        )
