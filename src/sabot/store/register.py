"""The house's register: what operators made of players, and what players have set themselves.

Operators write to a stream of their own, each row with who did it and why (ASR-33); players' limits stand in another.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import sqlalchemy
from msgspec import Raw

from sabot.store import schema
from sabot.store.errors import StoreError
from sabot.store.facts import AnyFact, ProtectionKind, ProtectionSet, Role, RoleGiven, VipGiven
from sabot.store.store import Store
from sabot.store.stream import Stream
from sabot.store.unit import Body

OPERATORS = "house/operators"
PROTECTIONS = "house/protections"


class Register:
    """The owner of both streams. After `unit/lost` or `stream/fenced` it must be opened again."""

    def __init__(self, store: Store, operators: Stream, protections: Stream) -> None:
        self._store = store
        self._operators = operators
        self._protections = protections

    @classmethod
    def open(cls, store: Store, at: int) -> Register:
        """Take the streams."""
        return cls(store, store.take(OPERATORS, at), store.take(PROTECTIONS, at))

    # Operators

    def give_role(self, operator: int | None, player: int, role: Role, reason: str, at: int) -> None:
        """Give a player another role; without an operator it is done at the house's own console."""
        self._operate("give-role", operator, RoleGiven(player, role), reason, at)

    def give_vip(self, operator: int | None, player: int, vip: int, reason: str, at: int) -> None:
        """Give a player another VIP level."""
        self._operate("give-vip", operator, VipGiven(player, vip), reason, at)

    def _operate(
        self, kind: str, operator: int | None, fact: RoleGiven | VipGiven, reason: str, at: int
    ) -> None:
        """A row that says who did it and why; a demo player has no profile to change."""
        command = {"type": kind, "operator": operator, "reason": reason}
        try:
            self._write(self._operators, kind, command, (fact,), at)
        except StoreError as error:
            if error.code == "unit/conflict":
                raise StoreError("player/none", player=fact.player) from None
            raise

    # Players

    def protect(
        self, player: int, settings: Mapping[ProtectionKind, tuple[int | None, int]], at: int
    ) -> None:
        """What a player sets: for each kind a value, None to lift it, and from when it is in force."""
        protections = schema.protections.c
        query = sqlalchemy.select(sqlalchemy.func.max(protections.set_at)).where(protections.player == player)
        with self._store.database.reading() as connection:
            last = connection.execute(query).scalar()
        if last is not None:
            at = max(at, last + 1)  # settings have an order, also within a millisecond
        facts = tuple(ProtectionSet(player, kind, *setting) for kind, setting in settings.items())
        self._write(self._protections, "protect", {"type": "protect", "player": player}, facts, at)

    # Inside

    def _write(
        self, stream: Stream, kind: str, command: Mapping[str, object], facts: tuple[AnyFact, ...], at: int
    ) -> None:
        unit = stream.unit(at, kind, Body(command=Raw(msgspec.json.encode(command)), facts=facts))
        try:
            self._store.store(unit)
        except StoreError:
            stream.n -= 1
            raise
