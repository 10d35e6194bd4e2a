"""Reads of a table and its rounds: sittings, seats, golden chips, notices, shoes, the rows of a round."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import sqlalchemy
from sqlalchemy import ColumnElement, Connection

from sabot.engine import AnyEvent
from sabot.engine.commands import AnyCommand, Join, Player
from sabot.engine.events import CardBurnt, CardDealt, HoleDealt, HoleShown
from sabot.rounds.shoes import KeptShoe
from sabot.rounds.stored import Joined, Opening
from sabot.rounds.studio import CARD, CORRECTION, TAKE_BACK, Corrected
from sabot.store import schema
from sabot.store.entry import Body, decode_body
from sabot.store.facts import RoundClosed, ShoeCommittedFact

#: Kinds of rows in which a player's command is answered to that player alone.
_OWN_KINDS = ("place-bets", "consent", "vote", "add-money", "join")
#: Those of them without an event for everyone.
_CROWD_KINDS = ("place-bets", "consent", "vote", "join")

#: The events of a card: each reading of a dealer who is a person has one of them.
_CARD_EVENTS = (CardDealt, HoleDealt, HoleShown, CardBurnt)

#: Notices that a table reads when it is opened.
_MOST_NOTICES = 20_000

_COMMAND: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_EVENTS: msgspec.json.Decoder[list[AnyEvent]] = msgspec.json.Decoder(list[AnyEvent])
_JOINED = msgspec.json.Decoder(Joined)
_OPENING = msgspec.json.Decoder(Opening)


class RoundRow(NamedTuple):
    """A command of a round as it is stored."""

    n: int
    at: int
    kind: str
    body: Body

    @property
    def command(self) -> AnyCommand | None:
        """The command; None in a row that opens a live round, or voids one from its ledger alone."""
        return _COMMAND.decode(self.body.command) if isinstance(self.body.command, msgspec.Raw) else None

    @property
    def joined(self) -> Joined:
        """The session account of a player who joined."""
        return _JOINED.decode(self.body.detail)  # type: ignore[arg-type]  # a row without it is not read

    @property
    def events(self) -> bytes:
        """The events, as they were stored."""
        return bytes(self.body.events) if isinstance(self.body.events, msgspec.Raw) else b"[]"

    @property
    def decoded_events(self) -> list[AnyEvent]:
        """The events."""
        return _EVENTS.decode(self.events)


class RoundHead(NamedTuple):
    """A row of the list of rounds."""

    code: str
    stream: int
    game: str
    currency: str
    engine: int
    state: str
    opened_at: int
    closed_at: int | None
    players: int
    staked: int
    paid: int


def find_round(connection: Connection, code: str) -> RoundHead | None:
    """A round by its code."""
    found = connection.execute(sqlalchemy.select(schema.rounds).where(schema.rounds.c.code == code)).first()
    return None if found is None else RoundHead(*found)


def open_rounds(connection: Connection, stream: int) -> list[str]:
    """The codes of the rounds of a stream that are not over."""
    rounds = schema.rounds.c
    query = sqlalchemy.select(rounds.code).where(rounds.stream == stream, rounds.state == "open")
    return list(connection.execute(query).scalars())


def open_rounds_at(connection: Connection, table: str) -> list[str]:
    """The codes of the rounds that are not over at a table, by its name."""
    stream = sqlalchemy.select(schema.streams.c.id).where(schema.streams.c.name == table)
    found = connection.execute(stream).scalar()
    return [] if found is None else open_rounds(connection, found)


def round_rows(connection: Connection, code: str, *where: ColumnElement[bool]) -> list[RoundRow]:
    """The rows of a round, in order, or those that meet some conditions."""
    log = schema.log.c
    columns = sqlalchemy.select(log.n, log.at, log.kind, log.body)
    query = columns.where(log.round == code, *where).order_by(log.n)
    return [RoundRow(n, at, kind, decode_body(body)) for n, at, kind, body in connection.execute(query)]


def stakes_of(connection: Connection, states: Mapping[str, str]) -> dict[str, dict[int, int]]:
    """What each player has staked, from the ledger, in rounds that are open or voided, whose states are given by code.

    Of a voided round it is what was staked before its last row gave everything back.
    """
    log, moved = schema.log.c, schema.transfers.c
    same = (moved.stream == log.stream) & (moved.n == log.n)
    query = (
        sqlalchemy.select(log.round, log.n, moved.key, moved.amount)
        .join_from(schema.log, schema.transfers, same, isouter=True)
        .where(log.round.in_(states))
    )
    rows = connection.execute(query).all() if states else []
    ends: dict[str, int] = {}
    for row in rows:
        if states[row.round] == "voided":
            ends[row.round] = max(row.n, ends.get(row.round, 0))
    found: dict[str, dict[int, int]] = {code: {} for code in states}
    for row in rows:
        match (row.key or "").split("/"):
            case [row.round, player, _, "stake" | "back" as what] if row.n != ends.get(row.round):
                staked = found[row.round]
                staked[int(player)] = staked.get(int(player), 0) + (
                    row.amount if what == "stake" else -row.amount
                )
    return {code: {player: amount for player, amount in found[code].items() if amount} for code in found}


def seen_rows(connection: Connection, player: int, *codes: str) -> dict[str, list[RoundRow]]:
    """The rows of rounds that concern everyone or the player, by code: not the bets and votes of a crowd."""
    log = schema.log.c
    own = log.player.is_(None) | (log.player == player)
    columns = sqlalchemy.select(log.round, log.n, log.at, log.kind, log.body)
    query = columns.where(log.round.in_(codes), log.kind.not_in(_OWN_KINDS) | own).order_by(log.n)
    found: dict[str, list[RoundRow]] = {code: [] for code in codes}
    for code, n, at, kind, body in connection.execute(query):
        found[code].append(RoundRow(n, at, kind, decode_body(body)))
    return {code: as_it_stands(rows) for code, rows in found.items()}


def public_rows(connection: Connection, code: str, player: int | None = None) -> list[RoundRow]:
    """The rows of a round without the bets and votes of a crowd, except the player's own."""
    log = schema.log.c
    own = sqlalchemy.false() if player is None else log.player == player
    return as_it_stands(round_rows(connection, code, log.kind.not_in(_CROWD_KINDS) | own))


