"""The register: roles, VIP levels and orders of operators, and the limits that players set themselves.

Rows of operators are in one stream, each with who did it and why (ASR-33); players' limits are in another. Each node has
both for itself, and so has the console (CLU-11); who reads them reads those of all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import sqlalchemy
from msgspec import Raw, Struct
from sqlalchemy import ColumnElement, Connection

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.cashier import account_name
from sabot.store.entry import Body, Movement, RequestKey, Stream, decode_body
from sabot.store.facts import (
    AccountOpened,
    AnyFact,
    ChangeDecided,
    ChangeProposed,
    GoldenMoved,
    Noticed,
    PlayerLockSet,
    ProtectionSet,
    RealityChecked,
    RoleGiven,
    TermsAccepted,
    VipGiven,
)
from sabot.store.kinds import ADJUST, GIVEN, GRANT, VIP, Currency, OrderKind, ProtectionKind, Role
from sabot.store.nodes.membership import CONSOLE
from sabot.store.store import Store

OPERATORS = "house/operators"
PROTECTIONS = "house/protections"
#: The account of the house against which balances are corrected; one for each currency.
ADJUSTMENTS = "house/adjustments"
#: The highest value of a golden chip, in cents, and the most granted at once.
DEAREST_GOLDEN = 1_000_000
MOST_GOLDEN = 1_000
#: Milliseconds between an order to void a round and its end, at most; they may be of two nodes, with two clocks.
_CARRIED_OUT = 60_000
#: Number of the console, in place of an operator.
_CONSOLE = 0


class Register:
    """The owner of both streams. After `unit/lost` or `stream/fenced` open it again."""

    def __init__(self, store: Store, operators: Stream, protections: Stream) -> None:
        self._store = store
        self._operators = operators
        self._protections = protections

    @classmethod
    def open(cls, store: Store, at: int) -> Register:
        """Take the node's streams."""
        return cls(store, *(store.take(store.own_name(name), at) for name in (OPERATORS, PROTECTIONS)))

    @classmethod
    def at_console(cls, store: Store, at: int) -> Register:
        """Take the console's streams, beside a house that is open."""
        return cls(store, *(store.take(f"{name}/{CONSOLE}", at) for name in (OPERATORS, PROTECTIONS)))

    # Operators

    def give_role(self, operator: int | None, player: int, role: Role, reason: str, at: int) -> None:
        """Give a player a role; without an operator, at the console."""
        self._operate("give-role", operator, RoleGiven(player, role), reason, at)

    def give_vip(
        self,
        operator: int | None,
        player: int,
        vip: int,
        reason: str,
        at: int,
        public: str = "",
        decided: ChangeDecided | None = None,
    ) -> None:
        """Give a player a VIP level; the player reads the `public` reason, of this and of what is given below.

        `decided` is the approval of a second person, if it was needed (OFF-17); that too holds for what is below.
        """
        told = Noticed(player, "vip-given", game="", currency="EUR", detail=public, amount=vip)
        self._operate(VIP, operator, VipGiven(player, vip), reason, at, told, *_given(decided))

    def lock(self, operator: int | None, player: int, locked: bool, reason: str, at: int) -> None:
        """Lock a player's account, or unlock it (OFF-03)."""
        kind = "lock-player" if locked else "unlock-player"
        self._operate(kind, operator, PlayerLockSet(player, locked), reason, at)

    def adjust(
        self,
        operator: int,
        player: int,
        currency: Currency,
        amount: int,
        reason: str,
        at: int,
        id: str,
        public: str = "",
        decided: ChangeDecided | None = None,
    ) -> bool:
        """Correct a player's balance, up or down, against the house's account of adjustments; once by its id (OFF-03).

        Says whether it was done now. `funds/insufficient` if the balance would fall below zero.
        """
        own = self._store.find_account(account_name(player, currency))
        if own is None:
            raise Refusal("player/none", player=player)
        told = Noticed(player, "adjusted", game="", currency=currency, detail=public, amount=amount)
        facts: tuple[AnyFact, ...] = (told,)
        other = self._store.find_account(f"{ADJUSTMENTS}/{currency}")
        if other is None:
            other = self._store.ids.take("account")
            facts = (AccountOpened(other, f"{ADJUSTMENTS}/{currency}", "house", currency), told)
        debit, credit = (other, own) if amount > 0 else (own, other)
        movement = Movement(f"{ADJUST}/{operator}/{id}", debit, credit, abs(amount))
        request = RequestKey.of(operator, id, ADJUST, player, currency, amount)
        command = {"type": ADJUST, "operator": operator, "player": player, "reason": reason}
        facts = (*facts, *_given(decided))
        body = Body(command=Raw(msgspec.json.encode(command)), movements=(movement,), facts=facts)
        return self._store.append(self._operators, self._operators.entry(at, ADJUST, body, request=request))

    def order(self, kind: OrderKind, operator: int, reason: str, at: int, **about: object) -> None:
        """Log an operator's order, which changes no table of the database."""
        command = {"type": kind, "operator": operator, **about, "reason": reason}
        self._write(self._operators, kind, command, (), at)

    def grant_golden(
        self,
        operator: int | None,
        player: int,
        currency: Currency,
        value: int,
        count: int,
        reason: str,
        at: int,
        *,
        id: str | None = None,
        public: str = "",
        decided: ChangeDecided | None = None,
    ) -> bool:
        """Grant golden chips to a player (MAJ-50); with an id, once. Says whether it was done now."""
        if not (_is_within(value, DEAREST_GOLDEN) and _is_within(count, MOST_GOLDEN)):
            raise Refusal("golden/grant", count=count, value=value, most=MOST_GOLDEN, dearest=DEAREST_GOLDEN)
        account = self._store.find_account(account_name(player, currency))
        if account is None:
            raise Refusal("player/none", player=player)
        request = None
        if id is not None:
            by = _CONSOLE if operator is None else operator
            request = RequestKey.of(by, id, GRANT, player, currency, value, count)
        command = {"type": GRANT, "operator": operator, "player": player, "reason": reason}
        told = Noticed(player, "golden-given", game="", currency=currency, detail=public, amount=value)
        facts: tuple[AnyFact, ...] = (GoldenMoved(account, value, count), told, *_given(decided))
        return self._write(self._operators, GRANT, command, facts, at, request)

    def check_account(self, player: int, currency: Currency) -> None:
        """Refuse a player who has no account in a currency."""
        if self._store.find_account(account_name(player, currency)) is None:
            raise Refusal("player/none", player=player)

    def was_given(self, operator: int, kind: str, id: str) -> bool:
        """Return whether an operator's adjustment or grant with this id is done already."""
        log = schema.log.c
        query = sqlalchemy.select(log.n).where(log.player == operator, log.request == id, log.kind == kind)
        with self._store.database.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def given_alone(self, operator: int, since: int) -> GivenAlone:
        """Return what an operator has given to players since a moment without a second person (OFF-17)."""
        with self._store.database.reading() as connection:
            return _given_alone(connection, operator, since)

    def _operate(
        self,
        kind: str,
        operator: int | None,
        fact: RoleGiven | VipGiven | PlayerLockSet,
        reason: str,
        at: int,
        *more: AnyFact,
    ) -> None:
        """Write a change to a profile, which a demo player does not have."""
        command = {"type": kind, "operator": operator, "reason": reason}
        try:
            self._write(self._operators, kind, command, (fact, *more), at)
        except Refusal as error:
            if error.code == "unit/conflict":
                raise Refusal("player/none", player=fact.player) from None
            raise

    def propose(
        self, change: ChangeProposed, at: int, decided: ChangeDecided | None = None, *effects: AnyFact
    ) -> None:
        """Log a proposal; one that needs nobody else is decided in the same row, with its effects (OFF-10)."""
        facts = (change,) if decided is None else (change, decided, *effects)
        command = {
            "type": "propose-change",
            "operator": change.operator,
            "proposal": change.proposal,
            "reason": change.reason,
        }
        self._write(self._operators, "propose-change", command, facts, at)

    def decide(self, decided: ChangeDecided, at: int, *effects: AnyFact) -> None:
        """Log a decision and its effects; `unit/conflict` if it was decided before, or the setting has changed since."""
        kind = "approve-change" if decided.state == "approved" else "reject-change"
        command = {
            "type": kind,
            "operator": decided.operator,
            "proposal": decided.proposal,
            "reason": decided.reason,
        }
        self._write(self._operators, kind, command, (decided, *effects), at)

    # Players

    def protect(
        self, player: int, settings: Mapping[ProtectionKind, tuple[int | None, int]], at: int
    ) -> None:
        """Set player limits: for each kind a value (None lifts it) and when it takes effect."""
        protections = schema.protections.c
        query = sqlalchemy.select(sqlalchemy.func.max(protections.set_at)).where(protections.player == player)
        facts = tuple(ProtectionSet(player, kind, *setting) for kind, setting in settings.items())
        while True:
            with self._store.database.reading() as connection:
                last = connection.execute(query).scalar()
            if last is not None:
                at = max(at, last + 1)  # settings keep their order within a millisecond
            try:
                self._write(self._protections, "protect", {"type": "protect", "player": player}, facts, at)
                return
            except Refusal as error:
                if error.code != "unit/conflict":  # else another node has set one in the same millisecond
                    raise

    def accept_terms(self, player: int, version: str, at: int) -> None:
        """Note that a player accepts a version of the terms; repeating is allowed (PLT-62)."""
        try:
            command = {"type": "accept-terms", "player": player}
            self._write(self._protections, "accept-terms", command, (TermsAccepted(player, version),), at)
        except Refusal as error:
            if error.code != "unit/conflict":
                raise

    def answer_reality_check(self, player: int, at: int) -> None:
        """Note that a player answered a reality check (PLT-51)."""
        command = {"type": "reality-check", "player": player}
        self._write(self._protections, "reality-check", command, (RealityChecked(player),), at)

    # Inside

    def _write(
        self,
        stream: Stream,
        kind: str,
        command: Mapping[str, object],
        facts: tuple[AnyFact, ...],
        at: int,
        request: RequestKey | None = None,
    ) -> bool:
        body = Body(command=Raw(msgspec.json.encode(command)), facts=facts)
        return self._store.append(stream, stream.entry(at, kind, body, request=request))


