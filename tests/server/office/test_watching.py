"""The return of every bet is watched: days with bounds, an alarm of its own for each line (OFF-13, OFF-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec
import numpy as np
import pytest
import sqlalchemy
from msgspec.structs import replace

from sabot.engine import Bet
from sabot.games import find
from sabot.odds.payoffs import bet_payoffs, too_often
from sabot.odds.sequential import expected_rounds
from sabot.odds.watched import capital_of, watched
from sabot.reports.catalogue import ReportRequest, make
from sabot.reports.report import Interval
from sabot.rounds.fold import fold_all
from sabot.rounds.tally import BetLine, FinishedRound
from sabot.server.office.events import Events
from sabot.server.office.monitoring import MonitoringQuery, read_days, read_lines, return_days, return_lines
from sabot.server.office.watching import LineKey, ReturnWatch
from sabot.store import schema
from sabot.store.database import Database
from tests.support.clock import HandClock
from tests.support.house import House
from tests.support.site import Site

DAY_MS = 86_400_000
TODAY = 20_700
NOON = TODAY * DAY_MS + DAY_MS // 2
RULES = find("surrender").rules.sha256
MAIN = LineKey("solo/surrender", "surrender", RULES, "EUR", "main")


async def _nowhere(_act: Any) -> None:
    raise AssertionError("nothing is stored outside the transaction")


def watch() -> ReturnWatch:
    return ReturnWatch(Events(_nowhere, HandClock(NOON), lambda: "one"))


@dataclass
class Play:
    """Rounds of Surrender's main bet with given results, ten euros each."""

    database: Database
    rounds: int = 0
    key: LineKey = MAIN
    watch: ReturnWatch = field(default_factory=watch)

    def take(self, results: Sequence[float], at: int = NOON) -> None:
        """Fold rounds in one transaction."""
        made = []
        for result in results:
            self.rounds += 1
            line = BetLine(1, self.key.bet, 1, 1000, 0, 0, 1000 + int(1000 * result), 1000)
            place, game, rules, currency, _ = self.key
            code = f"{self.rounds:08}"
            made.append(FinishedRound(code, 1, place, game, rules, currency, at, False, (1,), (line,)))
        with self.database.writing() as connection:
            self.watch.take_rounds(connection, made)

    def lines(self, at: int = NOON) -> Any:
        with self.database.reading() as connection:
            return return_lines(read_lines(connection, MonitoringQuery(), at))

    def alarm(self) -> Any:
        (line,) = self.lines().lines
        return line.alarm


def drawn(rounds: int, fault: float = 0.0, seed: int = 1) -> list[float]:
    payoffs = too_often(bet_payoffs(find("surrender").rules, "main"), fault)
    return list(np.random.default_rng(seed).choice(payoffs.results, rounds, p=payoffs.chances))


@pytest.mark.rule("OFF-13")
def test_rounds_of_a_real_house_are_watched_bet_by_bet(database: Database) -> None:
    house = House(database)
    ada, bob = house.player("ada"), house.player("bob")
    bets = (Bet(0, "main", 1_000), Bet(0, "player-pair", 100), Bet(1, "main", 500))
    table = house.solo("cashback", ada)
    for turn in range(6):
        house.play_solo(table, ada, NOON + turn, bets)
    live = house.live("majority-eu", ada, bob, currency="FUN")
    for turn in range(3):
        house.play_live(live, {ada: (Bet(0, "main", 1_000),), bob: (Bet(0, "main", 300),)}, NOON + turn)
    house.golden(live, bob, 500, 2, NOON)
    house.play_live(live, {bob: (Bet(0, "main", 0, (500,)),)}, NOON + 5)
    fold_all(database, watch().take_rounds)

    with database.reading() as connection:
        found = return_lines(read_lines(connection, MonitoringQuery(), NOON))
        tallies = schema.tallies.c
        query = sqlalchemy.select(tallies.place, tallies.bet, tallies.rounds, tallies.staked, tallies.paid)
        sums = {row[:2]: tuple(row[2:]) for row in connection.execute(query)}
    lines = {(line.place, line.bet): line for line in found.lines}
    main, pair = lines["solo/cashback", "main"], lines["solo/cashback", "player-pair"]
    assert (main.month.rounds, main.month.initial) == (6, 6 * 1_500)
    assert (pair.month.rounds, pair.month.initial, pair.month.staked) == (6, 600, 600)
    for line in (main, pair):
        assert (line.month.rounds, line.month.staked, line.month.paid) == sums[line.place, line.bet]
        assert line.month.actual == line.month.paid / line.month.staked
        assert line.theory is not None
        assert line.month.least is not None
        assert line.month.most is not None
        assert line.month.least < line.theory < line.month.most
        assert line.current
    crowd = next(line for line in found.lines if line.game == "majority-eu")
    assert (crowd.currency, crowd.month.rounds, crowd.month.initial) == (
        "FUN",
        3,
        3 * 1_300,
    )  # no golden chips


