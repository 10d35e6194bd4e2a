"""Finished rounds: a player's history, one round as the player saw it, and records (PLT-21, PLT-22)."""

import base64
import binascii
from collections.abc import Callable
from operator import eq, ge, lt
from typing import Any, NamedTuple, get_args

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select

from sabot.engine import AnyEvent
from sabot.engine.events import Private, RoundVoided
from sabot.errors import Refusal
from sabot.fairness import SEED_BYTES, commitment
from sabot.fairness.vault import Vault, VaultError
from sabot.games import find
from sabot.record import OwnRecord, Record, Seeds, write
from sabot.record.own import OwnShoePart, OwnStudioPart, write_own
from sabot.record.own_check import sealed_own
from sabot.record.record import End, RoundPart
from sabot.rounds import queries, studio_queries
from sabot.rounds.by_hand import hand_chance
from sabot.rounds.face_down import CardSeal
from sabot.rounds.marks import seeded_before
from sabot.rounds.queries import RoundRow
from sabot.rounds.recovery import ReplayError, escrow_net, rebuild
from sabot.rounds.shoes import seeded_chance
from sabot.rounds.stored import Opening, OtherEngineError
from sabot.rounds.studio_records import card_changes, own_studio_part
from sabot.store import schema
from sabot.store.facts import SEEN
from sabot.store.kinds import AccountChange, Currency, NoticeKind

#: Lines of a page by default, and the most notices beside them.
PAGE = 20
_MOST_NOTICES = 200


class Line(Struct, frozen=True):
    """A round in a player's history with the player's stake and payment; `golden` if golden chips were in it."""

    code: str
    at: int
    game: str
    currency: str
    staked: int
    paid: int
    golden: bool
    state: str


class Filter(NamedTuple):
    """Which rounds of a history: of a game, in a currency, from a time until before another; None takes all."""

    game: str | None = None
    currency: Currency | None = None
    since: int | None = None
    until: int | None = None

    def matches(
        self,
        currency: ColumnElement[str],
        at: ColumnElement[int],
        game: ColumnElement[str] | None = None,
    ) -> list[ColumnElement[bool]]:
        """The conditions on these columns."""
        conditions: tuple[tuple[Callable[[Any, Any], Any], ColumnElement[Any] | None, object], ...] = (
            (eq, currency, self.currency),
            (ge, at, self.since),
            (lt, at, self.until),
            (eq, game, self.game),
        )
        return [compare(column, value) for compare, column, value in conditions if value is not None]


EVERYTHING = Filter()


class Net(Struct, frozen=True):
    """Stakes and payments of rounds in a currency, in cents."""

    currency: Currency
    rounds: int
    staked: int
    paid: int


class Page(NamedTuple):
    """Lines of a history, newest first, and where the next page begins; None on the last page."""

    lines: tuple[Line, ...]
    next: str | None


class Moment(Struct, frozen=True):
    """A step of a round as the player saw it, and how the player's money at the table changed."""

    at: int
    events: tuple[AnyEvent, ...]
    moved: int


class NoticeLine(Struct, frozen=True):
    """A notice: what a table did to the player unasked (PLT-49)."""

    at: int
    what: NoticeKind
    game: str
    currency: str
    round: str
    spot: int
    hand: int
    detail: str
    amount: int


class RoundView(Struct, frozen=True):
    """A round as one of its players saw it, with its notices."""

    line: Line
    moments: tuple[Moment, ...]
    notices: tuple[NoticeLine, ...] = ()


# A player's own


def history(
    connection: Connection,
    player: int,
    filter: Filter = EVERYTHING,
    *,
    before: str | None = None,
    limit: int = PAGE,
) -> Page:
    """The player's finished rounds, newest first; `before` is the `next` of the page before."""
    if limit < 1:
        raise ValueError(f"a page has one line or more, not {limit}")
    played = schema.played.c
    query = _lines(player, filter).order_by(played.at.desc(), played.code.desc()).limit(limit + 1)
    if before is not None:
        query = query.where(sqlalchemy.tuple_(played.at, played.code) < sqlalchemy.tuple_(*_place(before)))
    lines = [Line(*row) for row in connection.execute(query)]
    more = len(lines) > limit
    return Page(tuple(lines[:limit]), _cursor(lines[limit - 1]) if more else None)


