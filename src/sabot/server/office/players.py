"""Players as the back office sees them: search, and one player with all the money to the cent (OFF-03)."""

from typing import Annotated, Any, get_args

import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection, Select

from sabot.errors import Refusal
from sabot.protocol.fields import Code, Form, PageSize, PlayerName
from sabot.rounds.queries import golden_of
from sabot.server.accounts.lock_out import locked_until
from sabot.server.accounts.queries import OpenSitting, balances, open_stakes, seats
from sabot.store import schema
from sabot.store.entry import decode_body
from sabot.store.kinds import GIVEN, AccountChange, Currency, Role
from sabot.store.register import ordered_by

#: Lines of a player's page: logins, and sittings that are over.
_MOST_LINES = 50

PlayerNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]


class PlayersQuery(Form, frozen=True, kw_only=True):
    """Players by number, by a round they had a bet in, or by a part of the name; a page after a name."""

    name: PlayerName | None = None
    player: PlayerNumber | None = None
    round: Code | None = None
    after: PlayerName | None = None
    limit: PageSize = 50


class FoundPlayer(Struct, frozen=True):
    """A player in a list."""

    player: int
    name: str
    registered_at: int
    role: Role
    vip: int
    demo: bool
    bot: bool
    locked: bool


class FoundPlayers(Struct, frozen=True):
    """Players by name; `next` is the `after` of the next page."""

    players: tuple[FoundPlayer, ...]
    next: str | None


class Money(Struct, frozen=True):
    """A player's money of a currency: in the account, at tables and in open rounds; `total` is all of it."""

    currency: Currency
    account: int
    tables: int
    rounds: int
    total: int


class GoldenChips(Struct, frozen=True):
    """Golden chips of a value in the account, not at a table."""

    currency: Currency
    value: int
    count: int


class PastSitting(Struct, frozen=True):
    """A sitting that is over."""

    table: str
    currency: Currency
    since: int
    until: int
    brought: int
    taken: int


class StakedRound(Struct, frozen=True):
    """An open round with a stake of the player's."""

    round: str
    table: str
    currency: Currency
    staked: int


class PastLogin(Struct, frozen=True):
    """A login: when, until when, from where."""

    created_at: int
    seen_at: int
    expires_at: int
    revoked_at: int | None
    address: str
    agent: str


class PlayerNote(Struct, frozen=True):
    """What an operator has written down about a player."""

    at: int
    operator: int
    name: str | None
    line: str


class AccountOrder(Struct, frozen=True):
    """An adjustment, golden chips or a VIP level that an operator gave (OFF-17): for whom it is told, `MovementLine`.

    `public` is the reason that the player reads, `reason` the one that stays in the office; no operator is the console.
    """

    at: int
    kind: AccountChange
    currency: Currency
    amount: int
    count: int
    public: str
    reason: str
    operator: int | None


class OfficePlayer(Struct, frozen=True):
    """A player with everything the house knows but the rounds, which come in pages.

    Of logins, of sittings that are over and of operators' orders it has the last, and of the first two says whether there
    are more.
    """

    about: FoundPlayer
    #: Until when logins from somewhere are refused after failures.
    locked_until: int | None
    born: str | None
    money: tuple[Money, ...]
    golden: tuple[GoldenChips, ...]
    sittings: tuple[OpenSitting, ...]
    past_sittings: tuple[PastSitting, ...]
    more_sittings: bool
    rounds: tuple[StakedRound, ...]
    logins: tuple[PastLogin, ...]
    more_logins: bool
    notes: tuple[PlayerNote, ...]
    orders: tuple[AccountOrder, ...]
    #: Proposals to give this player something, which wait for a second person (OFF-17).
    waiting: tuple[int, ...]


# Searching


def search_players(connection: Connection, query: PlayersQuery) -> FoundPlayers:
    """A page of players."""
    name = sqlalchemy.func.lower(schema.players.c.name)
    found = _players().order_by(name).limit(query.limit + 1)
    if query.player is not None:
        found = found.where(schema.players.c.id == query.player)
    if query.name is not None:
        found = found.where(name.contains(query.name.lower(), autoescape=True))
    if query.round is not None:
        played = schema.played.c
        found = found.where(
            schema.players.c.id.in_(sqlalchemy.select(played.player).where(played.code == query.round))
        )
    if query.after is not None:
        found = found.where(name > query.after.lower())
    players = [FoundPlayer(*row) for row in connection.execute(found)]
    more = len(players) > query.limit
    return FoundPlayers(tuple(players[: query.limit]), players[query.limit - 1].name if more else None)


def _players() -> Select[Any]:
    players, profiles = schema.players.c, schema.profiles.c
    kind = (profiles.role, profiles.vip, profiles.demo, profiles.bot, profiles.locked)
    return sqlalchemy.select(players.id, players.name, players.registered_at, *kind).join_from(
        schema.players, schema.profiles, players.id == profiles.player
    )


# One player


