"""Reports against plain sums over the raw log, to the cent; closed ones stay the same byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from functools import partial
from io import BytesIO
from typing import get_args
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from sabot.engine import Bet
from sabot.games import CATALOGUE, find
from sabot.odds.payoffs import theoretical_return
from sabot.reports import drill, render
from sabot.reports.catalogue import ReportName, ReportRequest, make
from sabot.reports.report import By, Interval, Report, day_of
from sabot.reports.signals import Thresholds
from sabot.rounds.fold import fold, fold_all
from sabot.server.config import OfficeConfig
from sabot.server.office.events import EventRow, store_events
from sabot.server.office.settings import FILE_ONLY
from sabot.store.database import Database
from sabot.store.kinds import ADJUST, GRANT, EventKind, OrderKind
from sabot.store.register import Register
from sabot.tables.config import TableConfig
from sabot.tables.opening import open_table
from sabot.tables.table import Table
from sabot.texts import Catalogue
from tests.support.house import BROUGHT, House
from tests.support.store.plans import plans_of
from tests.support.store.raw_log import RawLog
from tests.support.store.two_days import DAY_MS, NOON, play

FIRST, SECOND = date(2026, 8, 29), date(2026, 8, 30)
BOTH = Interval(FIRST, SECOND)
EVER = Interval(None, SECOND)
LATER = NOON + 5 * DAY_MS


def report(
    database: Database, name: ReportName, interval: Interval = EVER, by: By = "total", now: int = LATER
) -> Report:
    with database.reading() as connection:
        return make(connection, "Sabot", ReportRequest(name, interval, by, 50_000), now)


def cells(report: Report, *names: str) -> list[tuple[object, ...]]:
    """Some columns of a report."""
    at = [[column.name for column in report.columns].index(name) for name in names]
    return [tuple(row[i] for i in at) for row in report.rows]


def people_by_bet(log: RawLog, *days: int) -> Counter[tuple[object, ...]]:
    """What people staked and were paid, by game, currency, bet and what is counted."""
    sums: Counter[tuple[object, ...]] = Counter()
    for round in log.rounds():
        if round.day in days:
            sums[round.game, round.currency, "all", "voided"] += round.end == "voided"
            people = {key: bet for key, bet in round.bets.items() if key[0] not in log.bots}
            sums[round.game, round.currency, "all", "rounds"] += bool(people)
            for bet in {bet for _, bet in people}:
                sums[round.game, round.currency, bet, "rounds"] += 1
            for (_, bet), (lines, staked, paid) in people.items():
                for name in ("all", bet):
                    line = (round.game, round.currency, name)
                    sums[*line, "bets"] += lines
                    sums[*line, "staked"] += staked
                    sums[*line, "paid"] += paid
    return sums


@pytest.mark.rule("OFF-20", "OFF-14")
def test_the_performance_of_games_is_that_of_the_raw_log(database: Database) -> None:
    house = House(database)
    play(house)
    log = RawLog(database)
    days = {round.day for round in log.rounds()}
    whole = report(database, "performance")
    expected = people_by_bet(log, *days)
    counted = ("rounds", "voided", "bets", "staked", "paid")
    found = {
        (game, currency, bet, name): number
        for game, currency, bet, *numbers in cells(whole, "game", "currency", "bet", *counted)
        for name, number in zip(counted, numbers, strict=True)
        if number
    }
    assert found == {key: number for key, number in expected.items() if number}
    # Each line names the rules in force at its wagers.
    assert set(cells(whole, "game", "rules")) == {
        (game, find(str(game)).rules.sha256[:12]) for (game,) in cells(whole, "game")
    }
    main = {game: theory for game, bet, theory in cells(whole, "game", "bet", "theoretical") if bet == "main"}
    assert main["cashback"] == pytest.approx(
        theoretical_return(find("cashback").rules.sha256, "main"), abs=1e-6
    )
    # By day: each has its own, and together they are the whole.
    by_day = report(database, "performance", by="day")
    for day in days:
        staked = sum(
            n for (_, _, bet, what), n in people_by_bet(log, day).items() if (bet, what) == ("all", "staked")
        )
        shown = cells(by_day, "period", "bet", "staked")
        assert (
            sum(int(str(n)) for period, bet, n in shown if (period, bet) == (day_of(day).isoformat(), "all"))
            == staked
        )


@pytest.mark.rule("OFF-14", "OFF-22")
def test_new_rules_begin_a_line_of_their_own(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds before and after a release with other rules: two lines, each with its own stakes, and its own rounds."""
    house = House(database)
    ada, now = house.player("ada"), find("surrender")
    before = replace(now, rules=replace(now.rules, charlie=9))
    played: dict[str, list[str]] = {}
    for game, name in ((before, "solo/1/surrender/EUR"), (now, "solo/1/surrender/FUN")):
        monkeypatch.setitem(CATALOGUE, "surrender", game)
        config = TableConfig(name=name, game=game, currency="EUR")
        table = open_table(config, house.tools, NOON)
        house.store.store(table.sit(ada, BROUGHT, NOON))
        for _ in range(len(played) + 1):
            played.setdefault(game.rules.sha256[:12], []).append(house.play_solo(table, ada, NOON))
    lines = [
        (rules, rounds)
        for rules, bet, rounds in cells(report(database, "performance"), "rules", "bet", "rounds")
        if bet == "all"
    ]
    assert sorted(lines) == sorted((rules, len(codes)) for rules, codes in played.items())
    for rules, codes in played.items():
        found = all_rounds(database, drill.RoundsOf(EVER, "EUR", "surrender", rules=rules))
        assert sorted(line.code for line in found) == sorted(codes)
    theory = {row[0]: row[1] for row in cells(report(database, "performance"), "rules", "theoretical")}
    assert (theory[before.rules.sha256[:12]] is None, theory[now.rules.sha256[:12]] is None) == (True, False)


