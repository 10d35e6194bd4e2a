"""Database reads of the tables' runtimes and their registry."""

from collections.abc import Collection, Iterable

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.rounds.queries import find_round, golden_of
from sabot.server.accounts.queries import balance_of
from sabot.server.config import TableSection
from sabot.store import schema
from sabot.store.cashier import account_name
from sabot.store.store import Store
from sabot.tables.config import TableConfig


def accounts_of(connection: Connection, config: TableConfig, players: Iterable[Player]) -> dict[Player, int]:
    """What players have that is not at a table."""
    return {player: balance_of(connection, account_name(int(player), config.currency)) for player in players}


def funds_of(
    connection: Connection, store: Store, config: TableConfig, player: int
) -> tuple[int, dict[int, int]]:
    """What a player can bring to a table: money of the account, and golden chips to one that takes them (MAJ-50)."""
    account = account_name(player, config.currency)
    own = store.find_account(account)  # the table will need its number
    if own is None or config.game.rules.backing != "boxes":
        return balance_of(connection, account), {}
    return balance_of(connection, account), golden_of(connection, [own]).get(own, {})


def names_of(connection: Connection, players: Iterable[Player]) -> list[tuple[Player, str, bool]]:
    """Players with their names, and whether they are programs."""
    people, profiles = schema.players.c, schema.profiles.c
    query = (
        sqlalchemy.select(people.id, people.name, profiles.bot)
        .join_from(schema.players, schema.profiles, people.id == profiles.player)
        .where(people.id.in_([int(player) for player in players]))
    )
    return [(str(row.id), row.name, row.bot) for row in connection.execute(query)]


def table_of(connection: Connection, code: str) -> tuple[str, bool]:
    """The table of an open round, and whether it is a live one."""
    head = find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    if head.state != "open":
        raise Refusal("round/over")
    streams = schema.streams.c
    query = sqlalchemy.select(streams.name).where(streams.id == head.stream)
    return str(connection.execute(query).scalar_one()), CATALOGUE[head.game].live


def leftovers(connection: Connection, prefix: str, known: Collection[str]) -> dict[str, TableSection]:
    """Live tables, by the prefix of their names, that are not known any more but where players still have money, as they were last set.

    One that operators never changed has the plain settings of the game that was played there.
    """
    sittings, streams = schema.sittings.c, schema.streams.c
    seated = sqlalchemy.select(sittings.id).where(sittings.stream == streams.id, sittings.closed_at.is_(None))
    query = sqlalchemy.select(streams.id, streams.name).where(
        streams.name.startswith(prefix), streams.name.not_in(known), seated.exists()
    )
    rows = connection.execute(query).all()
    found = {row.name: _section(connection, row.id, row.name.removeprefix(prefix)) for row in rows}
    return {name: section for name, section in found.items() if section is not None}


def _section(connection: Connection, stream: int, name: str) -> TableSection | None:
    changes, rounds = schema.changes.c, schema.rounds.c
    stored = sqlalchemy.select(changes.value).where(
        changes.subject == f"table/{name}", changes.value != b"null"
    )
    value = connection.execute(stored.order_by(changes.version.desc()).limit(1)).scalar()
    if value is not None:
        return msgspec.json.decode(value, type=TableSection)
    played = sqlalchemy.select(rounds.game, rounds.currency).where(rounds.stream == stream).limit(1)
    last = connection.execute(played).first()
    return None if last is None else TableSection(name=name, game=last.game, currency=last.currency)


def left_behind(connection: Connection, old: int, away: int) -> list[str]:
    """Tables with a sitting whose last sign of life is long ago: an open round's longer than one without."""
    sittings, streams, rounds, log = schema.sittings.c, schema.streams.c, schema.rounds.c, schema.log.c
    last = sqlalchemy.select(log.at).where(log.stream == streams.id, log.n == streams.n).scalar_subquery()
    open_round = (
        sqlalchemy.select(rounds.code).where(rounds.stream == streams.id, rounds.state == "open").exists()
    )
    query = (
        sqlalchemy.select(streams.name)
        .join_from(schema.sittings, schema.streams, sittings.stream == streams.id)
        .where(sittings.closed_at.is_(None))
        .where(sqlalchemy.or_(last < old, sqlalchemy.and_(last < away, ~open_round)))
    )
    return list(connection.execute(query).scalars())
