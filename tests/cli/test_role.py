"""`sabot role`: how a house gets its first administrator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.nodes.membership import CONSOLE
from sabot.store.register import OPERATORS
from tests.cli.commands import run
from tests.cli.test_house import fail
from tests.support.house import VAULT, House

#: The kind of database makes no difference here.
KIND = "sqlite"

BECAUSE = ("--reason", "runs the house")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def house(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose database the command finds, with Ada and a demo player."""
    monkeypatch.setenv("SABOT_DATABASE_URL", database_url)
    house = House(database)
    house.player("ada")
    house.cashier.register("demo-1", 0, demo=True)
    return house


def role_of(house: House, name: str) -> str:
    players, profiles = schema.players.c, schema.profiles.c
    query = sqlalchemy.select(profiles.role).join_from(
        schema.profiles, schema.players, profiles.player == players.id
    )
    with house.store.database.reading() as connection:
        return str(connection.execute(query.where(players.name == name)).scalar_one())


def entries(house: House) -> list[object]:
    """What operators did, as the log tells it."""
    log, streams = schema.log.c, schema.streams.c
    query = sqlalchemy.select(log.body).join_from(schema.log, schema.streams, log.stream == streams.id)
    with house.store.database.reading() as connection:
        rows = connection.execute(
            query.where(streams.name == f"{OPERATORS}/{CONSOLE}").order_by(log.n)
        ).scalars()
        told = [json.loads(body).get("command") for body in rows]
    return [command for command in told if command is not None]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("it", "ADA ora ha il ruolo administrator: è scritto nel registro, con il motivo."),
        ("en", "ADA now has the role administrator: it is written in the log, with the reason."),
    ],
)
def test_an_operator_is_named_at_the_console(house: House, lang: str, sentence: str) -> None:
    assert run("role", "ADA", "administrator", *BECAUSE, "--lang", lang) == f"{sentence}\n"
    assert role_of(house, "ada") == "administrator"
    assert entries(house) == [{"type": "give-role", "operator": None, "reason": "runs the house"}]
    assert audit_house(house.store.database, vault=VAULT).findings == []


def test_the_cashier_of_an_open_house_is_left_alone(house: House) -> None:
    run("role", "ada", "supervisor", *BECAUSE)
    house.cashier.deposit(1, "EUR", 100, "after", at=1)
    run("role", "ada", "player", *BECAUSE)
    assert (role_of(house, "ada"), len(entries(house))) == ("player", 2)


@pytest.mark.parametrize(
    ("args", "italian", "english"),
    [
        (("bob", "supervisor", *BECAUSE), "non c'è un giocatore 'bob'", "there is no player 'bob'"),
        (("demo-1", "supervisor", *BECAUSE), "demo-1 gioca in demo", "demo-1 is a demo player"),
        (
            ("ada", "owner", *BECAUSE),
            "non c'è un ruolo 'owner': i ruoli sono player, presenter, supervisor, administrator",
            "there is no role 'owner': the roles are player, presenter, supervisor, administrator",
        ),
        (("ada", "player", "--reason", "no"), "una riga sola, da 3 a 200", "one line of 3 to 200"),
        (("ada", "player", "--reason", "two\nlines"), "una riga sola", "one line"),
    ],
)
def test_what_is_refused_changes_nothing(
    house: House, args: tuple[str, ...], italian: str, english: str
) -> None:
    assert italian in fail("role", *args)
    assert english in fail("role", *args, "--lang", "en")
    assert entries(house) == []
    assert role_of(house, "ada") == "player"
    assert audit_house(house.store.database, vault=VAULT).findings == []


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert "il database sqlite:///sabot.db non esiste" in fail("role", "ada", "player", *BECAUSE)
    args = ("--database", "sqlite:///x.db", "--lang", "en")
    assert "the database sqlite:///x.db does not exist" in fail("role", "ada", "player", *BECAUSE, *args)
    assert list(tmp_path.iterdir()) == []