class GivenAlone(NamedTuple):
    """What one person has given to players: cents by currency, adjustments and golden chips together, and VIP levels."""

    amounts: dict[str, int]
    vips: int


class Ordered(Struct, frozen=True):
    """What a row of an operator says of who ordered it and why; about which round, if it was one."""

    operator: int | None
    reason: str
    round: str = ""


_ORDERED = msgspec.json.Decoder(Ordered)


def ordered_by(body: Body) -> Ordered:
    """Return who ordered a row of an operator, and why."""
    return _ORDERED.decode(body.command)  # type: ignore[arg-type]  # every such row has one


def _given(decided: ChangeDecided | None) -> tuple[ChangeDecided, ...]:
    return () if decided is None else (decided,)


def _given_alone(connection: Connection, operator: int, since: int) -> GivenAlone:
    """Read the rows of operators from the newest back to a moment, stream by stream: a day has few of them."""
    log, streams = schema.log.c, schema.streams.c
    amounts: dict[str, int] = defaultdict(int)
    vips = 0
    for stream in connection.execute(sqlalchemy.select(streams.id).where(is_of(OPERATORS))).scalars().all():
        rows = (
            sqlalchemy.select(log.at, log.kind, log.body).where(log.stream == stream).order_by(log.n.desc())
        )
        with connection.execute(rows.execution_options(yield_per=200)) as found:
            for at, kind, stored in found:
                if at < since:
                    break
                if kind not in GIVEN.values():
                    continue
                body = decode_body(stored)
                decided = any(isinstance(fact, ChangeDecided) for fact in body.facts)
                if decided or ordered_by(body).operator != operator:
                    continue
                vips += kind == VIP
                count = next((fact.count for fact in body.facts if isinstance(fact, GoldenMoved)), 1)
                for fact in body.facts:
                    if isinstance(fact, Noticed) and kind != VIP:
                        amounts[fact.currency] += abs(fact.amount) * count
    return GivenAlone(dict(amounts), vips)