@pytest.mark.rule("OFF-20")
def test_liability_and_payments_are_those_of_the_raw_log(database: Database) -> None:
    house = House(database)
    play(house)
    open_table = house.solo("surrender", 1)
    house.deal_until_open(open_table, 1, NOON + DAY_MS)
    log = RawLog(database)
    for interval, before in ((EVER, None), (Interval(None, FIRST), (NOON // DAY_MS + 1) * DAY_MS)):
        money = log.balances(before)
        expected = [
            (currency, *(money[kind, currency] for kind in ("player", "session", "escrow")))
            for currency in ("EUR", "FUN")
        ]
        shown = cells(report(database, "liability", interval), "currency", "accounts", "at_tables", "open")
        assert shown == expected
    assert money["escrow", "EUR"] == 0
    opened = [
        n for game, n in cells(report(database, "performance", BOTH), "game", "open") if game == "surrender"
    ]
    assert opened == [log.balances()["escrow", "EUR"]]
    assert opened != [0]
    paid = log.payments()
    eur = {
        key[2]: sum(n for k, n in paid.items() if k[1:] == key[1:] and k[0] not in log.bots)
        for key in paid
        if key[1] == "EUR"
    }
    (line,) = [
        row
        for row in cells(report(database, "payments"), "currency", "deposited", "withdrawn", "net")
        if row[0] == "EUR"
    ]
    assert line == (
        "EUR",
        eur["deposit"],
        eur["withdraw"] - eur["rollback"],
        eur["deposit"] - eur["withdraw"] + eur["rollback"],
    )


@pytest.mark.slow  # every report again and again
@pytest.mark.rule("OFF-20")
def test_a_report_does_not_depend_on_how_much_is_folded(database: Database) -> None:
    play(House(database))
    names: tuple[ReportName, ...] = ("performance", "liability", "payments", "activity", "signals")
    fresh = [report(database, name, by="day") for name in names]
    for _ in range(3):
        fold(database, None, 7)
        assert [report(database, name, by="day") for name in names] == fresh
    fold_all(database)
    assert [report(database, name, by="day") for name in names] == fresh


def furnish(house: House, at: int = NOON) -> None:
    """Something in every list: a change, an event, a large win, an exclusion, a signal."""
    ada = house.cashier.register(f"ada-{at}", at)
    house.cashier.deposit(ada, "EUR", 2_000_000, "in", at)
    config = TableConfig(name=f"solo/{ada}/surrender/EUR", game=find("surrender"), currency="EUR")
    table = open_table(config, house.tools, at)
    house.store.store(table.sit(ada, 2_000_000, at))
    while True:
        code = house.play_solo(table, ada, at, (Bet(0, "main", 50_000),))
        raw = next(round for round in RawLog(house.store.database).rounds() if round.code == code)
        if sum(bet.paid - bet.staked for bet in raw.bets.values()) >= 50_000:
            break
    register = Register.open(house.store, at)
    register.protect(ada, {"time-out": (at + DAY_MS, at)}, at)
    register.give_vip(None, ada, 1, "plays a lot", at)
    row = EventRow(at, ada, "", "warning", "short-lived", ada, None, None, "127.0.0.1", 4, b"{}")
    with house.store.database.writing() as connection:
        store_events(connection, [row], at)


@pytest.mark.rule("OFF-22")
def test_a_closed_report_made_again_is_the_same_byte_for_byte(database: Database) -> None:
    house = House(database)
    play(house)
    texts = Catalogue("it")

    def files(now: int) -> list[bytes]:
        made = [report(database, name, BOTH, "day", now) for name in get_args(ReportName)]
        assert all(one.rows for one in made), [one.name for one in made if not one.rows]
        return [write(one, texts) for one in made for write in (render.as_csv, render.as_xlsx)]

    furnish(house)
    closed = NOON + 12 * 3_600_000 + DAY_MS + 60_000
    assert not report(database, "performance", BOTH, now=closed - 1).closed
    assert report(database, "performance", BOTH, now=closed).made_at == closed
    before = files(closed)
    config = TableConfig(name="solo/1/surrender/EUR", game=find("surrender"), currency="EUR")
    late = open_table(config, house.tools, closed)
    house.store.store(late.sit(1, BROUGHT, closed))
    house.play_solo(late, 1, closed)
    house.cashier.deposit(1, "EUR", 500_000, "late", closed)
    furnish(house, closed)
    with database.writing() as connection:  # one that waited for the database, and comes too late
        late_event = EventRow(
            closed - DAY_MS, 1, "", "warning", "unavailable", None, None, None, None, 1, b'{"seconds":9}'
        )
        store_events(connection, [late_event], closed)
    fold_all(database)
    assert files(closed + 1_000_000_000) == before
    today = Interval(day_of(closed // DAY_MS), day_of(closed // DAY_MS))
    assert ("unavailable", '{"seconds":9,"happened":"2026-08-30T00:01:00.000Z"}') in cells(
        report(database, "events", today), "event", "detail"
    )


@pytest.mark.rule("OFF-20")
def test_every_report_has_its_head_and_says_when_nothing_happened(database: Database) -> None:
    House(database)
    for name in ("performance", "payments", "changes", "events", "wins", "activity", "exclusions", "signals"):
        made = report(database, name, BOTH)
        for language, nothing in (
            ("it", "Nessuna attività in questo periodo."),
            ("en", "No activity in this interval."),
        ):
            texts = Catalogue(language)
            text = render.as_text(made, texts)
            for word in (
                texts.text(f"office.report.{name}"),
                "Sabot",
                "2026-08-29 - 2026-08-30",
                "2026-08-31 00:01:00",
            ):
                assert word in text
            assert nothing in text
            assert nothing in render.as_csv(made, texts).decode("utf-8-sig")
            assert ZipFile(BytesIO(render.as_xlsx(made, texts))).testzip() is None


@pytest.mark.rule("OFF-20")
def test_files_name_games_and_bets_in_their_language(database: Database) -> None:
    """What a release before this one played keeps its own name."""
    play(House(database))
    made = report(database, "performance")
    italian = render.as_csv(made, Catalogue("it")).decode("utf-8-sig")
    games = {str(game) for (game,) in cells(made, "game")}
    assert all(f",{find(game).title}," in italian for game in games), italian
    assert "tutte le puntate" in italian
    game = games.pop()
    rows = tuple(tuple("poker" if cell == game else cell for cell in row) for row in made.rows)
    old = replace(made, rows=rows)
    assert "poker" in render.as_csv(old, Catalogue("it")).decode("utf-8-sig")


@pytest.mark.rule("OFF-22")
def test_a_figure_opens_to_its_rounds_and_movements(database: Database) -> None:
    house = House(database)
    play(house)
    for game, currency, bet, rules, *figure in cells(
        report(database, "performance"),
        "game",
        "currency",
        "bet",
        "rules",
        "rounds",
        "voided",
        "bets",
        "staked",
        "paid",
    ):
        lines = all_rounds(
            database, drill.RoundsOf(EVER, str(currency), str(game), None, str(bet), str(rules))
        )
        voided = sum(line.state == "voided" for line in lines)
        assert [len(lines) - voided, voided, *sums_of(lines)] == [n or 0 for n in figure]
    activity = cells(report(database, "activity"), "player", "currency", "rounds", "staked", "paid", "days")
    assert len({player for player, *_ in activity}) > 1
    for player, currency, *numbers, days in activity:
        lines = all_rounds(database, drill.RoundsOf(EVER, str(currency), player=int(str(player))))
        assert [len(lines), *sums_of(lines)[1:]] == numbers
        assert len({line.closed_at // DAY_MS for line in lines}) == days
    for player, currency, paid_in, paid_out in cells(
        report(database, "activity"), "player", "currency", "deposited", "withdrawn"
    ):
        figure_of_one = drill.MovesOf(EVER, str(currency), "player", payments=True, player=int(str(player)))
        assert sum_of_moves(database, figure_of_one) == int(str(paid_in)) - int(str(paid_out))
    for currency, *parts in cells(report(database, "liability"), "currency", "accounts", "at_tables", "open"):
        for held, figure_of in zip(("player", "session", "escrow"), parts, strict=True):
            assert sum_of_moves(database, drill.MovesOf(EVER, str(currency), held)) == figure_of  # type: ignore[arg-type]
    payments = cells(report(database, "payments"), "currency", "net", "deposited", "withdrawn")
    for currency, net, deposited, withdrawn in payments:
        moved = drill.MovesOf(EVER, str(currency), "player", payments=True)
        assert sum_of_moves(database, moved) == net
        assert sum_of_moves(database, moved._replace(way="in")) == deposited
        assert -sum_of_moves(database, moved._replace(way="out")) == withdrawn
    assert any(withdrawn for *_, withdrawn in payments)


@pytest.mark.rule("OFF-22")
def test_open_money_opens_to_the_movements_of_its_rounds(database: Database) -> None:
    """Of two games with open rounds each figure has its own."""
    house = House(database)
    for game, player in (("surrender", 1), ("cashback", house.player("bob"))):
        house.deal_until_open(house.solo(game, player), player, NOON)
    shown = cells(report(database, "performance"), "game", "currency", "open")
    assert len(shown) == 2
    assert all(amount for *_, amount in shown)
    for name, currency, amount in shown:
        assert sum_of_moves(database, drill.MovesOf(EVER, str(currency), "escrow", game=str(name))) == amount


@pytest.mark.rule("OFF-22")
def test_voided_rounds_of_people_are_counted_and_listed_and_those_of_bots_are_not(database: Database) -> None:
    house = House(database)
    ada, bot = house.player("ada"), house.cashier.register("bot", 0, demo=True, bot=True)
    house.cashier.deposit(bot, "FUN", 10_000_000, "first", at=0)
    for player in (ada, bot):
        table = house.solo("surrender", player, "FUN")
        house.deal_until_open(table, player, NOON)
        house.keep(table.void("a malfunction", NOON + 1))
    figures = cells(report(database, "performance"), "bet", "voided")
    assert [voided for bet, voided in figures if bet == "all"] == [1]
    lines = all_rounds(database, drill.RoundsOf(EVER, "FUN", "surrender"))
    assert [line.state for line in lines] == ["voided"]


@pytest.mark.rule("OFF-22")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_rounds_of_a_player_are_read_in_their_order(database: Database) -> None:
    """Of a player with many rounds, a page looks at no more than it shows: none has to be put in order."""
    house = House(database)
    play(house)
    figure = drill.RoundsOf(EVER, "EUR", player=1)
    with database.reading() as connection:
        for after in (None, f"{NOON}-"):
            read = partial(drill.rounds_of, connection, figure, after, 10)
            first, *_ = plans_of(connection, read)
            assert any("SEARCH played USING" in step and "player=? AND at>" in step for step in first), first
            assert not any("TEMP B-TREE" in step for step in first), first


@pytest.mark.rule("OFF-22")
def test_open_money_of_a_past_day_is_that_of_the_rounds_that_were_open_then(database: Database) -> None:
    """Open over midnight: a round until the next noon, one for a minute, and one that is open still; others had ended."""
    house = House(database)
    midnight = (NOON // DAY_MS + 1) * DAY_MS
    players = [house.player(name) for name in ("ada", "bob", "eve")]
    tables = [house.solo("surrender", player) for player in players]
    for table, player, opened in zip(tables, players, (NOON, midnight - 30_000, NOON), strict=True):
        house.play_solo(table, player, opened)
        house.deal_until_open(table, player, opened)
    house.finish(tables[0], NOON + DAY_MS)
    house.finish(tables[1], midnight + 30_000)
    for day, open_rounds in ((FIRST, 3), (SECOND, 1)):
        interval = Interval(None, day)
        shown = cells(report(database, "performance", interval), "game", "currency", "bet", "open")
        ((game, currency, amount),) = {row[:2] + row[3:] for row in shown if row[2] == "all"}
        figure = drill.MovesOf(interval, str(currency), "escrow", game=str(game))
        assert sum_of_moves(database, figure) == amount
        with database.reading() as connection:
            moves = drill.moves_of(connection, figure, None, 100).lines
        assert len({move.round for move in moves}) == open_rounds
        assert sum_of_moves(database, figure._replace(game=None)) == amount
        assert sum_of_moves(database, figure._replace(game="cashback")) == 0


def all_rounds(database: Database, figure: drill.RoundsOf) -> list[drill.RoundLine]:
    """The rounds of all pages."""
    lines: list[drill.RoundLine] = []
    after = None
    with database.reading() as connection:
        while True:
            page = drill.rounds_of(connection, figure, after, 2)
            lines += page.lines
            after = page.next
            if after is None:
                return lines


def sums_of(lines: list[drill.RoundLine]) -> list[int]:
    """Bets, stakes and payments of rounds."""
    return [sum(getattr(line, name) for line in lines) for name in ("bets", "staked", "paid")]


def sum_of_moves(database: Database, figure: drill.MovesOf) -> int:
    total, after = 0, None
    with database.reading() as connection:
        while True:
            page = drill.moves_of(connection, figure, after, 7)
            total += sum(line.amount for line in page.lines)
            after = page.next
            if after is None:
                return total


@pytest.mark.rule("OFF-20")
def test_lists_of_wins_exclusions_and_changes(database: Database) -> None:
    house = House(database)
    ada = house.player("ada")

    def win(table: Table) -> tuple[str, int]:
        """A round that is won by 500.00 or more."""
        house.keep(table.add_money(str(ada), 1_000_000, NOON))
        for turn in range(20):
            code = house.play_solo(table, ada, NOON + turn, (Bet(0, "main", 50_000),))
            raw = next(round for round in RawLog(database).rounds() if round.code == code)
            net = sum(bet.paid - bet.staked for bet in raw.bets.values())
            if net >= 50_000:
                return code, net
        raise AssertionError("nothing was won")

    won = win(house.solo("surrender", ada))
    assert win(house.solo("surrender", ada, "FUN"))  # play money is no win
    wins = report(database, "wins")
    assert cells(wins, "round", "won") == [won]
    with database.reading() as connection:  # less than 500.00 cannot be listed, and the head does not say so
        low = make(connection, "Sabot", ReportRequest("wins", EVER, "total", 100), LATER)
    assert (low.rows, [threshold.value for threshold in low.thresholds]) == (wins.rows, [50_000])
    register = Register.open(house.store, NOON)
    register.protect(ada, {"self-exclusion": (NOON + DAY_MS, NOON)}, NOON)
    register.give_vip(None, ada, 2, "=plays a lot", NOON)
    assert report(database, "exclusions").rows == ((NOON, ada, "self-exclusion", NOON + DAY_MS),)
    register.adjust(ada, ada, "EUR", 500, "found", NOON, "up")
    register.adjust(ada, ada, "EUR", -1_234, "paid twice", NOON, "down")
    register.grant_golden(ada, ada, "EUR", 500, 4, "a gift", NOON, id="gift")
    changes = cells(report(database, "changes"), "change", "operator", "reason", "detail")
    assert [(*row[:3], json.loads(str(row[3]))) for row in changes] == [
        ("give-vip", None, "=plays a lot", {"player": ada, "vip": 2}),
        ("adjust", ada, "found", {"player": ada, "amount": 500, "currency": "EUR"}),
        ("adjust", ada, "paid twice", {"player": ada, "amount": -1_234, "currency": "EUR"}),
        ("grant-golden", ada, "a gift", {"player": ada, "count": 4, "value": 500, "currency": "EUR"}),
    ]
    # No spreadsheet takes what an operator wrote for a formula.
    assert ",'=plays a lot," in render.as_csv(report(database, "changes"), Catalogue("en")).decode()


@pytest.mark.rule("OFF-21")
def test_signals_are_a_list_with_the_reason_of_each(database: Database) -> None:
    house = House(database)
    quiet = house.cashier.register("quiet", at=NOON)
    washer = house.cashier.register("washer", at=NOON)
    for player in (quiet, washer):
        house.cashier.deposit(player, "EUR", 100_000, "in", at=NOON)
    house.cashier.withdraw(washer, "EUR", 90_000, "out", at=NOON)
    keen = house.cashier.register("keen", at=NOON)
    for number in range(3):
        house.cashier.deposit(keen, "EUR", 100_000, f"in-{number}", at=NOON + number)
    table = house.solo("surrender", keen)
    lost = 0
    while lost <= 0:
        house.play_solo(table, keen, NOON + 10)
        lost = 100_000 - table.balance(str(keen))
    for hour in range(-12, 2):
        house.play_solo(table, keen, NOON + hour * 3_600_000)
    lost = 100_000 - table.balance(str(keen))
    found = cells(report(database, "signals", BOTH), "signal", "player", "day", "value", "amount", "beside")
    day = FIRST.isoformat()
    assert ("withdrawn-unplayed", washer, "", None, 90_000, 0) in found
    assert ("deposits-day", keen, day, 3, 300_000, 200_000) in found
    assert ("long-day", keen, day, 14, None, None) in found
    assert (("chasing", keen, day, 3, 300_000, lost) in found) is (lost > 0)
    assert not [row for row in found if row[1] == quiet]
    said = render.as_text(report(database, "signals", BOTH), Catalogue("en"))
    assert "Withdrawn without play" in said


@pytest.mark.rule("OFF-21")
def test_a_threshold_is_a_setting_that_stands_over_the_list(database: Database) -> None:
    """What was a signal is none with a higher threshold; the report says which were used."""
    house = House(database)
    keen = house.cashier.register("keen", at=NOON)
    house.cashier.deposit(keen, "EUR", 300_000, "in", at=NOON)
    office = OfficeConfig(signal_deposits_day=300_001, signal_withdrawn_percent=90)
    with database.reading() as connection:
        for thresholds, expected in ((Thresholds(), ["deposits-day"]), (Thresholds.of(office), [])):
            asked = ReportRequest("signals", BOTH, thresholds=thresholds)
            made = make(connection, "=Sabot", asked, LATER)
            assert [row[0] for row in made.rows] == expected
    text = render.as_csv(made, Catalogue("en")).decode()
    assert '"Deposits of a day, from",3000.01\r\n' in text
    assert '"Withdrawn without play: withdrawn at least, in %",90\r\n' in text
    assert "House,'=Sabot\r\n" in text  # no spreadsheet takes the name for a formula


@pytest.mark.rule("OFF-11", "OFF-20")
@pytest.mark.parametrize("language", ["it", "en"])
def test_every_change_and_event_has_its_words(language: str) -> None:
    """Whatever operators do, and whatever is noted, is said in words on the pages."""
    known = Catalogue(language).keys()
    by_register = {"give-role", "give-vip", "lock-player", "unlock-player", GRANT, ADJUST}
    by_proposal = {"propose-change", "approve-change", "reject-change"}
    changes = {*get_args(OrderKind), *by_register, *by_proposal}
    assert {f"office.change.{kind}" for kind in changes} <= known
    assert {f"office.event.{kind}" for kind in get_args(EventKind)} <= known
    settings = set(OfficeConfig.__struct_fields__) - set(FILE_ONLY)
    assert {f"office.setting.{name}" for name in settings} <= known