def totals(connection: Connection, player: int, filter: Filter = EVERYTHING) -> tuple[Net, ...]:
    """Sums of the player's finished rounds, by currency (PLT-21, PLT-51)."""
    lines, total = _lines(player, filter).subquery().c, sqlalchemy.func.sum
    query = (
        sqlalchemy.select(lines.currency, sqlalchemy.func.count(), total(lines.staked), total(lines.paid))
        .group_by(lines.currency)
        .order_by(lines.currency)
    )
    return tuple(Net(row[0], int(row[1]), int(row[2]), int(row[3])) for row in connection.execute(query))


def round_view(connection: Connection, code: str, player: int) -> RoundView:
    """A finished round as the player saw it: the public events and the player's own."""
    line = round_line(connection, code, player)
    rows = queries.seen_rows(connection, player, code)[code]
    sessions = queries.sessions_of(rows, str(player))
    moments = (Moment(row.at, seen_events(row, str(player)), _moved(row, sessions)) for row in rows)
    noticed = schema.notices.c
    query = _notices(player).where(noticed.round == code).order_by(noticed.stream, noticed.n, noticed.i)
    found = tuple(NoticeLine(*row) for row in connection.execute(query))
    return RoundView(line, tuple(moment for moment in moments if moment.events or moment.moved), found)


def notices(
    connection: Connection, player: int, page: Page, before: str | None, filter: Filter = EVERYTHING
) -> tuple[NoticeLine, ...]:
    """The notices from the time of a page of the history, newest first."""
    noticed = schema.notices.c
    wanted = filter.matches(noticed.currency, noticed.at, noticed.game)
    query = _notices(player).where(*wanted)
    query = query.order_by(noticed.at.desc(), noticed.stream, noticed.n.desc(), noticed.i.desc())
    if before is not None:
        query = query.where(noticed.at <= _place(before)[0])
    if page.next is not None:
        query = query.where(noticed.at > page.lines[-1].at)
    return tuple(NoticeLine(*row) for row in connection.execute(query.limit(_MOST_NOTICES)))


def _notices(player: int) -> Select[Any]:
    columns = [schema.notices.c[name] for name in NoticeLine.__struct_fields__]
    what = schema.notices.c.what.not_in((SEEN, *get_args(AccountChange)))  # those are in the movements
    return sqlalchemy.select(*columns).where(schema.notices.c.player == player, what)


def round_line(connection: Connection, code: str, player: int) -> Line:
    """A finished round in the player's history; `round/unknown` if the player had no bet in it."""
    found = connection.execute(_lines(player).where(schema.played.c.code == code)).first()
    if found is None:
        raise Refusal("round/unknown", code=code)
    return Line(*found)


def _lines(player: int, filter: Filter = EVERYTHING) -> Select[Any]:
    played, rounds = schema.played.c, schema.rounds.c
    money = (played.staked, played.paid, played.golden)
    return (
        sqlalchemy.select(played.code, played.at, rounds.game, rounds.currency, *money, rounds.state)
        .join_from(schema.played, schema.rounds, played.code == rounds.code)
        .where(played.player == player, *filter.matches(rounds.currency, played.at, rounds.game))
    )


def seen_events(row: RoundRow, player: str) -> tuple[AnyEvent, ...]:
    """The events of a row that the player may see."""
    return tuple(
        event for event in row.decoded_events if not isinstance(event, Private) or event.player == player
    )


def _moved(row: RoundRow, sessions: set[int]) -> int:
    """What a row moved into the sessions, less what it moved out."""
    return sum(m.amount * ((m.credit in sessions) - (m.debit in sessions)) for m in row.body.movements)


def _cursor(line: Line) -> str:
    """The place of a line, as opaque text."""
    return base64.urlsafe_b64encode(f"{line.at}/{line.code}".encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[int, str]:
    """The moment and the code of a place in a history."""
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True).decode()
        at, slash, code = text.partition("/")
        place = int(at), code
    except (binascii.Error, ValueError):
        raise Refusal("history/no-place", cursor=cursor) from None
    if not slash or not -(2**63) <= place[0] < 2**63 or "\0" in code:
        raise Refusal("history/no-place", cursor=cursor)
    return place


def own_record(connection: Connection, code: str, player: int) -> OwnRecord:
    """The player's own record of a finished live round; of others it has only tallies (contract, Record).

    It is available as soon as the round is over, and has the seed once that is revealed.
    """
    state = round_line(connection, code, player).state
    rows = queries.seen_rows(connection, player, code)[code]
    opening = queries.opening_of_rows(rows)
    events = [event for row in rows for event in seen_events(row, str(player))]
    part = RoundPart(code, opening.game, opening.rules_sha256, opening.engine, _end(state, events))
    shoe: OwnShoePart | OwnStudioPart
    if opening.studio is not None:
        shoe = own_studio_part(rows, opening.start)
    else:
        shoe = _own_shoe(connection, rows[0].n, opening)
    return sealed_own(write_own(part, shoe, opening.options, str(player), events))