def is_of(name: str) -> ColumnElement[bool]:
    """Whether a stream is of a kind, whichever node or console wrote it."""
    streams = schema.streams.c
    return sqlalchemy.or_(streams.name == name, streams.name.startswith(f"{name}/"))


class VoidedBy(Struct, frozen=True):
    """Which operator voided a round, and why, in the operator's own words."""

    operator: int
    reason: str


def voidings(connection: Connection, closed: Mapping[str, int]) -> dict[str, VoidedBy]:
    """Who voided rounds, by code; `closed` is when each was voided. One that the platform voided is left out."""
    if not closed:
        return {}
    log = schema.log.c
    first, last = min(closed.values()) - _CARRIED_OUT, max(closed.values()) + _CARRIED_OUT
    query = sqlalchemy.select(log.at, log.body).where(
        sqlalchemy.text(schema.IS_VOIDING), log.at >= first, log.at <= last
    )
    found: dict[str, VoidedBy] = {}
    for at, body in connection.execute(query.order_by(log.at)):
        order = ordered_by(decode_body(body))
        if order.operator is not None and abs(at - closed.get(order.round, 0)) <= _CARRIED_OUT:
            found[order.round] = VoidedBy(order.operator, order.reason)
    return found


class _Muting(Struct, frozen=True):
    player: int
    minutes: int


_MUTING = msgspec.json.Decoder(_Muting)


def muted_since(connection: Connection, since: int) -> dict[int, int]:
    """Until when players are muted, in milliseconds, by rows of all operators since a moment; the last row counts."""
    log, streams = schema.log.c, schema.streams.c
    query = (
        sqlalchemy.select(log.at, log.body)
        .join_from(schema.log, schema.streams, log.stream == streams.id)
        .where(is_of(OPERATORS), log.kind == "mute-player", log.at >= since)
        .order_by(log.at, log.stream, log.n)
    )
    muted: dict[int, int] = {}
    for at, body in connection.execute(query):
        muting = _MUTING.decode(decode_body(body).command)  # type: ignore[arg-type]  # every such row has one
        muted[muting.player] = at + 60_000 * muting.minutes
    return muted


def _is_within(number: int, most: int) -> bool:
    return type(number) is int and 1 <= number <= most
