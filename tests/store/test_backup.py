"""A house in one file: made at one moment while it plays, refused unless whole, and the same after every move."""

from __future__ import annotations

import gzip
import hashlib
import json
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import Connection, Table

from sabot.errors import Refusal
from sabot.rounds.audit import audit_house
from sabot.store import backup as module
from sabot.store import schema
from sabot.store.backup import TABLES, BackupError, check_backup, make_backup, restore_backup
from sabot.store.database import Database, migrate
from sabot.store.facts import Row
from sabot.store.nodes.joining import check_vault, house_id
from sabot.store.nodes.node import NodeError
from sabot.store.store import Store
from tests.store.furnished import furnished
from tests.support.clock import PATIENCE
from tests.support.cluster.stores import store_of
from tests.support.databases import KINDS, fresh_url
from tests.support.house import VAULT, House
from tests.support.refused import refused

CREATED = 1_788_000_000_000


@pytest.fixture(params=KINDS)
def second(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Another database, of each kind, with no row in it."""
    folder = tmp_path / "second"
    folder.mkdir()
    opened = Database(fresh_url(request, folder))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup with something of everything in it."""
    folder = tmp_path_factory.mktemp("made")
    database = Database(f"sqlite:///{folder / 'sabot.db'}")
    furnished(database)
    make_backup(database, folder / "house.gz", CREATED)
    database.close()
    return folder / "house.gz"


@pytest.fixture
def empty(tmp_path: Path) -> Database:
    """A database whose file is not there yet."""
    return Database(f"sqlite:///{tmp_path / 'new.db'}")


def rows_in(database: Database) -> int:
    migrate(database)
    with database.reading() as connection:
        return sum(module._count(connection, table) for table in TABLES)


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def put(path: Path, lines: list[bytes], *, seal: bool = False) -> Path:
    """Write lines as a backup, perhaps with the SHA-256 that fits them."""
    if seal:
        end = json.loads(lines[-1])
        end["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
        lines = [*lines[:-1], json.dumps(end, separators=(",", ":")).encode() + b"\n"]
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


# There and back


def test_nobody_serves_a_house_that_is_restored(database: Database, second: Database, tmp_path: Path) -> None:
    """What a node owned when the backup was made can be taken, also where no node would find that one dead."""
    store = store_of(database, 0)
    store.take("table", at=1)
    make_backup(database, tmp_path / "first", CREATED)
    restore_backup(second, tmp_path / "first")
    assert Store(second).take("table", at=2).epoch == 2
    with pytest.raises(Refusal, match="Another server"):
        Store(database).take("table", at=2)


@pytest.mark.rule("CLU-25")
def test_a_copy_of_a_house_is_another_house_with_the_same_key(
    database: Database, second: Database, tmp_path: Path
) -> None:
    """Both may use one bus: neither hears what the other says."""
    check_vault(database, ["key"])
    first = house_id(database)
    make_backup(database, tmp_path / "first", CREATED)
    restore_backup(second, tmp_path / "first")
    assert house_id(second) != first
    check_vault(second, ["key"])
    with pytest.raises(NodeError, match="of the house is key"):
        check_vault(second, ["another"])


def test_a_house_moves_to_any_database_and_back(database: Database, second: Database, tmp_path: Path) -> None:
    furnished(database)
    first = make_backup(database, tmp_path / "first", CREATED)
    assert restore_backup(second, tmp_path / "first") == first
    make_backup(second, tmp_path / "second.gz", CREATED)
    assert (tmp_path / "second.gz").read_bytes() == (tmp_path / "first").read_bytes()
    report = audit_house(second, vault=VAULT)
    assert report.findings == []
    assert report.rows == first.header.tables["log"] > 50
    counts = [first.header.tables[name] for name in ("seats", "golden", "nodes", "house")]
    assert counts == [2, 5, 1, 1]
    # The house goes on in its new place.
    house = House(second, counted=1_000)
    cy = house.player("cy")
    house.play_solo(house.solo("link", cy), cy, at=9_000)
    assert audit_house(second, vault=VAULT).findings == []


def test_rows_are_handled_some_at_a_time(
    made: Path, empty: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot.store.backup.BATCH", 7)
    monkeypatch.setattr("sabot.store.backup.BATCH", 7)
    restore_backup(empty, made)
    make_backup(empty, tmp_path / "again", CREATED)
    assert (tmp_path / "again").read_bytes() == made.read_bytes()


def test_an_empty_house_is_a_house_too(database: Database, empty: Database, tmp_path: Path) -> None:
    make_backup(database, tmp_path / "file", CREATED)
    restore_backup(empty, tmp_path / "file")
    assert rows_in(empty) == 0


def test_names_in_every_writing_come_back(database: Database, second: Database, tmp_path: Path) -> None:
    house = House(database)
    names = ["Zoë", "zoe", "Ábel", "-a", "日本", "\U0001f0a1", 'quote"\\', "tab\tline\n", "NULL", "\\N", ""]
    for name in names:
        house.player(name)
    make_backup(database, tmp_path / "file", CREATED)
    restore_backup(second, tmp_path / "file")
    with second.reading() as connection:
        found = connection.execute(sqlalchemy.select(schema.players.c.name).order_by("id")).scalars().all()
    assert list(found) == names


# While the house plays


def test_a_backup_is_of_one_moment(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    """A player goes on in another thread: a round is stored before each table is read."""
    house = House(database)
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    turn, done, stop = threading.Semaphore(0), threading.Semaphore(0), threading.Event()
    played: list[str] = []

    def play() -> None:
        while turn.acquire() and not stop.is_set():
            played.append(house.play_solo(table, ada, at=1_000 + len(played)))
            done.release()

    rows = module._rows

    def slowly(connection: Connection, of: Table) -> Iterator[Row]:
        turn.release()
        assert done.acquire(timeout=PATIENCE)
        yield from rows(connection, of)

    for _ in range(3):
        played.append(house.play_solo(table, ada, at=1_000 + len(played)))
    monkeypatch.setattr(module, "_rows", slowly)
    player = threading.Thread(target=play)
    player.start()
    try:
        backup = make_backup(database, tmp_path / "file", CREATED)
    finally:
        stop.set()
        turn.release()
        player.join()
    assert len(played) == 3 + len(TABLES)
    assert backup.header.tables["rounds"] == 3
    copy = Database("sqlite://")
    restore_backup(copy, tmp_path / "file")
    report = audit_house(copy, vault=VAULT)
    assert (report.findings, report.rounds) == ([], 3)
    assert audit_house(database, vault=VAULT).findings == []


# The file


def test_a_file_is_not_replaced_unasked(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    refused("exists", lambda: make_backup(database, path, CREATED))
    assert path.read_text() == "mine"
    made = make_backup(database, path, CREATED, overwrite=True)
    assert check_backup(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir() if "file" in file.name] == ["file"]


def test_a_file_that_comes_in_the_meantime_is_not_replaced(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / "file", module._write

    def slowly(*args: object) -> object:
        path.write_text("another's")
        return write(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_write", slowly)
    refused("exists", lambda: make_backup(database, path, CREATED))
    assert path.read_text() == "another's"
    assert not list(tmp_path.glob(".file*"))


def test_a_backup_that_fails_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(connection: Connection, of: Table) -> Iterator[Row]:
        yield (1,)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_rows", full)
    (tmp_path / "old").write_text("old")
    with pytest.raises(OSError, match="No space left"):
        make_backup(database, tmp_path / "old", CREATED, overwrite=True)
    assert (tmp_path / "old").read_text() == "old"
    assert not list(tmp_path.glob(".old*"))


# What is refused


def test_a_truncated_file(made: Path, empty: Database, tmp_path: Path) -> None:
    whole, path = made.read_bytes(), tmp_path / "cut"
    for length in [*range(0, len(whole), len(whole) // 25), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(BackupError):
            restore_backup(empty, path)
    lines = lines_of(made)
    for count in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        refused("truncated", lambda n=count: restore_backup(empty, put(path, lines[:n])))  # type: ignore[misc]
    assert not (tmp_path / "new.db").exists()


def test_a_changed_file(made: Path, empty: Database, tmp_path: Path) -> None:
    whole, path = bytearray(made.read_bytes()), tmp_path / "changed"
    for at in range(10, len(whole), len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(BackupError):
            restore_backup(empty, path)
    lines = lines_of(made)
    balance = next(at for at, line in enumerate(lines) if b'"player/1/EUR"' in line)
    richer = lines[balance].replace(b"]", b"0]")
    told = refused(
        "sha256", lambda: restore_backup(empty, put(path, [*lines[:balance], richer, *lines[balance + 1 :]]))
    )
    assert told.params["found"] != told.params["told"]
    assert not (tmp_path / "new.db").exists()


def test_lines_that_do_not_belong(made: Path, empty: Database, tmp_path: Path) -> None:
    lines, path = lines_of(made), tmp_path / "strange"
    header, section, first = lines[0], lines[1], lines[2]
    for strange in (
        [b"hello\n", *lines],
        [*lines, first],
        [header, first, section, *lines[3:]],
        [header, section, first, *lines[2:]],
        [header, section, *lines[3:]],
        [header, section, b'[1,"house/EUR"]\n', *lines[3:]],
        [header, section, first.replace(b"[1,", b"[9223372036854775808,"), *lines[3:]],
        [header, section, first.replace(b"[1,", b'["1",'), *lines[3:]],
        [header, section, first.replace(b"EUR", b"\xff"), *lines[3:]],
        [header.replace(b'"accounts":', b'"accounts":-'), *lines[1:]],
        [header.replace(b'"accounts"', b'"other"'), *lines[1:]],
    ):
        with pytest.raises(BackupError) as error:
            restore_backup(empty, put(path, strange, seal=strange[-1] == lines[-1]))
        assert error.value.code in ("line", "truncated")
    path.write_text("not gzip")
    refused("line", lambda: check_backup(path))
    assert not (tmp_path / "new.db").exists()


def test_another_format_or_revision(made: Path, empty: Database, tmp_path: Path) -> None:
    lines, path = lines_of(made), tmp_path / "other"
    newer = lines[0].replace(b'"version":1', b'"version":2')
    refused("format", lambda: restore_backup(empty, put(path, [newer, *lines[1:]], seal=True)))
    newer = lines[0].replace(b'"revision":"0', b'"revision":"9')
    refused("revision", lambda: restore_backup(empty, put(path, [newer, *lines[1:]], seal=True)))


def test_a_database_that_is_not_empty(made: Path, database: Database, tmp_path: Path) -> None:
    with database.writing() as connection:
        connection.execute(schema.counters.insert(), {"name": "player", "next": 51})
    assert refused("not-empty", lambda: restore_backup(database, made)).params == {"tables": "counters"}
    assert rows_in(database) == 1
    with database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    assert "counters" in str(refused("not-empty", lambda: restore_backup(database, made)).params["tables"])


def test_what_the_database_refuses_is_taken_back(made: Path, database: Database, tmp_path: Path) -> None:
    """The file is whole, but two rows of its last table have one key: none of it is kept."""
    lines = lines_of(made)
    twice = [*lines[:-2], lines[-3], lines[-1]]
    told = refused("database", lambda: restore_backup(database, put(tmp_path / "twice", twice, seal=True)))
    assert "unique" in str(told.params["reason"]).lower()
    assert rows_in(database) == 0
    restore_backup(database, made)
    assert rows_in(database) > 100


def test_a_file_that_changes_while_it_is_read(
    made: Path, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, check = tmp_path / "file", check_backup
    path.write_bytes(made.read_bytes())
    lines = lines_of(made)
    later = lines[0].replace(b'"created":1', b'"created":2')

    def checked(file: Path) -> object:
        found = check(file)
        put(path, [later, *lines[1:]], seal=True)
        return found

    monkeypatch.setattr(module, "check_backup", checked)
    refused("changed", lambda: restore_backup(database, path))
    assert rows_in(database) == 0