@pytest.mark.rule("OFF-13", "OFF-20")
def test_a_bet_has_one_theoretical_return_in_all_reports(database: Database) -> None:
    """It is the exact return of the rules: also for the LINK bet, for which no regulation publishes one."""
    house = House(database)
    ada = house.player("ada")
    for game, side in (("link", "link"), ("cashback", "player-pair")):
        house.play_solo(house.solo(game, ada), ada, NOON, (Bet(0, "main", 1_000), Bet(0, side, 100)))
    fold_all(database, watch().take_rounds)
    with database.reading() as connection:
        watched_lines = return_lines(read_lines(connection, MonitoringQuery(), NOON)).lines
        day = date(2026, 9, 4)
        asked = ReportRequest("performance", Interval(None, day), "total", 50_000)
        made = make(connection, "Sabot", asked, NOON)
    at = {column.name: i for i, column in enumerate(made.columns)}
    reported = {(row[at["game"]], row[at["bet"]]): row[at["theoretical"]] for row in made.rows}
    assert reported["link", "link"] == pytest.approx(0.95, abs=5e-5)
    assert reported["cashback", "main"] == pytest.approx(0.99566, abs=5e-6)
    for line in watched_lines:
        assert reported[line.game, line.bet] == pytest.approx(line.theory, abs=1e-6), line.bet


@pytest.mark.rule("MAJ-06", "OFF-13", "OFF-14")
def test_a_dealer_who_draws_no_more_has_a_line_and_a_theory_of_its_own(database: Database) -> None:
    """The option of a table changes what Buster returns: 93.87 % becomes 81.99 % with one hand at the table."""
    game, bets = find("majority-eu"), (Bet(0, "main", 1_000), Bet(0, "buster", 100))
    undrawn = replace(game.options, buster_keeps_dealer=False)
    house = House(database)
    ada, bob = house.player("ada"), house.player("bob")
    house.play_live(house.live(game.name, ada), {ada: bets}, NOON)
    fold_all(database, watch().take_rounds)
    house.play_live(house.live(game.name, bob, name="undrawn", options=undrawn), {bob: bets}, NOON)
    fold_all(database, watch().take_rounds)
    with database.reading() as connection:
        lines = return_lines(read_lines(connection, MonitoringQuery(), NOON)).lines
        asked = ReportRequest("performance", Interval(None, date(2026, 9, 4)), "total", 50_000)
        made = make(connection, "Sabot", asked, NOON)
    found = {(line.place, line.bet): line for line in lines}
    own, other = found["live/majority-eu", "buster"], found["live/undrawn", "buster"]
    assert own.rules == game.rules.sha256 != other.rules
    assert own.theory == pytest.approx(0.9387, abs=5e-5)
    assert other.theory == pytest.approx(0.8199, abs=5e-5)
    assert own.current
    assert other.current
    assert found["live/undrawn", "main"].theory == found["live/majority-eu", "main"].theory
    at = {column.name: i for i, column in enumerate(made.columns)}
    reported = {(row[at["rules"]], row[at["bet"]]): row[at["theoretical"]] for row in made.rows}
    assert reported[own.rules[:12], "buster"] == pytest.approx(0.9387, abs=5e-5)
    assert reported[other.rules[:12], "buster"] == pytest.approx(0.8199, abs=5e-5)