def _own_shoe(connection: Connection, n: int, opening: Opening) -> OwnShoePart:
    """The published part of the shoe of a round whose first row is `n`."""
    kept, shoes = queries.shoe_by_id(connection, opening.shoe), schema.shoes.c
    stream = connection.execute(sqlalchemy.select(shoes.stream).where(shoes.id == opening.shoe)).scalar_one()
    seeded = seeded_before(connection, stream, n)
    return OwnShoePart(
        commitment=kept.commitment,
        client_seed=kept.client_seed,
        seeds=kept.seeds,
        root="" if seeded is None else seeded.root,
        start=opening.start,
        seed="" if kept.seed is None else kept.seed.hex(),
    )


def _end(state: str, events: list[AnyEvent]) -> End:
    if state == "settled":
        return "settled"
    empty = any(isinstance(event, RoundVoided) and event.reason == "shoe-empty" for event in events)
    return "shoe-empty" if empty else "voided"


# The house's


def round_record(
    connection: Connection, code: str, *, vault: Vault | None = None, afterwards: Vault | None = None
) -> Record:
    """The record of a finished round, made by replaying it from the log.

    A record has cards that were never shown, so its shoe must be revealed; with the vault it need not be, and the record
    is for the house alone (MAJ-07). A shoe that a person dealt from is never revealed: `afterwards` is the vault that opens its
    burnt cards when it is no longer in use. `ReplayError` if the replay differs from the log; `Refusal` if there is no such
    round, it is not over, or it was voided from the ledger alone and cannot be replayed.
    """
    head = queries.find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    if head.state == "open":
        raise Refusal("round/not-over", code=code)
    try:
        return _replayed(connection, head, vault, afterwards)
    except msgspec.MsgspecError as error:
        raise ReplayError(f"what is stored of it cannot be read: {error}") from None
    except (OtherEngineError, VaultError, LookupError, ValueError) as error:
        raise ReplayError(str(error)) from None


def _replayed(
    connection: Connection, head: queries.RoundHead, vault: Vault | None, afterwards: Vault | None
) -> Record:
    code = head.code
    rows = queries.round_rows(connection, code)
    if not rows:
        raise ReplayError("the log has no row of it")
    opening = queries.opening_of_rows(rows)
    if rows[-1].kind == "refund":
        if wrong := {id: sum for id, sum in escrow_net(rows, opening.accounts.escrow).items() if sum}:
            raise ReplayError(f"the refund does not balance the round: {wrong}")
        raise Refusal("round/refunded", code=code)
    if opening.studio is not None:
        dealt_from, in_use = opening.studio.shoe, studio_queries.studio_now(connection, head.stream)[0].shoe
        if vault is None and (in_use is None or dealt_from is None or in_use.id != dealt_from.id):
            vault = afterwards
        return _replayed_by_hand(connection, code, rows, None if vault is None else CardSeal(vault))
    kept = queries.shoe_by_id(connection, opening.shoe)
    seed = kept.seed
    if seed is None:
        if vault is None:
            raise Refusal("round/not-revealed", code=code)
        seed = vault.open(kept.sealed, kept.commitment)
    if len(seed) != SEED_BYTES or commitment(seed) != kept.commitment:
        raise ReplayError("the seed of its shoe is not the one committed to")
    stored = rebuild(code, rows, seeded_chance(find(opening.game).rules, seed, kept, opening.start), None)
    if not stored.round.over:
        raise ReplayError("the round is not over after the last row")
    return write(stored.round, code, Seeds(seed, kept.client_seed))


def _replayed_by_hand(
    connection: Connection, code: str, rows: list[RoundRow], seal: CardSeal | None
) -> Record:
    """The record of a round that a person dealt; one with a burnt card needs the key while its shoe is in use (MAJ-07)."""
    try:
        down = studio_queries.face_down(connection, code, rows, seal)
    except VaultError:
        if seal is None:
            raise Refusal("round/not-revealed", code=code) from None
        raise
    opening = queries.opening_of_rows(rows)
    stored = rebuild(code, rows, hand_chance(opening), None, down)
    if not stored.round.over:
        raise ReplayError("the round is not over after the last row")
    changes = card_changes(rows, opening.start)
    told = tuple(f"{change.place} {change.text}, by {change.by}: {change.why}" for change in changes)
    return write(stored.round, code, corrections=told)
