"""Figures: the stored sums with what the log has beyond them, as one (OFF-20)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import sqlalchemy
from sqlalchemy import ColumnElement, Connection, func

from sabot.errors import Refusal
from sabot.rounds.sums import ROUND, FlowKey, PlayerDay, Sums, bots_among, unfolded
from sabot.store import schema

T = TypeVar("T")
#: Rows of the log that a page sums up beyond the stored sums; more are folded first. A tool takes all that there are.
MOST_ROWS, EVERYTHING = 20_000, 2**62


class DayTally(NamedTuple):
    """What people staked and were paid with a bet on a day, by the same rules, at all tables of a game."""

    day: int
    game: str
    rules: str
    currency: str
    bet: str


class Figures:
    """Reads sums at one moment; `house/busy` while the house has much to fold."""

    def __init__(self, connection: Connection, most: int = MOST_ROWS) -> None:
        self.connection = connection
        self._rest: Sums = unfolded(connection, most)
        if self._rest.more:
            raise Refusal("house/busy")

    def tallies(self, first: int, last: int, *, by_day: bool = True) -> dict[DayTally, list[int]]:
        """Rounds, bets, staked and paid of people: by day, or all of them under the last day."""
        tallies = schema.tallies.c
        keys = [tallies[name] for name in DayTally._fields if by_day or name != "day"]
        numbers = (tallies.rounds, tallies.bets, tallies.staked, tallies.paid)
        query = (
            sqlalchemy.select(*keys, *map(func.sum, numbers))
            .where(tallies.day.between(first, last), sqlalchemy.not_(tallies.bot))
            .group_by(*keys)
        )
        found = {
            (DayTally(*row[:-4]) if by_day else DayTally(last, *row[:-4])): list(map(int, row[-4:]))
            for row in self.connection.execute(query).all()
        }
        for key, more in self._rest.tallies.items():
            if first <= key.day <= last and not key.bot:
                line = DayTally(key.day if by_day else last, key.game, key.rules, key.currency, key.bet)
                _add(found.setdefault(line, [0] * 4), more)
        return found

    def places(self, first: int, last: int) -> set[tuple[int, str, str]]:
        """Where people finished a round: day, currency, place."""
        tallies = schema.tallies.c
        query = (
            sqlalchemy.select(tallies.day, tallies.currency, tallies.place)
            .where(tallies.day.between(first, last), sqlalchemy.not_(tallies.bot), tallies.bet == ROUND)
            .distinct()
        )
        found = {(day, currency, place) for day, currency, place in self.connection.execute(query).all()}
        return found | {
            (key.day, key.currency, key.place)
            for key in self._rest.tallies
            if first <= key.day <= last and not key.bot and key.bet == ROUND
        }

    def active_players(self, first: int, last: int) -> dict[tuple[int, str], int]:
        """How many people finished a round, by day and currency."""
        days = schema.player_days.c
        query = (
            sqlalchemy.select(days.day, days.currency, func.count())
            .where(days.day.between(first, last), days.rounds > 0, _is_person(days.player))
            .group_by(days.day, days.currency)
        )
        found = {(day, currency): int(count) for day, currency, count in self.connection.execute(query).all()}
        fresh = [key for key, more in self._days(first, last).items() if more[0]]
        for key in set(fresh) - self._known_days(fresh):
            found[key.day, key.currency] = found.get((key.day, key.currency), 0) + 1
        return found

    def flows(self, last: int, *kinds: str) -> dict[FlowKey, int]:
        """By how much accounts of these kinds changed, up to a day."""
        flows = schema.flows.c
        query = sqlalchemy.select(schema.flows).where(flows.day <= last, flows.kind.in_(kinds))
        found: dict[FlowKey, int] = defaultdict(int)
        for *key, amount in self.connection.execute(query):
            found[FlowKey(*key)] += amount
        for rest, amount in self._rest.flows.items():
            if rest.day <= last and rest.kind in kinds:
                found[rest] += amount
        return found

    def payments(self, first: int, last: int) -> dict[tuple[int, str], list[int]]:
        """Deposits, deposited, withdrawals and withdrawn of people by day and currency."""
        days = schema.player_days.c
        numbers = (days.deposits, days.deposited, days.withdrawals, days.withdrawn)
        query = (
            sqlalchemy.select(days.day, days.currency, *map(func.sum, numbers))
            .where(days.day.between(first, last), _is_person(days.player))
            .group_by(days.day, days.currency)
        )
        found = {
            (day, currency): [int(n) for n in more]
            for day, currency, *more in self.connection.execute(query).all()
        }
        for key, more in self._days(first, last).items():
            _add(found.setdefault((key.day, key.currency), [0] * 4), more[4:])
        return found

    def players(self, first: int, last: int) -> dict[tuple[int, str], list[int]]:
        """Days, rounds, staked, paid, deposits, deposited, withdrawals and withdrawn of people, by player and currency.

        A day is counted on which a round ended.
        """
        days = schema.player_days.c
        numbers = (days.rounds, days.staked, days.paid, days.deposits, days.deposited)
        active = func.count().filter(days.rounds > 0)
        query = (
            sqlalchemy.select(
                days.player,
                days.currency,
                active,
                *map(func.sum, (*numbers, days.withdrawals, days.withdrawn)),
            )
            .where(days.day.between(first, last), _is_person(days.player))
            .group_by(days.player, days.currency)
        )
        found = {
            (player, currency): [int(number) for number in more]
            for player, currency, *more in self.connection.execute(query).all()
        }
        fresh = self._days(first, last)
        known = self._known_days([key for key, more in fresh.items() if more[0]])
        for key, (rounds, staked, paid, _, *payments) in fresh.items():
            new_day = int(rounds > 0 and key not in known)
            line = found.setdefault((key.player, key.currency), [0] * 8)
            _add(line, [new_day, rounds, staked, paid, *payments])
        return found

    def player_days(self, first: int, last: int, currency: str) -> Iterator[Sequence[int]]:
        """People's days in a currency: the day, the player, and the numbers of the stored row."""
        days = schema.player_days.c
        numbers = [column for column in days if column.name not in PlayerDay._fields]
        query = sqlalchemy.select(days.day, days.player, *numbers).where(
            days.day.between(first, last), days.currency == currency, _is_person(days.player)
        )
        fresh = {key: more for key, more in self._days(first, last).items() if key.currency == currency}
        for row in self.connection.execute(query).all():
            more = fresh.pop(PlayerDay(row[0], row[1], currency), None) if fresh else None
            if more is None:
                yield row
                continue
            line = [*row]
            _add(line, [0, 0, *more])
            line[5] = row[5] | more[3]  # hours are bits
            yield line
        for key, more in fresh.items():
            yield (key.day, key.player, *more)

    def _days(self, first: int, last: int) -> dict[PlayerDay, list[int]]:
        """People's days of the rows beyond the stored sums."""
        fresh = {key: more for key, more in self._rest.player_days.items() if first <= key.day <= last}
        bots = bots_among(self.connection, {key.player for key in fresh})
        return {key: more for key, more in fresh.items() if key.player not in bots}

    def _known_days(self, keys: list[PlayerDay]) -> set[PlayerDay]:
        """Which of these days have rounds in the stored sums."""
        days, known = schema.player_days.c, set[PlayerDay]()
        place = sqlalchemy.tuple_(days.day, days.player, days.currency)
        for i in range(0, len(keys), 300):
            some = [tuple(key) for key in keys[i : i + 300]]
            query = sqlalchemy.select(days.day, days.player, days.currency)
            query = query.where(place.in_(some), days.rounds > 0)
            known |= {PlayerDay(*row) for row in self.connection.execute(query).all()}
        return known


def balances(
    flows: Mapping[FlowKey, int], ends: Iterable[tuple[str, int]], name: Callable[[FlowKey], T]
) -> Iterator[tuple[str, dict[T, int]]]:
    """What accounts hold at the end of each period, added up by name."""
    changes = sorted(flows.items())
    held: dict[T, int] = defaultdict(int)
    taken = 0
    for period, end in ends:
        while taken < len(changes) and changes[taken][0].day <= end:
            key, amount = changes[taken]
            held[name(key)] += amount
            taken += 1
        yield period, held


def _is_person(player: ColumnElement[int]) -> ColumnElement[bool]:
    profiles = schema.profiles.c
    return player.not_in(sqlalchemy.select(profiles.player).where(profiles.bot))


def _add(numbers: list[int], more: list[Any]) -> None:
    for i, number in enumerate(more):
        numbers[i] += number
