"""A player at a table, with money and golden chips."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.rounds.stored import StoredRound
from sabot.store.facts import GoldenMoved
from sabot.tables.config import TableConfig


class Sitting(Struct):
    """A player at the table; the balance excludes stakes."""

    id: int
    player: int
    account: int
    balance: int
    brought: int
    #: Golden chips at the table, by face value (MAJ-50); during a round, without what became of them in it.
    golden: dict[int, int] = {}


def check_amount(config: TableConfig, amount: int, brought: int) -> None:
    """Refuse a bad amount, or more than a sitting may have."""
    if type(amount) is not int or amount <= 0:
        raise Refusal("transfer/no-amount", amount=amount)
    cap = config.cap
    if cap is not None and brought + amount > cap:
        raise Refusal("funds/over-cap", amount=amount, brought=brought + amount, cap=cap)


def golden_facts(giver: int, taker: int, chips: Mapping[int, int]) -> tuple[GoldenMoved, ...]:
    """Move golden chips between accounts."""
    moved = [(value, count) for value, count in chips.items() if count]
    return tuple(
        GoldenMoved(account, value, sign * count)
        for value, count in moved
        for account, sign in ((giver, -1), (taker, 1))
    )


def golden_played(current: StoredRound, sittings: Mapping[Player, Sitting]) -> Iterator[GoldenMoved]:
    """Remove golden chips that were played."""
    for player, before in current.golden.items():
        sitting = sittings.get(player)
        if sitting is None or sitting.account != current.sessions[player]:
            continue  # left before a bet, with all of them
        after = current.round.book.purses[player].golden
        changed = {value: after.get(value, 0) - count for value, count in before.items()}
        for value, by in changed.items():
            if by:
                yield GoldenMoved(sitting.account, value, by)
        held = {value: count + changed.get(value, 0) for value, count in sitting.golden.items()}
        sitting.golden = {value: count for value, count in held.items() if count}
