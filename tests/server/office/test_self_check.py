"""The self-check: at start, every day and on demand, against the recorded release (OFF-12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy

from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.rounds.audit import audit_house
from sabot.server.config import Config, HouseConfig, TableSection
from sabot.server.http.services import SERVICES
from sabot.server.office.checking import EVERY_MS, SelfCheck
from sabot.server.office.release import Program
from sabot.store import schema
from sabot.store.database import Database
from tests.support.house import VAULT
from tests.support.refused import ask_refused
from tests.support.served import main, seated, served
from tests.support.shoes import StackedShoes
from tests.support.site import Site

PLAIN = Config(table=())
TABLE = TableSection(name="one", game="freebet")


def program_in(folder: Path, version: str = "1.0") -> Program:
    """A program of two files, as it was built."""
    package = folder / "sabot"
    package.mkdir(exist_ok=True)
    for name in ("a.py", "b.py"):
        (package / name).write_text(name)
    return Program(version, package, Program(version, package).found())


class Release:
    """An installed release of two files, started in a house again and again."""

    def __init__(self, site: Site, folder: Path, version: str = "1.0") -> None:
        self.site = site
        self.folder = folder / "sabot"
        self.program = program_in(folder, version)
        #: What was stopped, each time it changed.
        self.stops: list[set[str]] = []

    def check(self, config: Config = PLAIN, program: Program | None = None) -> SelfCheck:
        async def stop(games: frozenset[str]) -> None:
            self.stops.append(set(games))

        return SelfCheck(self.site.house, config, program or self.program, stop)

    def spoil(self) -> None:
        """Change a file of the program."""
        (self.folder / "a.py").write_text("print('another')")

    async def events(self) -> list[dict[str, Any]]:
        await self.site.house.events.flush()
        query = sqlalchemy.select(schema.events).order_by(schema.events.c.at)
        rows = await self.site.house.read(lambda connection: connection.execute(query).all())
        return [
            {"severity": row.severity, **msgspec.json.decode(row.detail)}
            for row in rows
            if row.kind == "self-check"
        ]

    async def logged(self, kind: str) -> list[dict[str, Any]]:
        log = schema.log.c
        query = sqlalchemy.select(log.body).where(log.kind == kind).order_by(log.stream, log.n)
        bodies = await self.site.house.read(lambda connection: connection.execute(query).scalars().all())
        return [msgspec.json.decode(body)["command"] for body in bodies]


async def installed(site: Site, folder: Path) -> Release:
    """A release in a house that has not recorded any."""
    for table in (schema.releases, schema.self_checks):
        await site.house.write(lambda connection, table=table: connection.execute(sqlalchemy.delete(table)))  # type: ignore[misc]
    return Release(site, folder)


@pytest.mark.rule("OFF-12")
async def test_the_first_start_records_a_release_and_later_ones_find_it(
    database_url: str, tmp_path: Path
) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        assert (await release.check().run("start")).passed
        assert (await release.check().run("start")).passed
        assert release.stops == []
        (told,) = await release.logged("release-recorded")
        kinds = [part["kind"] for part in told["parts"]]
        assert (told["version"], kinds.count("program"), kinds.count("rules")) == ("1.0", 1, len(CATALOGUE))
        assert [event["severity"] for event in await release.events()] == ["info"]


@pytest.mark.rule("OFF-12")
async def test_a_changed_file_stops_all_games_until_it_is_as_before(
    database_url: str, tmp_path: Path
) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        check = release.check()
        await check.run("start")
        release.spoil()
        result = await check.run("demand", operator=7)
        (found,) = result.differences
        assert (result.passed, result.operator, found.kind, found.files) == (
            False,
            7,
            "program",
            ("sabot/a.py",),
        )
        assert release.stops == [set(CATALOGUE)]
        (alarm,) = [event for event in await release.events() if event["severity"] == "alarm"]
        assert (alarm["part"], alarm["files"], alarm["why"]) == ("program", ["sabot/a.py"], "demand")
        # A minute later it is looked at again; nothing is told twice.
        await check.look()
        assert len(await release.events()) == 2
        assert release.stops == [set(CATALOGUE)]
        (release.folder / "a.py").write_text("a.py")
        await check.look()
        assert release.stops == [set(CATALOGUE), set()]


@pytest.mark.rule("OFF-12")
async def test_a_file_changed_before_the_first_start_is_found_too(database_url: str, tmp_path: Path) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        release.spoil()
        result = await release.check().run("start")
        assert [one.kind for one in result.differences] == ["program"]


@pytest.mark.rule("OFF-12")
async def test_another_rule_set_under_the_same_version_stops_its_game_alone(
    database_url: str, tmp_path: Path
) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        await release.check().run("start")
        releases = schema.releases
        other = (
            sqlalchemy.update(releases)
            .where(releases.c.kind == "rules", releases.c.subject == "link")
            .values(sha256="0" * 64)
        )
        await site.house.write(lambda connection: connection.execute(other))
        result = await release.check().run("start")
        assert [(one.kind, one.subject, one.recorded) for one in result.differences] == [
            ("rules", "link", "0" * 64)
        ]
        assert release.stops == [{"link"}]


@pytest.mark.rule("OFF-12")
async def test_other_settings_stop_their_games_until_somebody_accepts_them(
    database_url: str, tmp_path: Path
) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        await release.check().run("start")
        check = release.check(Config(table=(TABLE,), house=HouseConfig(idle_minutes=5)))
        result = await check.run("start")
        assert [one.subject for one in result.differences] == ["freebet", "house"]
        assert release.stops == [{"freebet"}]
        accepted = await check.accept("a new table", operator=7)
        assert (accepted.why, accepted.passed) == ("accepted", True)
        assert release.stops == [{"freebet"}, set()]
        (told,) = await release.logged("release-accepted")
        assert (told["operator"], told["reason"]) == (7, "a new table")
        assert [one["subject"] for one in told["differences"]] == ["freebet", "house"]
        with pytest.raises(Refusal, match="Nothing differs from the recorded release"):
            await check.accept("once more", operator=7)
        # Another node whose check had failed finds the acceptance by itself.
        assert (
            await release.check(Config(table=(TABLE,), house=HouseConfig(idle_minutes=5))).run("start")
        ).passed


@pytest.mark.rule("OFF-12")
async def test_a_new_version_is_recorded_and_its_settings_are_compared(
    database_url: str, tmp_path: Path
) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        await release.check().run("start")
        newer = Release(site, tmp_path, version="1.1")
        (newer.folder / "a.py").write_text("newer")
        program = Program("1.1", newer.folder, Program("1.1", newer.folder).found())
        result = await newer.check(Config(table=(TABLE,)), program).run("start")
        assert [(one.kind, one.subject) for one in result.differences] == [("configuration", "freebet")]


@pytest.mark.rule("OFF-12")
async def test_a_check_is_made_every_day(database_url: str, tmp_path: Path) -> None:
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        check = release.check()
        await check.run("start")
        release.spoil()
        await check.look()
        assert release.stops == []
        site.clock.ms += EVERY_MS
        await check.look()
        assert release.stops == [set(CATALOGUE)]
        state = await check.state()
        assert [(one.why, one.passed) for one in state.checks if one.why == "daily"] == [("daily", False)]
        assert set(state.stopped) == set(CATALOGUE)
        (program,) = [part for part in state.parts if part.kind == "program"]
        assert program.recorded != program.found


async def test_sources_that_are_worked_on_never_cry_wolf(database_url: str) -> None:
    async with Site(database_url) as site:
        stops: list[frozenset[str]] = []

        async def stop(games: frozenset[str]) -> None:
            stops.append(games)

        for config in (PLAIN, Config(table=(TABLE,)), PLAIN):
            check = SelfCheck(site.house, config, Program("1.0"), stop)
            for why in ("start", "demand"):
                assert (await check.run(why)).passed
        assert stops == []


@pytest.mark.rule("OFF-12")
async def test_no_new_round_is_dealt_while_something_differs_and_an_open_one_is_finished(
    database: Database, tmp_path: Path
) -> None:
    program = program_in(tmp_path)
    win = "10 10 9 8"  # 19 beats 18
    async with (
        served(database, StackedShoes(win, win), program=program) as house,
        seated(house, "surrender") as (client, table),
    ):
        check = house.app[SERVICES].self_check
        await client.deal(table, main(1_000))
        (tmp_path / "sabot" / "a.py").write_text("another")
        assert not (await check.run("demand")).passed
        await client.decide(table, "stand")
        assert client.tables[table].over
        refusal = await ask_refused("closed/check", client.deal(table, main(1_000)))
        assert "Blackjack Surrender Multihand" in str(refusal)
        (tmp_path / "sabot" / "a.py").write_text("a.py")
        await check.look()
        await client.deal(table, main(1_000))
        await client.decide(table, "stand")


@pytest.mark.rule("OFF-12")
async def test_operators_see_the_check_make_one_and_accept_what_they_meant(
    database_url: str, tmp_path: Path
) -> None:
    program = program_in(tmp_path)
    async with Site(database_url, program=program) as site:
        boss = await site.administrator()
        shown = (await boss.get("/office/self-check")).body
        assert (shown["version"], shown["in_development"], shown["stopped"]) == ("1.0", False, [])
        assert {part["kind"] for part in shown["parts"]} == {"program", "rules", "configuration"}
        assert all(part["recorded"] == part["found"] for part in shown["parts"])
        assert [(one["why"], one["passed"]) for one in shown["checks"]] == [("start", True)]

        (tmp_path / "sabot" / "a.py").write_text("another")
        site.clock.ms += 1
        result = (await boss.post("/office/self-check")).body
        assert (result["why"], result["passed"]) == ("demand", False)
        assert result["differences"][0]["files"] == ["sabot/a.py"]
        assert len((await boss.get("/office/self-check")).body["stopped"]) == len(CATALOGUE)

        auditor = await site.join("ada")
        await site.give_role("ada", "auditor", "looks")
        assert (await auditor.get("/office/self-check")).status == 200
        for path in ("/office/self-check", "/office/self-check/accept"):
            answer = await auditor.post(path, {"reason": "why not"} if "accept" in path else None)
            assert (answer.status, answer.code) == (403, "login/role")

        site.clock.ms += 1
        answer = await boss.post("/office/self-check/accept", {"reason": "mended by hand"})
        assert (answer.body["why"], answer.body["passed"]) == ("accepted", True)
        shown = (await boss.get("/office/self-check")).body
        assert shown["stopped"] == []
        assert [one["why"] for one in shown["checks"]] == ["accepted", "demand", "start"]
        answer = await boss.post("/office/self-check/accept", {"reason": "once more"})
        assert (answer.status, answer.code) == (409, "check/no-difference")


@pytest.mark.rule("OFF-12", "ASR-14")
async def test_the_audit_finds_a_record_that_was_changed(database_url: str, tmp_path: Path) -> None:
    """A hash is written over in the database, so that a changed program would pass: the log knows another."""
    async with Site(database_url) as site:
        release = await installed(site, tmp_path)
        await release.check().run("start")
        release.spoil()
        await release.check().accept("a patch", 1)

        async def found() -> list[str]:
            report = await site.house.work(lambda: audit_house(site.database, vault=VAULT))
            return [str(finding) for finding in report.findings]

        assert await found() == []
        releases = schema.releases
        swapped = sqlalchemy.update(releases).where(releases.c.kind == "program").values(sha256="0" * 64)
        await site.house.write(lambda connection: connection.execute(swapped))
        (finding,) = await found()
        assert "releases" in finding
        assert "never recorded" in finding
        gone = sqlalchemy.delete(releases).where(releases.c.kind == "program")
        await site.house.write(lambda connection: connection.execute(gone))
        (finding,) = await found()
        assert "missing" in finding