@pytest.mark.slow  # twenty thousand rounds
@pytest.mark.rule("MAJ-06", "OFF-13")
@pytest.mark.parametrize("stands", [False, True], ids=["best table", "every hand stands"])
def test_a_dealer_who_draws_no_more_raises_no_alarm(database: Database, *, stands: bool) -> None:
    """How often hands are bust is up to the players: if all stand, Buster wins as if the dealer always drew."""
    game = find("majority-eu")
    undrawn = game.played_rules[1]
    payoffs = bet_payoffs(game.rules if stands else undrawn, "buster")
    play = Play(database, key=LineKey("live/boxes", game.name, undrawn.sha256, "EUR", "buster"))
    chance = np.random.default_rng(6)
    for day in range(10):
        play.take(list(chance.choice(payoffs.results, 2_000, p=payoffs.chances)), NOON + day * DAY_MS)
    alarm = play.lines(NOON + 9 * DAY_MS).lines[0].alarm
    assert (alarm.rounds, alarm.alarms, alarm.raised_at) == (20_000, 0, None)


@pytest.mark.rule("OFF-13")
def test_each_day_has_its_figures_and_thirty_have_theirs(database: Database) -> None:
    play = Play(database)
    for day in (0, 10, 40, 41):
        play.take([1.0, -1.0, -1.0] * 20, NOON + day * DAY_MS)
    (line,) = play.lines(NOON + 41 * DAY_MS).lines
    assert (line.today.rounds, line.today.staked, line.today.paid) == (60, 60_000, 40_000)
    assert (line.month.rounds, line.month.staked, line.month.paid) == (120, 120_000, 80_000)
    assert line.theory == pytest.approx(0.9966, abs=1e-4)
    with database.reading() as connection:
        days = return_days(MAIN, read_days(connection, MAIN, NOON + 41 * DAY_MS)).days
    assert [(one.day - TODAY, one.figures.rounds) for one in days] == [(40, 60), (41, 60)]
    # The bounds of two days come from both: nearer to the theory than those of one.
    assert line.today.most > line.month.most > line.theory > line.month.least > line.today.least > 0


@pytest.mark.rule("OFF-13")
def test_a_fault_raises_the_alarm_within_the_predicted_rounds(database: Database) -> None:
    play = Play(database)
    rules = find("surrender").rules
    payoffs, test = watched(rules, "main")
    expected = expected_rounds(test, too_often(payoffs, 0.1), capital_of(rules))
    results = drawn(int(2 * expected), fault=0.1)
    for begin in range(0, len(results), 500):
        play.take(results[begin : begin + 500])
    alarm = play.alarm()
    assert (alarm.alarms, alarm.raised_at, alarm.seen_at) == (1, NOON, None)
    with database.reading() as connection:
        (event,) = connection.execute(sqlalchemy.select(schema.events)).all()
    assert (event.kind, event.severity, event.place, event.at) == ("return-alarm", "alarm", MAIN.place, NOON)
    detail = msgspec.json.decode(event.detail)
    assert {name: detail[name] for name in ("game", "rules", "currency", "bet")} == {
        "game": "surrender",
        "rules": RULES,
        "currency": "EUR",
        "bet": "main",
    }
    assert detail["rounds"] < 1.5 * expected


@pytest.mark.slow  # twenty thousand rounds
@pytest.mark.rule("OFF-13")
def test_a_house_without_a_fault_has_no_alarm(database: Database) -> None:
    play = Play(database)
    for day in range(10):
        play.take(drawn(2_000, seed=day), NOON + day * DAY_MS)
    alarm = play.lines(NOON + 9 * DAY_MS).lines[0].alarm
    assert (alarm.rounds, alarm.alarms, alarm.raised_at) == (20_000, 0, None)
    assert 0 < alarm.evidence < 0.01
    assert alarm.found_after == pytest.approx(141_000, rel=0.01)


