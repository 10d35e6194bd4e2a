"""An edited, deleted or reordered row of any table is found by the audit, with its place (ASR-14)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import Connection, text

from sabot.rounds.audit import audit_house
from sabot.store import schema
from sabot.store.audit import Anchor, AuditReport
from sabot.store.database import Database
from tests.store.furnished import furnished
from tests.support.databases import KINDS, fresh_url
from tests.support.house import VAULT


@pytest.fixture(scope="module", params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("house")
    database = Database(fresh_url(request, folder))
    furnished(database)
    yield database
    database.close()


def audit_after(house: Database, *statements: str) -> AuditReport:
    """What an audit says after these statements, which are then taken back."""
    with house.writing() as connection:
        for statement in statements:
            _run(connection, statement)
        report = audit_house(connection, vault=VAULT)
        connection.rollback()
    return report


def _run(connection: Connection, statement: str) -> None:
    assert connection.execute(text(statement)).rowcount > 0, f"nothing to tamper with: {statement}"


def test_an_honest_house_has_no_findings(house: Database) -> None:
    report = audit_house(house, vault=VAULT)
    assert report.findings == []
    with house.reading() as connection:
        rows = connection.execute(text("SELECT count(*) FROM log")).scalar()
        rounds = connection.execute(text("SELECT count(*) FROM rounds")).scalar()
        transfers = connection.execute(text("SELECT count(*) FROM transfers")).scalar()
    assert (report.rows, report.rounds, report.transfers, report.sealed) == (rows, rounds, transfers, 0)


def test_without_the_vault_open_seeds_are_counted_not_opened(house: Database) -> None:
    report = audit_house(house)
    assert report.findings == []
    # The next shoe of four solo tables, one of them in an open round, and the live table's shoe.
    assert report.sealed == 5


FIRST_SOLO = "(SELECT id FROM streams WHERE name = 'solo/1/surrender/EUR')"
A_ROUND = "(SELECT min(code) FROM rounds WHERE state = 'settled')"


#: What is done to a row, and the table that the audit must name.
Change = tuple[str, list[str]]
CHANGES: list[Change] = [
    # The log: any column of any row
    ("log", [f"UPDATE log SET body = (SELECT body FROM log WHERE n = 3 AND stream = {FIRST_SOLO}) WHERE n = 2 AND stream = {FIRST_SOLO}"]),
    ("log", [f"UPDATE log SET at = at + 1 WHERE n = 4 AND stream = {FIRST_SOLO}"]),
    ("log", [f"UPDATE log SET kind = 'hit' WHERE n = 4 AND stream = {FIRST_SOLO}"]),
    ("log", [f"UPDATE log SET epoch = 7 WHERE n = 4 AND stream = {FIRST_SOLO}"]),
    ("log", [f"UPDATE log SET round = NULL WHERE n = 5 AND stream = {FIRST_SOLO}"]),
    ("log", ["UPDATE log SET player = 3 WHERE player = 2 AND request = 'first FUN'"]),
    ("log", ["UPDATE log SET request = 'x' WHERE player = 1 AND request = 'first EUR'"]),
    ("log", ["UPDATE log SET digest = hash WHERE player = 1 AND request = 'first EUR'"]),
    ("log", [f"UPDATE log SET hash = (SELECT hash FROM log WHERE n = 1 AND stream = {FIRST_SOLO}) WHERE n = 2 AND stream = {FIRST_SOLO}"]),
    ("log", [f"DELETE FROM log WHERE n = 3 AND stream = {FIRST_SOLO}"]),
    ("streams", [f"DELETE FROM log WHERE n = (SELECT max(n) FROM log WHERE stream = {FIRST_SOLO}) AND stream = {FIRST_SOLO}"]),
    ("log", [  # two rows change places
        f"UPDATE log SET n = -3 WHERE n = 3 AND stream = {FIRST_SOLO}",
        f"UPDATE log SET n = 3 WHERE n = 4 AND stream = {FIRST_SOLO}",
        f"UPDATE log SET n = 4 WHERE n = -3 AND stream = {FIRST_SOLO}",
    ]),
    ("log", [f"UPDATE log SET stream = 99 WHERE stream = {FIRST_SOLO} AND n > 3"]),
    # The ledger
    ("transfers", ["UPDATE transfers SET amount = amount + 1 WHERE key = 'sitting/1/0'"]),
    ("transfers", ["UPDATE transfers SET debit = 1 WHERE key = 'sitting/1/0'"]),
    ("transfers", ["UPDATE transfers SET credit = 1 WHERE key = 'sitting/1/0'"]),
    ("transfers", ["UPDATE transfers SET key = 'x' WHERE key = 'sitting/1/0'"]),
    ("transfers", ["UPDATE transfers SET n = 99 WHERE key = 'sitting/1/0'"]),
    ("transfers", ["DELETE FROM transfers WHERE key = 'sitting/1/0'"]),
    ("transfers", ["DELETE FROM transfers WHERE key LIKE '%/left'"]),
    ("transfers", [  # two transfers change places
        "UPDATE transfers SET key = 'x' WHERE key = 'sitting/1/0'",
        "UPDATE transfers SET key = 'sitting/1/0' WHERE key = 'sitting/2/0'",
        "UPDATE transfers SET key = 'sitting/2/0' WHERE key = 'x'",
    ]),
    ("transfers", ["INSERT INTO transfers VALUES (1, 1, 7, 'gift', 1, 2, 500)"]),
    ("transfers", ["INSERT INTO transfers VALUES (1, 999, 0, 'gift', 1, 2, 500)"]),
    # Balances and accounts
    ("accounts", ["UPDATE accounts SET balance = balance + 1 WHERE name = 'player/1/EUR'"]),
    ("accounts", ["UPDATE accounts SET currency = 'FUN' WHERE name = 'player/1/EUR'"]),
    ("accounts", ["UPDATE accounts SET player = 2 WHERE name = 'player/1/EUR'"]),
    ("accounts", ["UPDATE accounts SET kind = 'house' WHERE name = 'player/1/EUR'"]),
    ("accounts", ["UPDATE accounts SET name = 'x' WHERE name = 'player/1/EUR'"]),
    ("accounts", ["DELETE FROM accounts WHERE name = 'player/1/EUR'"]),
    ("accounts", ["INSERT INTO accounts VALUES (40, 'x', 'player', 1, 'FUN', 0)"]),
    ("accounts", [  # two accounts change balances
        "UPDATE accounts SET balance = 20000000 - balance WHERE name IN ('player/1/EUR', 'player/2/EUR')",
    ]),
    # Everything that follows from the log
    ("streams", [f"UPDATE streams SET n = n - 1 WHERE id = {FIRST_SOLO}"]),
    ("streams", [f"UPDATE streams SET epoch = epoch + 1 WHERE id = {FIRST_SOLO}"]),
    ("streams", ["UPDATE streams SET name = 'x' WHERE name = 'solo/1/surrender/EUR'"]),
    ("streams", ["UPDATE streams SET head = (SELECT hash FROM log WHERE n = 1 AND stream = 1) WHERE id = 2"]),
    ("log", ["DELETE FROM streams WHERE name = 'solo/1/surrender/EUR'"]),
    ("players", ["UPDATE players SET name = 'eve' WHERE name = 'ada'"]),
    ("players", ["UPDATE players SET registered_at = 7 WHERE name = 'ada'"]),
    ("players", ["UPDATE players SET salt = (SELECT hash FROM log WHERE n = 1 AND stream = 1) WHERE name = 'ada'"]),
    ("players", ["DELETE FROM players WHERE name = 'ada'"]),
    ("profiles", ["UPDATE profiles SET role = 'administrator' WHERE player = 1"]),
    ("profiles", ["UPDATE profiles SET role = 'player' WHERE role = 'supervisor'"]),
    ("profiles", ["UPDATE profiles SET vip = 9 WHERE player = 2"]),
    ("profiles", ["UPDATE profiles SET demo = NOT demo WHERE player = 1"]),
    ("profiles", ["UPDATE profiles SET bot = NOT bot WHERE player = 1"]),
    ("profiles", ["UPDATE profiles SET bot = false WHERE bot"]),
    ("profiles", ["DELETE FROM profiles WHERE player = 1"]),
    ("profiles", ["UPDATE profiles SET locked = true WHERE player = 1"]),
    ("profiles", ["INSERT INTO profiles VALUES (40, 'administrator', 0, false, false, false)"]),
    ("proposals", ["INSERT INTO proposals VALUES (40, 7, 1, 'switch', 'switch/all', 1, 'a', 'b', 'why', 'open', NULL, NULL, NULL)"]),
    ("changes", ["INSERT INTO changes VALUES ('switch/all', 1, 7, 'b', 40)"]),
    ("terms_accepted", ["UPDATE terms_accepted SET version = '9' WHERE version = '2'"]),
    ("terms_accepted", ["DELETE FROM terms_accepted"]),
    ("reality_checks", ["UPDATE reality_checks SET at = at + 1"]),
    ("reality_checks", ["DELETE FROM reality_checks"]),
    ("protections", ["UPDATE protections SET value = 99999 WHERE kind = 'loss-day'"]),
    ("protections", ["UPDATE protections SET value = NULL WHERE kind = 'loss-day'"]),
    ("protections", ["UPDATE protections SET in_force_from = in_force_from - 1 WHERE kind = 'deposit-day'"]),
    ("protections", ["UPDATE protections SET player = 1 WHERE kind = 'loss-day'"]),
    ("protections", ["DELETE FROM protections WHERE kind = 'loss-day'"]),
    ("protections", ["INSERT INTO protections VALUES (1, 'loss-day', 7, 100, 7)"]),
    ("sittings", ["UPDATE sittings SET brought = brought + 1 WHERE id = 1"]),
    ("sittings", ["UPDATE sittings SET taken = taken + 1 WHERE id = 1"]),
    ("sittings", ["UPDATE sittings SET closed_at = NULL WHERE id = 1"]),
    ("sittings", ["UPDATE sittings SET player = 2 WHERE id = 1"]),
    ("sittings", ["DELETE FROM sittings WHERE id = 1"]),
    ("sittings", ["INSERT INTO sittings VALUES (40, 2, 1, 1, 0, NULL, 0, NULL)"]),
    ("seats", ["UPDATE seats SET player = 2 WHERE id = 1"]),
    ("seats", ["UPDATE seats SET spot = 5 WHERE id = 2"]),
    ("seats", ["UPDATE seats SET taken_at = 7 WHERE id = 1"]),
    ("seats", ["UPDATE seats SET left_at = NULL WHERE id = 1"]),
    ("seats", ["UPDATE seats SET left_at = 7 WHERE id = 2"]),
    ("seats", [f"UPDATE seats SET stream = {FIRST_SOLO} WHERE id = 1"]),
    ("seats", ["UPDATE seats SET stream = 99 WHERE id = 1"]),
    ("seats", ["DELETE FROM seats WHERE id = 1"]),
    ("seats", [f"INSERT INTO seats VALUES (40, {FIRST_SOLO}, 0, 1, 0, NULL)"]),
    ("notices", ["UPDATE notices SET player = 2"]),
    ("notices", ["UPDATE notices SET spot = 5"]),
    ("notices", ["UPDATE notices SET at = at + 1"]),
    ("notices", ["DELETE FROM notices"]),
    ("golden", ["UPDATE golden SET count = 4 WHERE count = 3"]),
    ("golden", ["UPDATE golden SET value = 50000 WHERE count = 3"]),
    ("golden", ["UPDATE golden SET account = (SELECT id FROM accounts WHERE name = 'player/1/EUR') WHERE count = 3"]),
    ("golden", ["UPDATE golden SET n = 99 WHERE count = 3"]),
    ("golden", ["UPDATE golden SET stream = 99 WHERE count = 3"]),
    ("golden", ["DELETE FROM golden WHERE count = 3"]),
    ("golden", ["DELETE FROM golden WHERE count = -2"]),
    ("golden", [f"INSERT INTO golden VALUES ({FIRST_SOLO}, 1, 0, 1, 500, 1)"]),
    ("shoes", ["UPDATE shoes SET client_seed = 'x' WHERE id = 1"]),
    ("shoes", ["UPDATE shoes SET seed = NULL WHERE id = 1"]),
    ("shoes", ["UPDATE shoes SET seed = (SELECT seed FROM shoes WHERE id = 2) WHERE id = 1"]),
    ("shoes", ["UPDATE shoes SET commitment = 'x' WHERE id = 1"]),
    ("shoes", ["UPDATE shoes SET sealed = (SELECT sealed FROM shoes WHERE id = 2) WHERE id = 1"]),
    ("shoes", ["UPDATE shoes SET seeds = NULL WHERE seeds IS NOT NULL"]),
    ("shoes", ["DELETE FROM shoes WHERE id = 1"]),
    ("rounds", [f"UPDATE rounds SET state = 'voided' WHERE code = {A_ROUND}"]),
    ("rounds", [f"UPDATE rounds SET game = 'link' WHERE code = {A_ROUND}"]),
    ("rounds", [f"UPDATE rounds SET currency = 'FUN' WHERE code = {A_ROUND}"]),
    ("rounds", [f"UPDATE rounds SET closed_at = closed_at + 1 WHERE code = {A_ROUND}"]),
    ("rounds", [f"UPDATE rounds SET engine = 0 WHERE code = {A_ROUND}"]),
    ("rounds", [f"DELETE FROM rounds WHERE code = {A_ROUND}"]),
    ("played", [f"UPDATE played SET paid = paid + 1 WHERE code = {A_ROUND}"]),
    ("played", [f"UPDATE played SET staked = staked - 1 WHERE code = {A_ROUND}"]),
    ("played", [f"UPDATE played SET golden = NOT golden WHERE code = {A_ROUND}"]),
    ("played", [f"UPDATE played SET player = 2 WHERE code = {A_ROUND}"]),
    ("played", [f"DELETE FROM played WHERE code = {A_ROUND}"]),
    ("played", ["INSERT INTO played VALUES (1, 0, 'x', 1, 1, false)"]),
    ("rounds", [f"UPDATE rounds SET paid = paid + 1 WHERE code = {A_ROUND}"]),
    # Sums of the back office
    ("tallies", ["UPDATE tallies SET paid = paid + 1 WHERE bet = 'main'"]),
    ("tallies", ["UPDATE tallies SET rounds = rounds - 1 WHERE bet = 'voided'"]),
    ("tallies", ["DELETE FROM tallies WHERE bet = 'round'"]),
    ("player_days", ["UPDATE player_days SET deposited = deposited + 1 WHERE player = 1"]),
    ("player_days", ["DELETE FROM player_days WHERE player = 1"]),
    ("flows", ["UPDATE flows SET amount = amount + 1 WHERE kind = 'player'"]),
    ("flows", ["INSERT INTO flows VALUES (7, 'EUR', 'player', '', 5)"]),
    ("tallies", [f"UPDATE folded SET n = n - 1 WHERE stream = {FIRST_SOLO}", "UPDATE tallies SET bets = 99 WHERE bet = 'main'"]),
    ("folded", ["UPDATE folded SET n = n + 1 WHERE stream = 1"]),
    ("folded", ["INSERT INTO folded VALUES (99, 1)"]),
    ("counters", ["UPDATE counters SET next = 1 WHERE name = 'account'"]),
    ("counters", ["UPDATE counters SET next = next + 7 WHERE name = 'account'"]),
    ("counters", ["UPDATE counters SET next = 1 WHERE name = 'seat'"]),
    ("counters", ["DELETE FROM counters WHERE name = 'account'"]),
    ("counters", ["INSERT INTO counters VALUES ('x', 51)"]),
    ("alembic_version", ["UPDATE alembic_version SET version_num = '0000'"]),
]  # fmt: skip


def one_of_each_kind() -> list[Change]:
    """Of the changes the first UPDATE, DELETE and INSERT of each table."""
    kinds: dict[tuple[str, str], Change] = {}
    for tables, statements in CHANGES:
        kinds.setdefault((tables, statements[0].split()[0]), (tables, statements))
    return list(kinds.values())


def is_found(house: Database, tables: str, statements: list[str]) -> None:
    places = [finding.place for finding in audit_after(house, *statements).findings]
    assert any(place.startswith(tables) for place in places), places


def name_of(value: object) -> str:
    return value[0][:60] if isinstance(value, list) else str(value)


@pytest.mark.slow  # an audit for every column
@pytest.mark.rule("ASR-14")
@pytest.mark.parametrize("house", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("tables", "statements"), CHANGES, ids=name_of)
def test_a_changed_row_is_found(house: Database, tables: str, statements: list[str]) -> None:
    is_found(house, tables, statements)


@pytest.mark.rule("ASR-14")
@pytest.mark.parametrize("house", KINDS[1:], indirect=True)
@pytest.mark.parametrize(("tables", "statements"), one_of_each_kind(), ids=name_of)
def test_a_changed_row_is_found_there_too(house: Database, tables: str, statements: list[str]) -> None:
    """The audit reads both kinds of database in the same way: one change of each kind to each table will do."""
    is_found(house, tables, statements)


@pytest.mark.rule("ASR-14", "MAJ-50")
@pytest.mark.parametrize(
    ("part", "forged", "place", "message"),
    [
        (b'"value":500,"count":3', b'"value":500,"count":0', "golden, player/2/EUR", "the log leaves -1 chips of 500 in it"),
        (b'"account":%d', b'"account":1', "golden", "account 1 cannot hold golden chips, but some came to it"),
    ],
    ids=["more given than held", "held by the house"],
)  # fmt: skip
def test_golden_chips_that_nobody_had_are_found(
    house: Database, part: bytes, forged: bytes, place: str, message: str
) -> None:
    """Who rewrites the log with its tables cannot grant less than was spent."""
    log = schema.log.c
    with house.writing() as connection:
        own = connection.execute(text("SELECT id FROM accounts WHERE name = 'player/2/EUR'")).scalar_one()
        row = connection.execute(sqlalchemy.select(schema.log).where(log.kind == "grant-golden")).one()
        body = row.body.replace(part % own if b"%d" in part else part, forged)
        assert body != row.body
        here = (log.stream == row.stream, log.n == row.n)
        connection.execute(sqlalchemy.update(schema.log).where(*here).values(body=body))
        report = audit_house(connection, vault=VAULT)
        connection.rollback()
    assert (place, message) in [(finding.place, finding.message) for finding in report.findings]


#: Outside the log by nature: a player changes a password or a setting, and ends a login, without leaving a trace; nodes
#: come and go; what is under way, set aside or counted for a while is forgotten afterwards. Of the back office: keys and
#: locks of operators, what may have to be erased (addresses, chat, notes), and what is worked out again from the sums.
OUTSIDE_THE_LOG = {
    *("credentials", "logins", "settings", "nodes", "house"),
    *("pending_deposits", "set_aside", "rates"),
    *("second_factors", "recovery_codes", "lock_outs", "known_devices"),
    *("events", "said", "player_notes"),
    *("return_days", "return_alarms", "releases", "self_checks"),
}


def test_every_table_is_tampered_with_above() -> None:
    """A table added later must be added to the test above."""
    tables = {table.name for table in schema.metadata.tables.values()} - OUTSIDE_THE_LOG
    touched = {word for _, statements in CHANGES for word in statements[0].split() if word in tables}
    assert tables <= touched


def test_a_whole_new_chain_is_found_by_an_anchor(house: Database) -> None:
    """Who rewrites the log to its end makes it fit again; a hash kept elsewhere does not."""
    report = audit_house(house, vault=VAULT)
    name, anchor = next(
        (name, anchor) for name, anchor in report.anchors.items() if name == "live/majority-eu"
    )
    assert audit_house(house, anchors={name: anchor}).findings == []
    forged = Anchor(anchor.n, "00" * 32)
    (finding,) = audit_house(house, anchors={name: forged}).findings
    assert (finding.place, finding.message) == (
        "anchor live/majority-eu",
        f"row {anchor.n} of this stream is another than it was",
    )
    later = Anchor(anchor.n + 1, anchor.hash)
    (finding,) = audit_house(house, anchors={name: later}).findings
    assert finding.message == f"row {anchor.n + 1} of this stream is gone"


@pytest.mark.parametrize(
    ("part", "forged"),
    [(b'"total":', b'"total":1'), (b'"movements":[[', b'"movements":[["x",1,2,5],[')],
    ids=["events", "movements"],
)
def test_a_row_that_was_forged_with_its_chain_does_not_replay(
    house: Database, part: bytes, forged: bytes
) -> None:
    """Hashes can be made to fit; cards and payments cannot, since the seed was committed to."""
    log = schema.log.c
    with house.writing() as connection:
        played = connection.execute(sqlalchemy.select(schema.log).where(log.kind == "stand")).all()
        row = next(row for row in played if part in row.body)
        connection.execute(
            sqlalchemy.update(schema.log)
            .where(log.stream == row.stream, log.n == row.n)
            .values(body=row.body.replace(part, forged, 1))
        )
        report = audit_house(connection, vault=VAULT)
        connection.rollback()
    messages = [finding.message for finding in report.findings if finding.place == f"round {row.round}"]
    assert len(messages) == 1
