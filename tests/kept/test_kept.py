"""A house that a release wrote is opened by the release of today: nothing of it is lost, and it goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
import sqlalchemy

from sabot.odds.price import price
from sabot.record import OwnRecord, check_own, dumps, loads, read, replay
from sabot.rounds.audit import audit_house
from sabot.rounds.history import own_record, round_record
from sabot.store import schema
from sabot.store.database import REVISION, Database, migrate, revision
from tests.kept.house import BOXES, SEATS, SOLO, STUDIO, fill, kept_houses, opened, vault_of
from tests.kept.play import StudioEvening, deal_alone, play_live, play_on
from tests.support.clock import PATIENCE
from tests.support.ledger import rows
from tests.support.site import Caller
from tests.support.studio import TOKEN

GAMES = {*SOLO, "freebet", "majority-eu"}


@pytest.fixture(params=kept_houses(), ids=lambda folder: folder.name)
def kept(request: pytest.FixtureRequest, empty: Database) -> Path:
    """The folder of a kept house, whose rows are in the database."""
    folder: Path = request.param
    fill(empty, folder)
    return folder


@pytest.mark.rule("PLT-22", "ASR-14")
def test_every_round_comes_out_as_it_was_played(empty: Database, kept: Path) -> None:
    """The schema is brought up to date, the audit finds nothing, and every record replays to the cent."""
    migrate(empty)
    report = audit_house(empty, vault=vault_of(kept))
    assert (report.findings, report.sealed) == ([], 0)
    with empty.reading() as connection:
        assert revision(connection) == REVISION
        rounds = connection.execute(sqlalchemy.select(schema.rounds)).all()
        assert report.rounds == len(rounds)
        assert {round.game for round in rounds if round.state == "settled"} == GAMES
        for round in rounds:
            if round.state == "open":
                continue
            record = loads(dumps(round_record(connection, round.code, vault=vault_of(kept))))
            replay(record, price=price)
            assert record.round.engine == round.engine
        played = sqlalchemy.select(schema.played.c.code, schema.played.c.player)
        live = [round.code for round in rounds if round.game not in SOLO and round.state == "settled"]
        for code, player in connection.execute(played.where(schema.played.c.code.in_(live))).all():
            check_own(own_record(connection, code, player))


@pytest.mark.slow  # the phases of live tables pass in real time
@pytest.mark.rule("PLT-34")
async def test_open_rounds_go_on(empty: Database, kept: Path) -> None:
    """Who logs in finds the rounds that were open, plays them out and others after them, alone, live and in the studio."""
    async with opened(empty, kept) as place:
        unfinished = {
            str(game): code
            for game, code in rows(empty, "SELECT game, code FROM rounds WHERE state = 'open'")
        }
        assert unfinished.keys() >= {*SOLO, "freebet"}
        ada = await place.come("ada")
        async with place.client(ada) as client:
            for game in SOLO:
                table = await client.open(game, "EUR")
                state = client.tables[table]
                assert (state.over, state.round) == (False, unfinished[game])
                await play_on(client, table, Random(game))
                await deal_alone(client, table)
                await play_on(client, table, Random(game))
                text = (await ada.get(f"/records/{unfinished[game]}")).text
                replay(loads(text), price=price)
                await client.leave(table)
            await client.enter(SEATS)
            await client.wait_for(lambda: client.tables[SEATS].round != unfinished["freebet"], PATIENCE)
            await client.enter(STUDIO)
            await StudioEvening(await place.come("eva"), Caller(place, TOKEN), client).play()
        own = (await ada.get(f"/records/{unfinished['freebet']}")).text
        check_own(read(own, OwnRecord))
        bob = await place.come("bob")
        await asyncio.gather(*(play_live(place, bob, table, 1) for table in (SEATS, BOXES)))
        still = {code for (code,) in rows(empty, "SELECT code FROM rounds WHERE state <> 'settled'")}
        assert still.isdisjoint(unfinished.values())
    assert audit_house(empty, vault=vault_of(kept)).findings == []
