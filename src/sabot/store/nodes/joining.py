"""What the nodes of a house have in common, and which processes may join it (CLU-22, CLU-25)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from sabot.store import schema
from sabot.store.database import Database
from sabot.store.nodes.node import Node, NodeError, TakenError

#: Slots of living nodes; a slot is a letter of game codes.
SLOTS = 32

_RELEASE = re.compile(r"(\d+)\.(\d+)")
#: Names of what holds for the whole house.
HOUSE_ID, _VAULT = "id", "vault"


class JoinRule(Struct, frozen=True):
    """Which processes may serve a house together; a mistake is refused with what would be right."""

    #: How many, and what to do for more of them.
    most: int = SLOTS
    more: str = ""
    #: Settings that are the same at all of them, by name.
    common: dict[str, str] = {}

    def check(self, connection: Connection, living: Sequence[Node], name: str, release: str) -> None:
        """`TakenError` if a process may not join those that live; one that is the first settles what they have in common."""
        for node in living:
            if node.name == name:
                raise TakenError(
                    f"a node named {name!r} serves this house already: give each node a name of its own", node
                )
        if len(living) >= self.most < SLOTS:
            names = ", ".join(repr(node.name) for node in living)
            verb = "serves this database" if self.most == 1 else "serve this house"
            raise TakenError(f"{names} {verb} already: {self.more}", min(living, key=lambda node: node.until))
        for node in living:
            if not _are_adjacent(node.release, release):
                raise TakenError(
                    f"node {node.name!r} is of release {node.release}, this one of {release}: only adjacent releases"
                    " serve a house together",
                    node,
                )
        for key, value in self.common.items():
            found = _settle(connection, key, value)
            if found != value and living:
                raise TakenError(
                    f"node {living[0].name!r} serves this database with {key} = {found!r}, this one has {value!r}:"
                    " two houses need two databases, and one house the same settings",
                    living[0],
                )
            if found != value:
                _change(connection, key, value)


#: Any number of nodes, whatever their settings.
ANYONE = JoinRule()


# What holds for the whole house


def house_id(database: Database) -> str:
    """The id of the house, made at the first call."""
    with database.writing() as connection:
        return _settle(connection, HOUSE_ID, secrets.token_hex(8))


def check_vault(database: Database, keys: Sequence[str]) -> None:
    """Check the fingerprints of this node's vault keys, the newest first; the first node's are the house's.

    `NodeError` if the key with which the house seals is not among them, or if there is none and the house has one: so
    make no key file before this has passed. A node with a newer key beside it makes that the house's.
    """
    with database.writing() as connection:
        if not keys:
            found = connection.execute(_find(_VAULT)).scalar()
            if found is not None:
                raise NodeError(
                    f"this node has no vault key: copy the key file of the house, with key {found}"
                )
            return
        found = _settle(connection, _VAULT, keys[0])
        if found not in keys:
            raise NodeError(
                f"the vault key of this node is {keys[0]}, that of the house is {found}: copy the key file of the house"
            )
        if found != keys[0]:
            _change(connection, _VAULT, keys[0])


def _find(name: str) -> Any:
    return sqlalchemy.select(schema.house.c.value).where(schema.house.c.name == name)


def _settle(connection: Connection, name: str, value: str) -> str:
    """What holds for the house: this value, if it has none yet."""
    make = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(schema.house)
    connection.execute(make.on_conflict_do_nothing(), {"name": name, "value": value})
    return str(connection.execute(_find(name)).scalar_one())


def _change(connection: Connection, name: str, value: str) -> None:
    house = schema.house
    connection.execute(house.update().where(house.c.name == name).values(value=value))


def _are_adjacent(one: str, other: str) -> bool:
    """Whether two releases can serve a house together (CLU-22): the same, or the next minor one.

    >>> [_are_adjacent("0.4.1", other) for other in ("0.4.1", "0.4.7", "0.5.0", "0.6.0", "1.4.1", "new")]
    [True, True, True, False, False, False]
    """
    if one == other:
        return True
    found = [_RELEASE.match(release) for release in (one, other)]
    if found[0] is None or found[1] is None:
        return False
    (major, minor), (others_major, others_minor) = (map(int, match.groups()) for match in found if match)
    return major == others_major and abs(minor - others_minor) <= 1
