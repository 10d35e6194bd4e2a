"""A table on the store: who sits there with what money, and the round being played.

A table has one owner and never waits: each method changes the table in memory and gives the units that say so, to be
stored in their order. If one of them is refused or lost, the owner throws the table away and opens it again from the
log. What a method refuses with an error has changed nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from sqlalchemy import Connection

from sabot.engine import AnyCommand, AnyEvent, Price
from sabot.engine.commands import AddMoney, BoundLoss, Consent, Insure, PlaceBets, Player, Void, Vote
from sabot.engine.parts import Chance
from sabot.errors import Refusal
from sabot.fairness.vault import VaultError
from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.rounds.codes import Codes, secure_code
from sabot.rounds.queries import (
    RoundRow,
    golden_of,
    open_rounds,
    opening_of_rows,
    round_rows,
    sittings_of,
)
from sabot.rounds.recovery import ReplayError, rebuild, refund
from sabot.rounds.shoes import KeptShoe, ShoeSource
from sabot.rounds.stored import Opening, OtherEngineError, StoredRound
from sabot.rounds.till import Accounts
from sabot.store.cashier import account_name
from sabot.store.entry import Body, LogEntry, Movement, RequestKey
from sabot.store.facts import (
    AccountOpened,
    AnyFact,
    GoldenMoved,
    MoneyBrought,
    RoundOpened,
    ShoeCommitted,
    SittingClosed,
    SittingOpened,
)
from sabot.store.kinds import Currency
from sabot.store.store import Store
from sabot.store.stream import Stream

#: Commands that name the player who gives them.
_BY_PLAYER = (PlaceBets, Consent, Insure, Vote, BoundLoss)
#: The most a player may bring to one sitting if the operator sets nothing else (PLT-04).
DEFAULT_CAP = 100_000


class TableConfig(Struct, frozen=True, kw_only=True):
    """What a table is: its game and what its operator set."""

    name: str
    game: Game
    currency: Currency = "FUN"
    options: TableOptions | None = None
    #: The most a player may bring to one sitting; None for no cap.
    cap: int | UnsetType | None = UNSET
    #: What a player is offered to bring by sitting down.
    sitting: int = 10_000
    #: The VIP level from which a player may sit down.
    vip: int = 0

    @property
    def most_brought(self) -> int | None:
        """The cap in force: 1,000.00 where the operator has set none, off for play money (PLT-04)."""
        if isinstance(self.cap, UnsetType):
            return None if self.currency == "FUN" else DEFAULT_CAP
        return self.cap


class Tools(NamedTuple):
    """What tables are handed from outside: the store, shoes, prices, and codes for rounds."""

    store: Store
    shoes: ShoeSource
    price: Price | None = None
    codes: Codes = secure_code


class Sitting(Struct):
    """A player at the table; the balance is what is not on the table."""

    id: int
    player: int
    account: int
    balance: int
    brought: int
    #: Golden chips at the table, by face value (MAJ-50); during a round, without what became of them in it.
    golden: dict[int, int] = {}


class Step(NamedTuple):
    """What a command did: the events to show once the units are stored."""

    events: tuple[AnyEvent, ...]
    units: tuple[LogEntry, ...]


class Table(ABC):
    """The part that solo and live tables share."""

    def __init__(self, config: TableConfig, tools: Tools, stream: Stream, escrow: int) -> None:
        self.config = config
        self.rules = config.game.rules
        self.tools = tools
        self.stream = stream
        self.escrow = escrow
        self.sittings: dict[Player, Sitting] = {}
        self.current: StoredRound | None = None
        self._next_shoe = 0

    @classmethod
    def open(cls, config: TableConfig, tools: Tools, at: int, stream: Stream | None = None) -> Self:
        """Take the table's stream and go on where it was left; an open round is rebuilt, or voided with refund.

        An owner whose last unit was refused hands in the stream as it was before, and goes on without a row.
        """
        store = tools.store
        stream = stream or store.take(config.name, at)
        escrow = store.find_account(f"escrow/{stream.id}")
        if escrow is None:
            escrow = store.ids.take("account")
            fact = AccountOpened(escrow, f"escrow/{stream.id}", "escrow", config.currency)
            store.store(stream.unit(at, "table-opened", Body(facts=(fact,))))
        table = cls(config, tools, stream, escrow)
        with store.database.reading() as connection:
            for row in sittings_of(connection, stream.id):
                table.sittings[str(row[1])] = Sitting(*row)
            chips = golden_of(connection, [sitting.account for sitting in table.sittings.values()])
            for sitting in table.sittings.values():
                sitting.golden = chips.get(sitting.account, {})
            table._load_shoe(connection)
            rounds = [(code, round_rows(connection, code)) for code in open_rounds(connection, stream.id)]
        for code, rows in rounds:
            table._go_on(code, rows, at)
        table._ready(at)
        table._know_accounts()
        return table

    def _know_accounts(self) -> None:
        """Look up the accounts that the table will move money to: a table that is played at never waits."""
        store = self.tools.store
        store.find_account(f"house/{self.config.currency}")
        for sitting in self.sittings.values():
            self._own_account(sitting.player)

    @property
    def options(self) -> TableOptions:
        """The options of the next round."""
        return self.config.options or self.config.game.options

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.current is not None and not self.current.round.over

    def plays(self, player: Player) -> bool:
        """Whether the player, as the one who sits here now, is part of the round being played."""
        return self._round_of(player) is not None

    def balance(self, player: Player) -> int:
        """The player's money at the table that is not staked."""
        current = self._round_of(player)
        return self._sitting(player).balance if current is None else current.round.balance(player)

    # Sitting

    def sit(
        self,
        player: int,
        amount: int,
        at: int,
        request: RequestKey | None = None,
        golden: Mapping[int, int] | None = None,
    ) -> LogEntry:
        """A player sits down with money from the account, and with golden chips (PLT-04, MAJ-50)."""
        if str(player) in self.sittings:
            raise Refusal("sitting/open")
        self._check_amount(amount, 0)
        ids = self.tools.store.ids
        chips = dict(golden or {})
        sitting = Sitting(ids.take("sitting"), player, ids.take("account"), amount, amount, chips)
        own = self._own_account(player)
        facts: tuple[AnyFact, ...] = (
            AccountOpened(sitting.account, f"session/{sitting.id}", "session", self.config.currency, player),
            SittingOpened(sitting.id, player, sitting.account),
            MoneyBrought(sitting.id, amount),
            *_golden_facts(own, sitting.account, chips),
        )
        self.sittings[str(player)] = sitting
        movement = Movement(f"sitting/{sitting.id}/0", own, sitting.account, amount)
        return self.stream.unit(at, "sit", Body(movements=(movement,), facts=facts), request=request)

    def add_money(self, player: Player, amount: int, at: int, request: RequestKey | None = None) -> Step:
        """AGGIUNGI DENARO: bring more, during a round too, up to the cap of the sitting (PLT-04, LNK-09)."""
        sitting = self._sitting(player)
        self._check_amount(amount, sitting.brought)
        own = self._own_account(sitting.player)
        movement = Movement(f"sitting/{sitting.id}/{sitting.brought}", own, sitting.account, amount)
        fact = MoneyBrought(sitting.id, amount)
        if self._round_of(player) is not None:
            step = self._apply(AddMoney(player, amount), at, request, (movement,), (fact,))
        else:
            sitting.balance += amount
            body = Body(movements=(movement,), facts=(fact,))
            step = Step((), (self.stream.unit(at, "add-money", body, request=request),))
        sitting.brought += amount
        return step

    def bring_golden(self, player: Player, chips: Mapping[int, int], at: int) -> LogEntry:
        """Golden chips of the player's account come to the table; they can be staked from the next round on (MAJ-50)."""
        sitting = self._sitting(player)
        facts = _golden_facts(self._own_account(sitting.player), sitting.account, chips)
        for value, count in chips.items():
            sitting.golden[value] = sitting.golden.get(value, 0) + count
        return self.stream.unit(at, "bring-golden", Body(facts=facts))

    def leave(self, player: Player, at: int, request: RequestKey | None = None) -> LogEntry:
        """A player leaves with what is left, once; a round with a bet of the player's must be over (PLT-04)."""
        sitting, current, left = self._sitting(player), self._round_of(player), self.balance(player)
        if current is not None and current.round.book.bets.get(player):
            raise Refusal("sitting/in-round")
        own = self._own_account(sitting.player)
        del self.sittings[player]
        movements: tuple[Movement, ...] = ()
        if left:
            movements = (Movement(f"sitting/{sitting.id}/left", sitting.account, own, left),)
        facts: tuple[AnyFact, ...] = (
            SittingClosed(sitting.id, left),
            *_golden_facts(sitting.account, own, sitting.golden),
        )
        return self.stream.unit(at, "leave", Body(movements=movements, facts=facts), request=request)

    # Rounds

    def apply(self, command: AnyCommand, at: int, request: RequestKey | None = None) -> Step:
        """Carry out a command in the round being played; the rules may refuse it."""
        if isinstance(command, AddMoney):
            return self.add_money(command.player, command.amount, at, request)
        if isinstance(command, _BY_PLAYER) and self._round_of(command.player) is None:
            self._sitting(command.player)
            raise Refusal("player/unknown", player=command.player)
        return self._apply(command, at, request)

    def bound_loss(self, player: Player, most: int, at: int) -> Step:
        """A player's own loss limit bounds what may be staked in the round being played (ASR-41)."""
        return self.apply(BoundLoss(player, most), at)

    def void(self, reason: str, at: int) -> Step:
        """A malfunction: every stake goes back, every win of the round is void (PLT-32)."""
        return self._apply(Void(reason), at, None)

    def note(self, kind: str, detail: object, at: int, request: RequestKey | None = None) -> LogEntry:
        """A row that moves nothing: what was asked, or refused, and is to be found again."""
        return self.stream.unit(at, kind, Body(detail=Raw(msgspec.json.encode(detail))), request=request)

    def _accounts(self, players: Iterable[Player]) -> Accounts:
        """The accounts a round moves money between."""
        return Accounts(
            self.escrow,
            self.tools.store.account(f"house/{self.config.currency}"),
            {player: self._sitting(player).account for player in players},
        )

    def _go_on(self, code: str, rows: list[RoundRow], at: int) -> None:
        """An open round: play it again up to its last row, or give everything back."""
        try:
            opening = opening_of_rows(rows)
            self.current = rebuild(code, rows, self._chance(opening), self.tools.price)
        except (OtherEngineError, ReplayError, VaultError, LookupError, ValueError) as error:
            self._refund(code, rows, str(error), at)

    def _refund(self, code: str, rows: list[RoundRow], reason: str, at: int) -> None:
        """Void a round that cannot be played again (PLT-32)."""
        players = {sitting.account: sitting for sitting in self.sittings.values()}
        sessions = {account: sitting.player for account, sitting in players.items()}
        body = refund(code, rows, self.escrow, sessions)
        for movement in body.movements:
            if movement.credit in players:
                players[movement.credit].balance += movement.amount
            if movement.debit in players:
                players[movement.debit].balance -= movement.amount
        detail = Raw(msgspec.json.encode({"reason": reason}))
        spoilt, secrets = self._replace_shoe()
        body = msgspec.structs.replace(body, detail=detail, facts=(*body.facts, *spoilt))
        self.tools.store.store(self.stream.unit(at, "refund", body, round=code, secrets=secrets))

    # What solo and live tables do in their own ways

    @abstractmethod
    def _load_shoe(self, connection: Connection) -> None:
        """Find the table's shoe again."""

    @abstractmethod
    def _chance(self, opening: Opening) -> Chance:
        """The cards and draws of a round, from its beginning."""

    @abstractmethod
    def _ready(self, at: int) -> None:
        """The table has been opened: what is still missing is made."""

    @abstractmethod
    def _replace_shoe(self) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """Commit to a new shoe. After a refund nobody knows how far the old one was dealt: both are one row."""

    def _opened(self, opening: Opening, body: Body) -> Body:
        """The first row of a round, which says how it was opened."""
        fact = RoundOpened(opening.game, self.config.currency, opening.engine)
        return msgspec.structs.replace(
            body, detail=Raw(msgspec.json.encode(opening)), facts=(fact, *body.facts)
        )

    def _apply(
        self,
        command: AnyCommand,
        at: int,
        request: RequestKey | None,
        movements: tuple[Movement, ...] = (),
        facts: tuple[AnyFact, ...] = (),
    ) -> Step:
        current = self.current
        if current is None or current.round.over:
            raise Refusal("round/not-dealt")
        self._prepare_shoe()
        events, body = current.apply(command, movements, facts)
        kind = str(type(command).__struct_config__.tag)
        return Step(events, (self._unit(current, kind, body, at, request),))

    def _unit(
        self, current: StoredRound, kind: str, body: Body, at: int, request: RequestKey | None
    ) -> LogEntry:
        """The row of a command; at the end of a round the balances are the sittings' again."""
        secrets: dict[int, object] = {}
        if current.round.over:
            sessions = current.sessions
            for player, sitting in self.sittings.items():
                if sessions.get(player) == sitting.account:
                    sitting.balance = current.round.balance(player)
            ended, secrets = self._round_ended(current)
            body = msgspec.structs.replace(body, facts=(*body.facts, *ended))
        return self.stream.unit(at, kind, body, round=current.code, request=request, secrets=secrets)

    def _round_ended(self, current: StoredRound) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """What the end of a round brings at this kind of table."""
        return (), {}

    # Inside

    def _commit_shoe(self) -> tuple[KeptShoe, ShoeCommitted]:
        """A new shoe, and the commitment to it."""
        self._prepare_shoe()
        new = self.tools.shoes.commit()
        kept = KeptShoe(self._next_shoe, new.commitment, new.sealed, "")
        self._next_shoe = 0
        return kept, ShoeCommitted(kept.id, kept.commitment)

    def _prepare_shoe(self) -> None:
        """Have the number of the next shoe at hand: asking for one can fail, and must before anything changes."""
        self._next_shoe = self._next_shoe or self.tools.store.ids.take("shoe")

    def _round_of(self, player: Player) -> StoredRound | None:
        """The round being played, if the player's sitting is part of it."""
        current, sitting = self.current, self.sittings.get(player)
        if current is None or current.round.over or sitting is None:
            return None
        return current if current.sessions.get(player) == sitting.account else None

    def _sitting(self, player: Player) -> Sitting:
        try:
            return self.sittings[player]
        except KeyError:
            raise Refusal("sitting/closed") from None

    def _own_account(self, player: int) -> int:
        own = self.tools.store.find_account(account_name(player, self.config.currency))
        if own is None:
            raise Refusal("player/none", player=player)
        return own

    def _check_amount(self, amount: int, brought: int) -> None:
        if type(amount) is not int or amount <= 0:
            raise Refusal("transfer/no-amount", amount=amount)
        cap = self.config.most_brought
        if cap is not None and brought + amount > cap:
            raise Refusal("funds/over-cap", amount=amount, brought=brought + amount, cap=cap)


def _golden_facts(giver: int, taker: int, chips: Mapping[int, int]) -> tuple[GoldenMoved, ...]:
    """Golden chips go from one account to another."""
    moved = [(value, count) for value, count in chips.items() if count]
    return tuple(
        GoldenMoved(account, value, sign * count)
        for value, count in moved
        for account, sign in ((giver, -1), (taker, 1))
    )
