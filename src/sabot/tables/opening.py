"""Opening a table: its players, shoes and open round are read from its log."""

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from sabot.engine.inputs import is_known
from sabot.errors import Refusal
from sabot.fairness.vault import VaultError
from sabot.rounds import queries
from sabot.rounds.marks import why_paused
from sabot.rounds.queries import RoundRow
from sabot.rounds.recovery import ReplayError, rebuild, refund
from sabot.rounds.stored import OtherEngineError
from sabot.rounds.studio_queries import face_down
from sabot.store.entry import Body, Stream
from sabot.store.facts import AccountOpened
from sabot.store.nodes.node import releases
from sabot.store.store import Store
from sabot.tables.config import TableConfig, Tools
from sabot.tables.shoes import ShoeChange
from sabot.tables.sitting import Sitting
from sabot.tables.table import Seat, Table


def open_table(config: TableConfig, tools: Tools, at: int, stream: Stream | None = None) -> Table:
    """Take the table's stream and go on where it was left; an open round is rebuilt, or voided with refund.

    An owner whose last entry was refused hands in the stream as it was before, and goes on without a row.
    """
    store = tools.store
    if stream is None:
        _check_readable(config.name, store)
        stream = store.take(config.name, at)
    escrow = store.find_account(f"escrow/{stream.id}")
    if escrow is None:
        escrow = store.ids.take("account")
        fact = AccountOpened(escrow, f"escrow/{stream.id}", "escrow", config.currency)
        store.store(stream.entry(at, "table-opened", Body(facts=(fact,))))
    table = Table(config, tools, stream, escrow)
    with store.database.reading() as connection:
        for row in queries.sittings_of(connection, stream.id):
            table.sittings[str(row[1])] = Sitting(*row)
        chips = queries.golden_of(connection, [sitting.account for sitting in table.sittings.values()])
        for sitting in table.sittings.values():
            sitting.golden = chips.get(sitting.account, {})
        if table.by_hand is None:
            table.shoes.load(connection)
        else:
            table.by_hand.load(connection)
        table.past_notices = queries.recent_notices(connection, stream.id)
        if config.game.live:
            for id, spot, player in queries.seats_of(connection, stream.id):
                table.seats[spot] = Seat(id, str(player))
            table.paused = why_paused(connection, stream.id)
        rounds = [
            (code, queries.round_rows(connection, code))
            for code in queries.open_rounds(connection, stream.id)
        ]
    for code, rows in rounds:
        _reopen_round(table, code, rows, at)
    _make_ready(table, at)
    # Accounts that the table will need are looked up now, so that play never waits.
    store.find_account(f"house/{config.currency}")
    for sitting in table.sittings.values():
        table.own_account(sitting.player)
    return table


def _check_readable(name: str, store: Store) -> None:
    """Leave a table alone whose open round this release cannot play, while a node of another one lives (CLU-22)."""
    if store.node is None:
        return
    with store.database.reading() as connection:
        if releases(connection) <= {store.node.release}:
            return
        for code in queries.open_rounds_at(connection, name):
            try:
                engine = queries.opening_of_rows(queries.round_rows(connection, code)).engine
            except ValueError:  # rows of a form that this release does not know
                engine = None
            if engine is None or not is_known(engine):
                raise Refusal("table/unreachable", table=name)


def _reopen_round(table: Table, code: str, rows: list[RoundRow], at: int) -> None:
    """Replay an open round, or refund it."""
    try:
        opening = queries.opening_of_rows(rows)
        chance, down = table.chance(opening), None
        if table.by_hand is not None:
            with table.tools.store.database.reading() as connection:
                down = face_down(connection, code, rows, table.tools.seal)
        table.current = rebuild(code, rows, chance, table.tools.price, down)
    except (OtherEngineError, ReplayError, VaultError, LookupError, ValueError) as error:
        _refund(table, code, rows, str(error), at)


def _refund(table: Table, code: str, rows: list[RoundRow], reason: str, at: int) -> None:
    """Void a round that cannot be replayed (PLT-32)."""
    players = {sitting.account: sitting for sitting in table.sittings.values()}
    sessions = {account: sitting.player for account, sitting in players.items()}
    body = refund(code, rows, table.escrow, sessions)
    for movement in body.movements:
        if movement.credit in players:
            players[movement.credit].balance += movement.amount
        if movement.debit in players:
            players[movement.debit].balance -= movement.amount
    detail = Raw(msgspec.json.encode({"reason": reason}))
    # Nobody knows how far the old shoe was dealt.
    if table.by_hand is not None:
        table.by_hand.spoil()
        spoilt, secrets = ShoeChange((), {})
    else:
        spoilt, secrets = table.shoes.replace()
    body = replace(body, detail=detail, facts=(*body.facts, *spoilt))
    table.tools.store.store(table.stream.entry(at, "refund", body, round=code, secrets=secrets))


def _make_ready(table: Table, at: int) -> None:
    """Commit to a first shoe if needed; return solo stakes that were not dealt."""
    store, current = table.tools.store, table.current
    if table.shoes.is_missing():
        facts, secrets = table.shoes.replace()
        store.store(table.stream.entry(at, "shoe-committed", Body(facts=facts), secrets=secrets))
    elif not table.config.game.live and current is not None and current.round.phase == "betting":
        for entry in table.void("interrupted", at).entries:
            store.store(entry)
