"""A hall with one live table, its players 1, 2, … and a clock that is put on by hand.

Every player has 1,000.00 in the account and brings 100.00 to the table. What is asked is stored at once and in order;
what the table tells everyone is kept in `told`. Nobody waits: `pass_time` puts the clock on, and lets the table act at
every moment that is due on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import ParamSpec, TypeVar

import pytest

from sabot.engine import AnyEvent, Bet, Round
from sabot.engine.commands import DECISIONS, Insure, Vote
from sabot.engine.view import player_view, table_view
from sabot.errors import Refusal
from sabot.fairness.vault import Vault, VaultError
from sabot.games import TableOptions, find
from sabot.games.rules import Action
from sabot.rounds.audit import audit_house
from sabot.rounds.by_hand import hand_chance
from sabot.rounds.face_down import CardSeal
from sabot.rounds.queries import golden_of, opening_of_rows, round_rows, shoe_by_id
from sabot.rounds.recovery import rebuild
from sabot.rounds.shoes import ShoeSource
from sabot.rounds.studio_queries import face_down
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.tables.config import Dealing, TableConfig, Tools
from sabot.tables.live.events import Announced, LiveEvent, PhaseChanged
from sabot.tables.live.seats import Seats
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Phase, Timers
from sabot.tables.live.view import LivePart, LiveView
from tests.support.clock import HandClock
from tests.support.ledger import balances, check_all, rows
from tests.support.shoes import StackedShoes

DEPOSITED = 100_000
#: The most that is brought to one sitting.
CAP = 100_000
BROUGHT = 10_000
#: The moment the hall opens: 2026-08-29, 10:40:00 GMT.
OPENED = 1_788_000_000_000

BetWords = tuple[int, str, int]
E = TypeVar("E")
P = ParamSpec("P")
OpenHall = Callable[..., "Hall"]
FreshDatabase = Callable[[], Database]


class Hall:
    """The table, its owner and its players; after a `restart` the table is another object, read from the log."""

    def __init__(
        self,
        database: Database,
        game: str,
        *cards: str,
        players: int = 3,
        timers: Timers | None = None,
        options: TableOptions | None = None,
        shoes: ShoeSource | None = None,
        vault: Vault | None = None,
        dealing: Dealing = "house",
    ) -> None:
        """`cards` are those of each shoe in turn; with a vault, `shoes` are real ones sealed in it."""
        self.database = database
        self.store = Store(database)
        self.clock = HandClock(OPENED)
        self.cashier = Cashier.open(self.store, self.now)
        self.register = Register.open(self.store, self.now)
        self.timers = timers or Timers()
        self.shoes = shoes or StackedShoes(*cards)
        self._vault = vault
        self.seal = CardSeal(vault or Vault(bytes(32)))
        options = None if options is None else find(game).fitted(options)
        self._config = TableConfig(
            name="live/1", game=find(game), currency="EUR", options=options, cap=CAP, dealing=dealing
        )
        #: What the table told everyone, and whose own part had changed.
        self.told: list[AnyEvent | LiveEvent] = []
        self.touched: list[int] = []
        for player in range(1, players + 1):
            assert self.cashier.register(f"player {player}", self.now) == player
            self.cashier.deposit(player, "EUR", DEPOSITED, "first", self.now)
        self.live = self._open()
        self.live.course.begin()
        self._take()

    def _open(self) -> LiveTable:
        tools = Tools(self.store, self.shoes, seal=self.seal)
        return LiveTable.open(self._config, tools, self.timers, self.clock)

    def restart(self, *back: int) -> None:
        """Kill the process and open the table again from the log; then these players come back at once."""
        self.live = self._open()
        self.live.course.begin()
        self._take()
        self.come(*back)

    def lose_key(self) -> None:
        """The key of the shoes is gone."""
        assert isinstance(self.shoes, StackedShoes)
        self.shoes.lose_key()

    def crash(self, stored: int, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Ask the table something, and kill the process when so many of the rows it makes are stored."""
        with suppress(Refusal):
            act(*args, **kwargs)
        for unit in self.live.take().entries[:stored]:
            self.store.store(unit)
        self.restart()

    # The clock

    @property
    def now(self) -> int:
        """The wall clock, in milliseconds."""
        return self.clock.wall_ms()

    def pass_time(self, seconds: float) -> None:
        """Put the clock on; the table acts whenever it is due on the way."""
        end = self.clock.steady + seconds
        while self.live.phases.due is not None and self.live.phases.due <= end:
            self.tick()
        self.clock.steady = end

    def tick(self) -> None:
        """Put the clock on to the next moment at which something is due, and let the table act."""
        assert self.live.phases.due is not None, f"nothing is due in phase {self.live.phases.phase}"
        self.clock.steady = max(self.clock.steady, self.live.phases.due)
        self._do(self.live.course.tick)

    def until(self, phase: Phase) -> Hall:
        """Pass time up to the next moment at which the table is in a phase."""
        for _ in range(200):
            if self.live.phases.phase == phase:
                return self
            self.tick()
        raise AssertionError(f"the table does not come to {phase}: it is in {self.live.phases.phase}")

    def stop_at(self, phase: Phase) -> None:
        """The test will look at a phase: a person who deals must not have finished it (the house is never that fast)."""

    @property
    def pace(self) -> float:
        """Seconds that the clock gives a card to be shown."""
        return self.timers.pace

    def next(self, phase: Phase) -> Hall:
        """The same, but not before the phase of now is over."""
        self.tick()
        return self.until(phase)

    @property
    def left(self) -> float:
        """Seconds that the phase still has."""
        assert self.live.phases.due is not None
        return round(self.live.phases.due - self.clock.steady, 6)

    # Coming and going

    def come(self, *players: int) -> Hall:
        """Players open a connection each."""
        for player in players:
            self._do(self.live.enter, str(player), f"player {player}")
        return self

    def go(self, *players: int) -> None:
        """Connections are gone."""
        for player in players:
            self._do(self.live.exit, str(player))

    def sit(
        self,
        player: int,
        *seats: int,
        bring: int = BROUGHT,
        more: int = 0,
        golden: dict[int, int] | None = None,
    ) -> None:
        """Bring money to the table, and take seats; one who sits there already brings `more` with each."""
        if not seats:
            self._do(self.live.sittings.sit, str(player), bring, golden=golden)
        for seat in seats:
            amount = more if str(player) in self.live.table.sittings else bring
            self._do(self.live.sittings.sit_at, str(player), seat, amount)

    def bring_in(self, seats: Mapping[int, tuple[int, ...]]) -> Hall:
        """Players come and sit down, each at some seats or none."""
        for player, taken in seats.items():
            self.come(player)
            self.sit(player, *taken)
        return self

    def rise(self, player: int, seat: int) -> None:
        """X: leave a seat."""
        self._do(self.live.sittings.leave_seat, str(player), seat)

    def leave(self, player: int) -> None:
        """Leave the table with what is left."""
        self._do(self.live.sittings.leave, str(player))

    def depart(self, *players: int) -> None:
        """Players leave, and their pages with them."""
        for player in players:
            self.leave(player)
            self.go(player)

    def add(self, player: int, amount: int) -> None:
        """AGGIUNGI DENARO."""
        self._do(self.live.sittings.add_money, str(player), amount)

    def seed(self, player: int, seed: str) -> None:
        """A player's part in the shuffle."""
        self._do(self.live.shoes.seed, str(player), seed)

    def grant(self, player: int, chips: dict[int, int]) -> None:
        """An operator grants golden chips; the table is told, if the player sits there."""
        for value, count in chips.items():
            self.register.grant_golden(None, player, "EUR", value, count, "a gift", self.now)
        self._do(self.live.sittings.grant, str(player), chips)

    # Betting

    def bet(
        self, player: int, *bets: BetWords | Bet, code: str | None = None, at: float | None = None
    ) -> None:
        """Replace a player's bets; `at` is when they were read from the socket."""
        placed = tuple(bet if isinstance(bet, Bet) else Bet(*bet) for bet in bets)
        self._do(
            self.live.play.place_bets,
            str(player),
            self.live.play.code if code is None else code,
            placed,
            at=at,
        )

    def consent(self, *players: int, double: bool = True, split: bool = True) -> Hall:
        """Players say what they follow."""
        for player in players:
            self._do(self.live.play.consent, str(player), double, split)
        return self

    def start(self, player: int) -> None:
        """INIZIARE ORA."""
        self._do(self.live.start_now, str(player), self.live.play.code)

    def allow_behind(self, player: int, seat: int, allowed: bool) -> None:
        """Open or close a seat for bets behind."""
        self._do(self.seats.allow_behind, str(player), seat, allowed)

    # In the round

    def insure(self, player: int, accept: bool, seat: int | None = None) -> None:
        """Answer the insurance offer."""
        live = self.live
        self._do(live.insure, live.play.code, live.play.turn, Insure(str(player), accept, seat))

    def wish(self, player: int, seat: int, action: Action | None) -> None:
        """Decide before the turn."""
        self._do(self.live.pre_decide, str(player), self.live.play.code, seat, action)

    def play(self, player: int, action: Action, hand: tuple[int, int] | None = None) -> None:
        """Decide for the hand whose turn it is, or for one that is named."""
        spot, index = hand or self.hand
        command = DECISIONS[action](spot, index)
        live = self.live
        self._do(live.decide, str(player), live.play.code, live.play.turn, command)

    def vote(self, player: int, action: Action, *, turn: int | None = None) -> None:
        """Vote on the hand whose turn it is."""
        spot, index = self.hand
        live = self.live
        asked = live.play.turn if turn is None else turn
        vote = Vote(spot, index, player=str(player), action=action)
        self._do(live.vote, live.play.code, asked, vote)

    # The supervisor

    def pause(self, reason: str = "a card fell") -> None:
        """Everything waits."""
        self._do(self.live.pause, reason)

    def resume(self) -> None:
        """The table goes on."""
        self._do(self.live.resume)

    def void(self, reason: str = "a card fell") -> None:
        """The round is void."""
        self._do(self.live.void, reason)

    def _do(self, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Let the table do something; what there is to store is stored, also of what was refused."""
        try:
            act(*args, **kwargs)
        finally:
            self._take()

    def _take(self) -> None:
        told = self.live.take()
        for unit in told.entries:
            self.store.store(unit)
        self.told += told.events
        self.touched += [int(player) for player in told.touched]

    def do(self, act: Callable[[], object]) -> None:
        """Ask the table itself something, and store what it makes of it."""
        self._do(act)

    @contextmanager
    def refuses(self, code: str) -> Iterator[None]:
        """Something is refused for this reason, and has changed nothing that anyone could see."""
        before = self.state()
        with pytest.raises(Refusal) as refusal:
            yield
        assert refusal.value.code == code
        assert str(refusal.value)
        assert self.state() == before

    def state(self) -> object:
        """All that anyone can see of the table."""
        live = self.live
        return (
            self.view,
            {player: (self.part(int(player)), live.table.balance(player)) for player in live.table.sittings},
            live.play.round and (len(live.play.round.commands), table_view(live.play.round)),
            (live.play.code, live.play.turn, live.phases.due, len(self.told)),
        )

    # Looking

    @property
    def seats(self) -> Seats:
        """The seats of the table."""
        return self.live.seats

    @property
    def round(self) -> Round:
        """The round being played, or the last one."""
        assert self.live.play.round is not None
        return self.live.play.round

    @property
    def hand(self) -> tuple[int, int]:
        """The hand whose turn it is."""
        assert self.round.turn is not None, f"no hand has its turn in phase {self.live.phases.phase}"
        return self.round.turn

    @property
    def phase(self) -> str:
        """What the table is doing."""
        return self.live.phases.phase

    @property
    def view(self) -> LiveView:
        """The table as everyone sees it."""
        return self.live.view()

    def part(self, player: int) -> LivePart:
        """A player's own part beside the round."""
        return self.live.play.part(str(player))

    def offers(self, player: int) -> dict[int, int]:
        """What a player is asked to insure: seats or boxes, and the cost."""
        return {offer.spot: offer.cost for offer in player_view(self.round, str(player)).offers}

    def heard(self, kind: type[E]) -> list[E]:
        """The events of a kind that everyone was told since the last `forget`."""
        return [event for event in self.told if isinstance(event, kind)]

    def forget(self) -> None:
        """Listen anew."""
        self.told.clear()
        self.touched.clear()

    @property
    def phases(self) -> list[str]:
        """The phases that were told."""
        return [event.phase for event in self.heard(PhaseChanged)]

    @property
    def words(self) -> list[str]:
        """What the presenter said."""
        return [event.what for event in self.heard(Announced)]

    def cards(self, spot: int, hand: int = 0) -> int:
        """How many cards a hand has."""
        return len(self.round.play.spots[spot][hand].cards)

    # Money

    def money(self, *players: int) -> list[int]:
        """The players' money at the table by the ledger; the table must know it, and golden chips, without asking."""
        found = balances(self.database)
        sittings = self.live.table.sittings
        with self.database.reading() as connection:
            chips = golden_of(connection, [sitting.account for sitting in sittings.values()])
        held = []
        for player in players:
            sitting = sittings[str(player)]
            held.append(found[f"session/{sitting.id}"])
            assert self.live.table.balance(str(player)) == held[-1]
            assert chips.get(sitting.account, {}) == sitting.golden
        return held

    def account(self, player: int) -> int:
        """The player's money away from the table."""
        return self.cashier.balance(player, "EUR")

    def golden(self, player: int) -> dict[int, int]:
        """The golden chips of the player's account, away from the table."""
        query = f"""
            SELECT value, sum(count) FROM golden JOIN accounts ON golden.account = accounts.id
            WHERE kind = 'player' AND player = {player} GROUP BY value HAVING sum(count) <> 0
        """
        return {int(str(value)): int(str(count)) for value, count in rows(self.database, query)}

    @property
    def escrow(self) -> int:
        """What stands on the table, by the ledger."""
        return balances(self.database)[f"escrow/{self.live.table.stream.id}"]

    @property
    def house(self) -> int:
        """What the house has won, by the ledger."""
        return balances(self.database)["house/EUR"]

    @property
    def ends(self) -> list[str]:
        """How the rounds stand, in order."""
        return [str(end) for (end,) in rows(self.database, "SELECT state FROM rounds ORDER BY opened_at")]

    @property
    def played(self) -> list[tuple[object, ...]]:
        """Player, staked, paid and GC of every round."""
        return rows(self.database, "SELECT player, staked, paid, golden FROM played ORDER BY at, player")

    def logged(self, kind: str) -> int:
        """How many rows of a kind the log has."""
        return len(rows(self.database, f"SELECT n FROM log WHERE kind = '{kind}'"))

    def check(self) -> None:
        """The books are right, the table knows what they say, and every round comes out again from its rows."""
        check_all(self.database)
        whole = self._vault is not None
        assert audit_house(self.database, vault=self._vault, replay=whole).findings == []
        self.money(*(int(player) for player in self.live.table.sittings))
        round = self.live.play.round
        assert self.escrow == (round.book.escrow if round is not None and not round.over else 0)
        self._replay()

    def _replay(self) -> None:
        rules = self._config.game.rules
        codes = rows(self.database, "SELECT code FROM rounds")
        with self.database.reading() as connection:
            for (code,) in codes:
                played = round_rows(connection, str(code))
                if played[-1].kind == "refund":  # it could not be played again
                    continue
                opening = opening_of_rows(played)
                if opening.studio is not None:
                    down = face_down(connection, str(code), played, self.seal)
                    rebuild(str(code), played, hand_chance(opening), None, down)
                    continue
                with suppress(VaultError):  # a shoe whose key a test has lost
                    chance = self.shoes.open(rules, shoe_by_id(connection, opening.shoe), opening.start)
                    rebuild(str(code), played, chance, None)