def as_it_stands(rows: list[RoundRow]) -> list[RoundRow]:
    """The rows of a round with the events that hold: a card that was taken back or corrected is not told (STU-08).

    The row of a correction has the events from its card on.
    """
    if not any(row.kind in (TAKE_BACK, CORRECTION) for row in rows):
        return rows
    #: The rows of the cards in order, and every event with its row.
    cards: list[int] = []
    told: list[tuple[int, AnyEvent]] = []
    for row in rows:
        if row.kind == TAKE_BACK:
            cards.pop()
            del told[_place_of_card(told, len(cards)) :]
        elif row.kind == CORRECTION:
            changed = msgspec.json.decode(row.body.detail, type=Corrected)  # type: ignore[arg-type]
            del told[_place_of_card(told, cards.index(changed.row)) :]
        elif row.kind == CARD:
            cards.append(row.n)
        told += ((row.n, event) for event in row.decoded_events)
    events: dict[int, list[AnyEvent]] = {}
    for n, event in told:
        events.setdefault(n, []).append(event)
    return [_with_events(row, events.get(row.n, [])) for row in rows]


def _place_of_card(told: Sequence[tuple[int, AnyEvent]], number: int) -> int:
    """Where the events of a card begin, by its number in the round."""
    places = (place for place, (_, event) in enumerate(told) if isinstance(event, _CARD_EVENTS))
    return next(islice(places, number, None))


def _with_events(row: RoundRow, events: list[AnyEvent]) -> RoundRow:
    encoded = msgspec.Raw(msgspec.json.encode(events))
    return row._replace(body=msgspec.structs.replace(row.body, events=encoded))


def sessions_of(rows: Sequence[RoundRow], player: Player) -> set[int]:
    """The session accounts a player had in a round: from its opening, or by joining it."""
    opened = opening_of_rows(rows).accounts.sessions.get(player)
    joined = {
        row.joined.account
        for row in rows
        if row.kind == "join" and isinstance(row.command, Join) and row.command.player == player
    }
    return joined if opened is None else joined | {opened}


def opening_of_rows(rows: Sequence[RoundRow]) -> Opening:
    """How a round was opened."""
    detail = rows[0].body.detail
    if not isinstance(detail, msgspec.Raw):
        raise ValueError("the first row of the round does not say how it was opened")
    return _OPENING.decode(detail)


def sittings_of(connection: Connection, stream: int) -> Iterator[tuple[int, int, int, int, int]]:
    """The sittings at a table: id, player, account, balance, brought."""
    sittings, accounts = schema.sittings.c, schema.accounts.c
    query = (
        sqlalchemy.select(sittings.id, sittings.player, sittings.account, accounts.balance, sittings.brought)
        .join_from(schema.sittings, schema.accounts, sittings.account == accounts.id)
        .where(sittings.stream == stream, sittings.closed_at.is_(None))
        .order_by(sittings.id)
    )
    yield from connection.execute(query)