def player_page(connection: Connection, player: int, at: int) -> OfficePlayer:
    """One player; `player/none` if there is no such number."""
    row = connection.execute(_players().where(schema.players.c.id == player)).first()
    if row is None:
        raise Refusal("player/none", player=player)
    born = sqlalchemy.select(schema.players.c.born).where(schema.players.c.id == player)
    sitting, staked = seats(connection, player), _staked(connection, player)
    past, logins = _past_sittings(connection, player), _logins(connection, player)
    return OfficePlayer(
        about=FoundPlayer(*row),
        locked_until=connection.execute(sqlalchemy.select(locked_until(player, at))).scalar(),
        born=connection.execute(born).scalar(),
        money=_money(balances(connection, player), sitting, staked),
        golden=_golden(connection, player),
        sittings=sitting,
        past_sittings=past[:_MOST_LINES],
        more_sittings=len(past) > _MOST_LINES,
        rounds=staked,
        logins=logins[:_MOST_LINES],
        more_logins=len(logins) > _MOST_LINES,
        notes=_notes(connection, player),
        orders=_orders(connection, player),
        waiting=_waiting(connection, player),
    )


def add_note(connection: Connection, player: int, operator: int, line: str, at: int) -> None:
    """Write something down about a player; two notes of a millisecond are kept apart."""
    notes = schema.player_notes
    last = sqlalchemy.select(sqlalchemy.func.max(notes.c.at)).where(notes.c.player == player)
    at = max(at, (connection.execute(last).scalar() or 0) + 1)
    connection.execute(sqlalchemy.insert(notes).values((player, at, operator, line)))


def _money(
    accounts: dict[str, int], sittings: tuple[OpenSitting, ...], staked: tuple[StakedRound, ...]
) -> tuple[Money, ...]:
    found = []
    for currency, balance in accounts.items():
        at_tables = sum(sitting.balance for sitting in sittings if sitting.currency == currency)
        in_rounds = sum(round.staked for round in staked if round.currency == currency)
        total = balance + at_tables + in_rounds
        found.append(Money(currency, balance, at_tables, in_rounds, total))  # type: ignore[arg-type]
    return tuple(found)


def _staked(connection: Connection, player: int) -> tuple[StakedRound, ...]:
    return tuple(
        StakedRound(one.code, one.table, currency, one.staked)
        for currency in ("EUR", "FUN")
        for one in open_stakes(connection, player, currency)
    )


def _golden(connection: Connection, player: int) -> tuple[GoldenChips, ...]:
    accounts = schema.accounts.c
    own = sqlalchemy.select(accounts.id, accounts.currency).where(
        accounts.player == player, accounts.kind == "player"
    )
    currencies = {row.id: row.currency for row in connection.execute(own)}
    held = golden_of(connection, list(currencies))
    return tuple(
        GoldenChips(currencies[account], value, count)
        for account, chips in held.items()
        for value, count in chips.items()
    )


def _past_sittings(connection: Connection, player: int) -> tuple[PastSitting, ...]:
    sittings, streams, accounts = schema.sittings.c, schema.streams.c, schema.accounts.c
    times = (sittings.opened_at, sittings.closed_at, sittings.brought, sittings.taken)
    query = (
        sqlalchemy.select(streams.name, accounts.currency, *times)
        .join_from(schema.sittings, schema.streams, sittings.stream == streams.id)
        .join(schema.accounts, sittings.account == accounts.id)
        .where(sittings.player == player, sittings.closed_at.is_not(None))
        .order_by(sittings.id.desc())
        .limit(_MOST_LINES + 1)
    )
    return tuple(PastSitting(*row) for row in connection.execute(query))


def _logins(connection: Connection, player: int) -> tuple[PastLogin, ...]:
    logins = schema.logins.c
    times = (logins.created_at, logins.seen_at, logins.expires_at, logins.revoked_at)
    query = sqlalchemy.select(*times, logins.origin, logins.agent).where(logins.player == player)
    query = query.order_by(logins.seen_at.desc()).limit(_MOST_LINES + 1)
    return tuple(PastLogin(*row) for row in connection.execute(query))


def _notes(connection: Connection, player: int) -> tuple[PlayerNote, ...]:
    notes, players = schema.player_notes.c, schema.players.c
    query = (
        sqlalchemy.select(notes.at, notes.operator, players.name, notes.line)
        .join_from(schema.player_notes, schema.players, notes.operator == players.id, isouter=True)
        .where(notes.player == player)
        .order_by(notes.at.desc())
    )
    return tuple(PlayerNote(*row) for row in connection.execute(query))


def _waiting(connection: Connection, player: int) -> tuple[int, ...]:
    proposals = schema.proposals.c
    subject = proposals.subject + "/"  # that of a VIP level ends with the player
    about = sqlalchemy.or_(*(subject.startswith(f"{kind}/{player}/") for kind in GIVEN))
    query = sqlalchemy.select(proposals.id).where(proposals.state == "open", about)
    return tuple(connection.execute(query.order_by(proposals.id)).scalars())


def _orders(connection: Connection, player: int) -> tuple[AccountOrder, ...]:
    told, log, golden = schema.notices.c, schema.log.c, schema.golden.c
    granted = (golden.stream == told.stream) & (golden.n == told.n)
    count = sqlalchemy.func.coalesce(golden.count, 0)
    query = (
        sqlalchemy.select(told.at, told.what, told.currency, told.amount, count, told.detail, log.body)
        .join_from(schema.notices, schema.log, (log.stream == told.stream) & (log.n == told.n))
        .join(schema.golden, granted, isouter=True)
        .where(told.player == player, told.what.in_(get_args(AccountChange)))
        .order_by(told.at.desc(), told.n.desc())
        .limit(_MOST_LINES)
    )
    found = []
    for *cells, body in connection.execute(query):
        ordered = ordered_by(decode_body(body))
        found.append(AccountOrder(*cells, ordered.reason, ordered.operator))  # type: ignore[call-arg]  # as many as named
    return tuple(found)
