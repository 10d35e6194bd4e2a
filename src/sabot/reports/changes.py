"""What operators changed: who, when, why, and what it was before and after (OFF-10, OFF-20).

Money is told from the player's side: above zero it came to the player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
import sqlalchemy
from msgspec import Raw, Struct
from sqlalchemy import Connection

from sabot.reports.report import Row
from sabot.store import schema
from sabot.store.entry import Body, decode_body
from sabot.store.facts import AccountOpened, AnyFact, ChangeProposed, GoldenMoved, Noticed, SettingChanged

#: Fields that each row has in columns of its own, and those that only books need.
_ELSEWHERE = ("account", "fact", "operator", "reason", "type", "version")
_MANY = 500


class Difference(Struct, frozen=True):
    """One field that a proposal changes; `field` is its path, `options.main.maximum`."""

    field: str
    before: Any
    after: Any


class _Account(NamedTuple):
    kind: str
    currency: str


def change_rows(connection: Connection, rows: Iterable[tuple[int, str, bytes]]) -> list[Row]:
    """Rows of operators as lines of the report."""
    found = [(at, kind, decode_body(body)) for at, kind, body in rows]
    accounts = _accounts(connection, [body for _, _, body in found])
    return [_row(at, kind, body, accounts) for at, kind, body in found]


def _row(at: int, kind: str, body: Body, accounts: Mapping[int, _Account]) -> Row:
    command: dict[str, Any] = msgspec.json.decode(body.command) if isinstance(body.command, Raw) else {}
    detail = _own(command)
    for fact in body.facts:
        detail |= _told(fact, accounts)
    for movement in body.movements:
        came = accounts[movement.credit].kind == "player"
        detail["amount"] = movement.amount if came else -movement.amount
        detail["currency"] = accounts[movement.credit].currency
    text = msgspec.json.encode(detail, order="sorted").decode()
    return (at, kind, command.get("operator"), command.get("reason", ""), text)


def _told(fact: AnyFact, accounts: Mapping[int, _Account]) -> dict[str, Any]:
    match fact:
        case AccountOpened():
            return {}
        case ChangeProposed(subject=subject):
            before, after = (msgspec.json.decode(value) for value in (fact.before, fact.after))
            return {"subject": subject, "changes": differences(before, after)}
        case SettingChanged(subject=subject):
            return {"subject": subject}
        case Noticed(detail=public):
            return {"public": public} if public else {}
        case GoldenMoved(account=account):
            return {"currency": accounts[account].currency, **_own(msgspec.to_builtins(fact))}
    return _own(msgspec.to_builtins(fact))


def _own(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in _ELSEWHERE}


def _accounts(connection: Connection, bodies: Iterable[Body]) -> dict[int, _Account]:
    """The accounts that these rows name."""
    ids = set[int]()
    for body in bodies:
        ids |= {account for moved in body.movements for account in (moved.debit, moved.credit)}
        ids |= {fact.account for fact in body.facts if isinstance(fact, GoldenMoved)}
    accounts, wanted = schema.accounts.c, sorted(ids)
    found: dict[int, _Account] = {}
    for begin in range(0, len(wanted), _MANY):
        query = sqlalchemy.select(accounts.id, accounts.kind, accounts.currency)
        query = query.where(accounts.id.in_(wanted[begin : begin + _MANY]))
        found |= {id: _Account(kind, currency) for id, kind, currency in connection.execute(query)}
    return found


def differences(before: Any, after: Any) -> list[Difference]:
    """The fields that differ, by their paths; a list of things with names is told by them.

    >>> differences({"main": {"minimum": 100, "maximum": 500}}, {"main": {"minimum": 100, "maximum": 800}})
    [Difference(field='main.maximum', before=500, after=800)]
    >>> differences(True, False)
    [Difference(field='', before=True, after=False)]
    """
    old, new = dict(_fields(before)), dict(_fields(after))
    return [
        Difference(field, old.get(field), new.get(field))
        for field in dict.fromkeys((*old, *new))
        if old.get(field) != new.get(field)
    ]


def _fields(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, list) and value and all(isinstance(item, dict) and "name" in item for item in value):
        value = {item["name"]: item for item in value}
    if not isinstance(value, dict):
        return [(path, value)]
    inside = ((f"{path}.{key}" if path else key, item) for key, item in value.items())
    return [field for key, item in inside for field in _fields(item, key)]