def test_however_rounds_are_cut_into_transactions_the_alarm_is_the_same(database: Database) -> None:
    results = drawn(600)
    Play(database).take(results)
    other = Play(database, key=MAIN._replace(currency="FUN"))
    for begin in range(0, 600, 70):
        other.take(results[begin : begin + 70])
    euros, fun = (line for line in other.lines().lines)
    assert euros.alarm.evidence == pytest.approx(fun.alarm.evidence)
    assert euros.month.least == pytest.approx(fun.month.least)


@pytest.mark.rule("OFF-14")
def test_new_rules_begin_a_new_line(database: Database) -> None:
    old = Play(database, key=MAIN._replace(rules="0" * 64))
    old.take([1.0] * 400)
    Play(database).take([1.0] * 100)
    first, second = old.lines().lines
    assert (first.rules, first.current, first.theory, first.alarm) == ("0" * 64, False, None, None)
    assert (first.month.rounds, first.month.actual, first.month.most) == (400, 2.0, None)
    assert (second.rules, second.current, second.month.rounds) == (RULES, True, 100)
    assert second.alarm.rounds == 100


def test_after_an_alarm_the_line_is_watched_anew_from_the_next_day(database: Database) -> None:
    play = Play(database)
    play.take([1.0] * 500)
    assert (play.alarm().alarms, play.alarm().evidence) == (1, 0.0)
    play.take([1.0] * 500)
    assert play.alarm().alarms == 1
    play.take([1.0] * 500, NOON + DAY_MS)
    (line,) = play.lines(NOON + DAY_MS).lines
    assert (line.alarm.alarms, line.alarm.raised_at) == (2, NOON + DAY_MS)


def test_a_round_that_comes_late_brings_no_capital_of_its_day(database: Database) -> None:
    play = Play(database)
    play.take([0.0])
    before = play.alarm().evidence
    play.take([0.0], NOON - DAY_MS)
    assert play.alarm().evidence == pytest.approx(before, rel=0.01)
    play.take([0.0], NOON + DAY_MS)
    assert play.lines(NOON + DAY_MS).lines[0].alarm.evidence == pytest.approx(2 * before, rel=0.01)


@pytest.mark.rule("OFF-13")
async def test_an_operator_says_what_became_of_an_alarm(database_url: str) -> None:
    async with Site(database_url) as site:
        boss = await site.administrator()
        play = Play(site.house.database)
        at = site.clock.ms
        await site.house.work(lambda: play.take([1.0] * 500, at))
        shown = (await boss.get("/office/monitoring")).body
        assert (shown["alarms"], len(shown["lines"]), shown["lines"][0]["alarm"]["raised_at"]) == (1, 1, at)
        assert (await boss.get("/office/monitoring?game=link")).body["lines"] == []
        line = MAIN._asdict()
        asked = "&".join(f"{name}={value}" for name, value in line.items())
        days = (await boss.get(f"/office/monitoring/days?{asked}")).body["days"]
        assert [one["figures"]["rounds"] for one in days] == [500]
        answer = await boss.get(f"/office/monitoring/days?{asked.replace('main', 'insurance')}")
        assert (answer.status, answer.code) == (404, "monitoring/unknown")

        seen = line | {"reason": "the wins were a test"}
        assert (await boss.post("/office/monitoring/seen", seen)).status == 204
        answer = await boss.post("/office/monitoring/seen", seen)
        assert (answer.status, answer.code) == (409, "monitoring/no-alarm")
        shown = (await boss.get("/office/monitoring")).body
        assert (shown["alarms"], shown["lines"][0]["alarm"]["seen_at"]) == (0, site.clock.ms)
        log = schema.log.c
        query = sqlalchemy.select(log.body).where(log.kind == "alarm-seen")
        (body,) = await site.house.read(lambda connection: connection.execute(query).scalars().all())
        command = msgspec.json.decode(body)["command"]
        assert command == {"type": "alarm-seen", "operator": command["operator"], **seen}
