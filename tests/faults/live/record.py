"""What the log says of live rounds, and whether that is what was shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine.commands import CloseOffers, Deal, Decision, Join, Vote
from sabot.engine.events import AnyEvent, BetReturned, BetSettled, BetsPlaced, Insured, StakeAdded
from sabot.engine.round import Round
from sabot.engine.view import table_view
from sabot.games import find
from sabot.rounds.by_hand import hand_chance
from sabot.rounds.face_down import CardSeal
from sabot.rounds.queries import RoundRow, as_it_stands, opening_of_rows, round_rows, shoe_by_id
from sabot.rounds.recovery import rebuild
from sabot.rounds.shoes import SecureShoes
from sabot.rounds.stored import Opening, StoredRound
from sabot.rounds.studio import CORRECTION, TAKE_BACK
from sabot.rounds.studio_queries import face_down
from sabot.store.database import Database
from sabot.tables.live.play import moves_on
from tests.faults.live.history import OF_A_ROUND, History, Stretch
from tests.faults.simulated.shoes import VAULT


class Replayed:
    """A round played again from its rows: what everyone could see of it, row by row."""

    def __init__(self, connection: Connection, code: str) -> None:
        rows = round_rows(connection, code)
        self.code = code
        self.refunded = rows[-1].kind == "refund"
        self.events: list[bytes] = []
        #: How many events there were when the table looked like this.
        self._looks: dict[bytes, list[int]] = {}
        self._turn = self._read = 0
        self._play(connection, rows)

    def _play(self, connection: Connection, rows: list[RoundRow]) -> None:
        opening = opening_of_rows(rows)
        if opening.studio is not None:
            self._play_by_hand(connection, rows, opening)
            return
        shoe = shoe_by_id(connection, opening.shoe)
        chance = SecureShoes(VAULT).open(find(opening.game).rules, shoe, opening.start)
        stored = StoredRound(self.code, opening, chance, None)
        self._look(stored.round)
        for row in rows:
            command = row.command
            if isinstance(command, Join):
                stored.join(command, row.joined.account)
            elif command is not None:
                stored.apply(command)
                if isinstance(command, Deal | CloseOffers | Decision) and not isinstance(command, Vote):
                    self._turn += 1
            self._look(stored.round)
        self.round = stored.round

    def _play_by_hand(self, connection: Connection, rows: list[RoundRow], opening: Opening) -> None:
        """A round that a person dealt, read back after each of its rows."""
        down = face_down(connection, self.code, rows, CardSeal(VAULT))
        for count, row in enumerate(rows, 1):
            stored = rebuild(self.code, rows[:count], hand_chance(opening), None, down)
            if row.kind in (TAKE_BACK, CORRECTION):
                self._read = len(stored.round.log)  # players are shown the table anew
            self._turn = sum(map(moves_on, stored.round.commands)) + stored.changes
            self._look(stored.round, anew=row.kind in (TAKE_BACK, CORRECTION))
        self.round = stored.round

    def _look(self, round: Round, anew: bool = False) -> None:
        new, self._read = round.log[self._read :], len(round.log)
        public = [msgspec.json.encode(event) for event in new if isinstance(event, OF_A_ROUND)]
        self.events += public
        if public or anew or not self._looks:
            view = replace(table_view(round), tally=())
            for turn in (self._turn, None):
                self._looks.setdefault(_look_of(view, turn), []).append(len(self.events))

    def check(self, stretch: Stretch) -> None:
        """Everything that was shown stands in the log, in this order, without a gap."""
        starts = [0]
        if stretch.base is not None:
            view = stretch.base.view
            assert view is not None
            turn = None if stretch.base.live is None else stretch.base.turn  # a solo table counts its own
            starts = self._looks.get(_look_of(replace(view, tally=()), turn), [])
            assert starts, f"{self.code} was shown as it never was: {view}"
        shown = stretch.events
        found = any(self.events[start : start + len(shown)] == shown for start in starts)
        assert found, f"{self.code}: shown {shown}\n  after {starts} of {self.events}"


def _look_of(view: object, turn: int | None) -> bytes:
    return msgspec.json.encode((view, turn))


def check_shown(database: Database, history: History) -> None:
    """What was shown of a table is what its log says; then it need not be looked at again (ASR-12, ASR-15)."""
    with database.reading() as connection:
        rounds: dict[str, Replayed] = {}
        for epoch in history.epochs.values():
            for stretch in epoch.stretches():
                code = stretch.round
                if not code:
                    assert not stretch.events
                    continue
                if code not in rounds:
                    rounds[code] = Replayed(connection, code)
                rounds[code].check(stretch)
        _check_paid(connection, history)
    history.forget()


def _check_paid(connection: Connection, history: History) -> None:
    """What players were told of their rounds is what the books say (ASR-15, PLT-21)."""
    query = "SELECT staked, paid, golden FROM played WHERE code = ? AND player = ?"
    for (code, player), told in history.paid.items():
        rows = connection.exec_driver_sql(query, (code, int(player))).all()
        assert [(row[0], row[1], bool(row[2])) for row in rows] == [(told.staked, told.paid, told.golden)], (
            f"{told} of {code}: the books say {rows}"
        )


def check_balances(database: Database, seen: Mapping[int, Set[int]]) -> None:
    """Every balance at a table that a player was shown is one that the ledger had (ASR-15)."""
    query = """
        SELECT s.player, s.id, t.n, sum(CASE WHEN t.credit = s.id THEN t.amount ELSE -t.amount END) AS by
        FROM transfers t JOIN accounts s ON s.kind = 'session' AND s.id IN (t.debit, t.credit)
        GROUP BY s.player, s.id, t.n ORDER BY s.id, t.n"""
    had: dict[int, set[int]] = {}
    with database.reading() as connection:
        account, balance = 0, 0
        for player, session, _, by in connection.exec_driver_sql(query).all():
            balance = (balance if session == account else 0) + by
            account = session
            had.setdefault(player, set()).add(balance)
    for player, balances in seen.items():
        never = balances - had.get(player, set())
        assert not never, f"player {player} was shown {never}, which was never so"


# Bets


def check_bets(database: Database, known: set[str]) -> None:
    """Every bet of a round that is over was settled, returned or refunded, once (PLT-34); `known` are looked at."""
    with database.reading() as connection:
        query = "SELECT code, state FROM rounds WHERE state <> 'open' ORDER BY opened_at"
        for code, state in connection.exec_driver_sql(query).all():
            if code not in known:
                known.add(code)
                _check_round(code, state, _events(as_it_stands(round_rows(connection, code))))


def _events(rows: Iterable[RoundRow]) -> Iterable[Any]:
    for row in rows:
        yield from msgspec.json.decode(row.events, type=list[AnyEvent])


def _check_round(code: str, state: str, events: Iterable[Any]) -> None:
    standing: Counter[tuple[object, ...]] = Counter()
    settled: Counter[tuple[object, ...]] = Counter()
    for event in events:
        match event:
            case BetsPlaced(player=player, bets=bets):
                for line in [line for line in standing if line[0] == player]:
                    del standing[line]
                for bet in bets:
                    why = "initial" if bet.kind in ("main", "behind") else bet.kind
                    standing[player, bet.spot, 0, why] += 1
            case BetReturned(player=player, bet=bet):
                why = "initial" if bet.kind in ("main", "behind") else bet.kind
                standing[player, bet.spot, 0, why] -= 1
            case StakeAdded(player=player, spot=spot, hand=hand, why=why):
                standing[player, spot, hand, why] += 1
            case Insured(player=player, spot=spot, accepted=True):
                standing[player, spot, 0, "insurance"] += 1
            case BetSettled(player=player, spot=spot, hand=hand, why=why):
                settled[player, spot, hand, why] += 1
    twice = [line for line, count in (standing | settled).items() if count > 1]
    assert not twice, f"{code}: {twice} stood or were settled twice"
    if state == "settled":
        assert +standing == settled, f"{code}: {+standing} stood, {settled} were settled"