def seats_of(connection: Connection, stream: int) -> Iterator[tuple[int, int, int]]:
    """The seats of a table that are taken, in the order of their spots: id, spot, player (FRB-20)."""
    seats = schema.seats.c
    query = (
        sqlalchemy.select(seats.id, seats.spot, seats.player)
        .where(seats.stream == stream, seats.left_at.is_(None))
        .order_by(seats.spot)
    )
    yield from connection.execute(query)


class NoticeRow(NamedTuple):
    """A notice, or a mark that notices were seen, with its place in the table's log."""

    n: int
    i: int
    player: int
    at: int
    what: str
    round: str
    spot: int
    hand: int
    detail: str
    amount: int


def recent_notices(connection: Connection, stream: int) -> list[NoticeRow]:
    """The last notices of a table, oldest first (PLT-49)."""
    notices = schema.notices.c
    query = (
        sqlalchemy.select(*(notices[name] for name in NoticeRow._fields))
        .where(notices.stream == stream)
        .order_by(notices.n.desc(), notices.i.desc())
        .limit(_MOST_NOTICES)
    )
    return [NoticeRow(*row) for row in connection.execute(query)][::-1]


def golden_of(connection: Connection, accounts: Collection[int]) -> dict[int, dict[int, int]]:
    """The golden chips that accounts hold, by account and value; accounts without any are left out (MAJ-50)."""
    golden = schema.golden.c
    held = sqlalchemy.func.sum(golden.count)
    query = (
        sqlalchemy.select(golden.account, golden.value, held)
        .where(golden.account.in_(accounts))
        .group_by(golden.account, golden.value)
        .having(held > 0)
        .order_by(golden.account, golden.value)
    )
    found: dict[int, dict[int, int]] = {}
    for account, value, count in connection.execute(query):
        found.setdefault(account, {})[value] = int(count)
    return found


def shoe_by_id(connection: Connection, id: int) -> KeptShoe:
    """A stored shoe."""
    row = connection.execute(sqlalchemy.select(schema.shoes).where(schema.shoes.c.id == id)).first()
    if row is None:
        raise LookupError(f"there is no shoe {id}")
    return _kept(row)


def last_shoe(connection: Connection, stream: int) -> KeptShoe | None:
    """The newest shoe of a stream that is not revealed."""
    shoes = schema.shoes.c
    query = sqlalchemy.select(schema.shoes).where(shoes.stream == stream, shoes.seed.is_(None))
    found = {row.id: row for row in connection.execute(query)}
    if not found:
        return None
    # Processes take ids in blocks, so a higher one is not always newer: the log knows.
    row = next(iter(found.values())) if len(found) == 1 else found[_last_committed(connection, stream, found)]
    return _kept(row)


def _last_committed(connection: Connection, stream: int, among: Collection[int]) -> int:
    """Which of these shoes was committed to last."""
    log = schema.log.c
    query = sqlalchemy.select(log.body).where(log.stream == stream).order_by(log.n.desc())
    for body in connection.execute(query, execution_options={"yield_per": 100}).scalars():
        for fact in decode_body(body).facts:
            if isinstance(fact, ShoeCommittedFact) and fact.shoe in among:
                return fact.shoe
    raise LookupError(f"the log has none of the shoes {sorted(among)}")


def _kept(row: sqlalchemy.Row[Any]) -> KeptShoe:
    seeds = () if row.seeds is None else tuple(msgspec.json.decode(row.seeds, type=list[str]))
    return KeptShoe(row.id, row.commitment, row.sealed, row.client_seed or "", seeds, row.seed)


def cards_dealt(connection: Connection, stream: int) -> int:
    """The number of cards dealt from a live table's shoe after its last round; 0 for a shoe seeded since."""
    rounds, log = schema.rounds.c, schema.log.c
    rows = sqlalchemy.select(log.body).join_from(
        schema.log, schema.rounds, log.round == rounds.code, isouter=True
    )
    ended = sqlalchemy.or_(log.kind == "shoe-seeded", rounds.state != "open")
    facts = newest_body(connection, rows.where(log.stream == stream, ended)).facts
    return next((fact.dealt for fact in facts if isinstance(fact, RoundClosed)), 0)


def newest_body(connection: Connection, bodies: sqlalchemy.Select[Any]) -> Body:
    """The newest of some rows' bodies; an empty one if there is no such row."""
    body = connection.execute(bodies.order_by(schema.log.c.n.desc()).limit(1)).scalar()
    return Body() if body is None else decode_body(body)
