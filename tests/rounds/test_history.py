"""Rounds found again: lists in pages, one round for its player's eyes, and records that replay to the cent."""

from __future__ import annotations

from collections import Counter
from functools import reduce

import pytest
import sqlalchemy

from sabot.engine import Bet
from sabot.engine.events import (
    BetSettled,
    BetsPlaced,
    BonusEnded,
    PlayerPaid,
    Private,
    RoundVoided,
    SideBetDecided,
)
from sabot.engine.view import EMPTY, fold
from sabot.errors import Refusal
from sabot.fairness import commitment
from sabot.fairness.vault import Vault
from sabot.games import CATALOGUE, find
from sabot.record import dumps, loads, replay
from sabot.record.record import PaidPart
from sabot.rounds.history import Filter, Line, history, round_record, round_view, totals
from sabot.rounds.line_cards import with_cards
from sabot.rounds.recovery import ReplayError
from sabot.rounds.shoes import SecureShoes
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.kinds import Currency
from sabot.tables.opening import open_table
from tests.support.house import TWO_HANDS, VAULT, House, code_of
from tests.support.refused import refused

#: Bets of every kind that a game has.
SIDE = 200


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


def every_bet(game: str) -> tuple[Bet, ...]:
    """Two hands, where the game has two, with all side bets."""
    bets = list(TWO_HANDS[: find(game).rules.spots])
    for side in find(game).rules.side_bets:
        bets.append(Bet(-1 if side.once else 0, side.name, SIDE))
    return tuple(bets)


def pages(house: House, player: int, limit: int) -> list[tuple[Line, ...]]:
    """A whole history, page after page, each asked for by itself."""
    found, before = [], None
    while True:
        with house.store.database.reading() as connection:
            page = history(connection, player, before=before, limit=limit)
        found.append(page.lines)
        if page.next is None:
            return found
        before = page.next


def record_of(house: House, code: str, vault: Vault | None = None) -> object:
    with house.store.database.reading() as connection:
        return round_record(connection, code, vault=vault)


def no_record(code: str, house: House, round: str, vault: Vault | None = None) -> None:
    assert round in str(refused(code, lambda: record_of(house, round, vault)))


# The list


def test_a_history_goes_back_page_by_page(house: House) -> None:
    """Rounds of the same millisecond, on two tables, and a round that comes while the player turns pages."""
    ada, bob = house.player("ada"), house.player("bob")
    tables = [(house.solo(game, ada), ada) for game in ("surrender", "link")] + [
        (house.solo("link", bob), bob)
    ]
    codes: dict[int, list[tuple[int, str]]] = {ada: [], bob: []}
    for at in (1_000, 2_000, 2_000, 2_000, 2_000, 3_000):
        for table, player in tables:
            codes[player].append((at, house.play_solo(table, player, at)))
    with house.store.database.reading() as connection:
        first = history(connection, ada, limit=3)
    house.play_solo(tables[0][0], ada, 4_000)
    with house.store.database.reading() as connection:
        second = history(connection, ada, before=first.next, limit=3)
    seen = [(line.at, line.code) for line in (*first.lines, *second.lines)]
    assert seen == sorted(codes[ada], reverse=True)[:6]

    found = pages(house, ada, 3)
    assert [len(page) for page in found] == [3, 3, 3, 3, 1]
    flat = [(line.at, line.code) for page in found for line in page][1:]
    assert flat == sorted(codes[ada], reverse=True)
    assert [len(page) for page in pages(house, bob, 3)] == [3, 3]
    assert pages(house, 999, 3) == [()]


@pytest.mark.rule("PLT-21")
def test_a_history_of_a_game_a_currency_and_a_time(house: House) -> None:
    ada, bob = house.player("ada"), house.player("bob")
    played: list[tuple[str, Currency, int]] = [
        ("surrender", "FUN", 1_000),
        ("link", "FUN", 2_000),
        ("link", "EUR", 3_000),
        ("link", "EUR", 4_000),
    ]
    names: set[tuple[str, Currency]] = {(game, money) for game, money, _ in played}
    tables = {(game, money): house.solo(game, ada, money) for game, money in names}
    codes = [house.play_solo(tables[game, money], ada, at) for game, money, at in played]
    house.play_solo(house.solo("link", bob, "EUR"), bob, 3_000)

    def found(filter: Filter) -> list[int]:
        with house.store.database.reading() as connection:
            lines = history(connection, ada, filter).lines
            nets = totals(connection, ada, filter)
        by_currency = {str(net.currency): (net.rounds, net.staked, net.paid) for net in nets}
        for currency in {line.currency for line in lines}:
            own = [line for line in lines if line.currency == currency]
            sums = sum(line.staked for line in own), sum(line.paid for line in own)
            assert by_currency.pop(currency) == (len(own), *sums)
        assert not by_currency
        return [codes.index(line.code) for line in lines]

    assert found(Filter()) == [3, 2, 1, 0]
    assert found(Filter(game="link")) == [3, 2, 1]
    assert found(Filter(currency="FUN")) == [1, 0]
    assert found(Filter(since=2_000, until=4_000)) == [2, 1]
    assert found(Filter("link", "EUR", 3_000, 4_000)) == [2]
    assert found(Filter(game="cashback")) == []


@pytest.mark.rule("PLT-21")
@pytest.mark.parametrize("game", ["surrender", "cashback", "link"])
def test_a_line_has_the_cards_that_its_round_shows(game: str, house: House) -> None:
    ada = house.player("ada")
    table = house.solo(game, ada)
    for at in range(20):
        house.play_solo(table, ada, 1_000 + at, every_bet(game))
    with house.store.database.reading() as connection:
        lines = with_cards(connection, ada, history(connection, ada).lines)
        for line in lines:
            shown = [
                event for moment in round_view(connection, line.code, ada).moments for event in moment.events
            ]
            view = reduce(fold, shown, EMPTY)
            assert line.dealer == view.dealer.cards
            assert list(line.hands) == [hand.cards for spot in view.spots for hand in spot.hands]
            assert line.bonuses == tuple(event.pays for event in shown if isinstance(event, BonusEnded))
            assert line.behind == 0
    assert len(lines) == 20


@pytest.mark.rule("PLT-21", "PLT-70")
@pytest.mark.parametrize("game", ["surrender", "link"])
def test_a_line_names_the_combinations_that_won(game: str, house: House) -> None:
    ada = house.player("ada")
    table = house.solo(game, ada)
    for at in range(20):
        house.play_solo(table, ada, 1_000 + at, every_bet(game))
    named = 0
    with house.store.database.reading() as connection:
        for line in with_cards(connection, ada, history(connection, ada).lines):
            moments = round_view(connection, line.code, ada).moments
            decided = [e for moment in moments for e in moment.events if isinstance(e, SideBetDecided)]
            assert list(line.sides) == [event for event in decided if event.category]
            named += len(line.sides)
    assert named


@pytest.mark.rule("PLT-21", "PLT-70")
@pytest.mark.parametrize("game", ["majority-eu", "freebet"])
def test_a_line_names_no_combination_of_another_player(game: str, house: House) -> None:
    """Ada has side bets on the first place; Bob is on it too, in the box or behind the seat, without them."""
    ada, bob = house.player("ada"), house.player("bob")
    table = house.live(game, ada, bob)
    kinds = [side.name for side in find(game).rules.side_bets]
    own = (Bet(0, "main", 1_000), *(Bet(0, kind, SIDE) for kind in kinds))
    other = (Bet(0, "main" if game == "majority-eu" else "behind", 500), Bet(1, "main", 500))
    for at in range(12):
        house.play_live(table, {ada: own, bob: other}, 1_000 + at)
    with house.store.database.reading() as connection:
        mine = with_cards(connection, ada, history(connection, ada).lines)
        others = with_cards(connection, bob, history(connection, bob).lines)
    assert len(mine) == len(others) == 12
    assert {side.spot for line in mine for side in line.sides} == {0}
    assert all(side.pays and side.kind in kinds for line in mine for side in line.sides)
    assert not any(line.sides for line in others)


@pytest.mark.rule("PLT-21", "PLT-32")
def test_a_line_names_no_combination_of_a_voided_round(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    won = False
    for at in range(20):
        house.deal_until_open(table, ada, 1_000 + at, every_bet("surrender"))
        assert table.current is not None
        won = won or any(isinstance(e, SideBetDecided) and e.pays for e in table.current.round.log)
        house.void(table, 1_000 + at)
    with house.store.database.reading() as connection:
        lines = with_cards(connection, ada, history(connection, ada, limit=50).lines)
    assert won
    assert not any(line.sides for line in lines if line.state == "voided")


@pytest.mark.rule("PLT-21")
def test_a_line_says_which_hands_were_bet_on_behind(house: House) -> None:
    """Ada plays seat 3, Bob stands behind it; in another round he plays seat 1 too. Own hands come first."""
    ada, bob = house.player("ada"), house.player("bob")
    table = house.live("freebet", ada, bob)
    main, behind = Bet(2, "main", 1_000), Bet(2, "behind", 500)
    house.play_live(table, {ada: (main,), bob: (behind,)}, 1_000)
    house.play_live(table, {ada: (main,), bob: (behind, Bet(0, "main", 700))}, 2_000)
    with house.store.database.reading() as connection:
        both, alone = with_cards(connection, bob, history(connection, bob).lines)
        own, _ = with_cards(connection, ada, history(connection, ada).lines)
    assert alone.behind == len(alone.hands) > 0
    assert (own.behind, both.behind) == (0, len(own.hands))
    assert both.hands[-both.behind :] == own.hands
    assert len(both.hands) > both.behind


def test_a_line_is_the_round_in_sum(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada, "FUN")
    before = table.balance(str(ada))
    code = house.play_solo(table, ada, 86_400_000)
    ((line,),) = pages(house, ada, 20)
    assert (line.code, line.at, line.game, line.currency) == (code, 86_400_000, "surrender", "FUN")
    assert (line.state, line.golden) == ("settled", False)
    assert line.staked >= 1_500
    assert table.balance(str(ada)) == before - line.staked + line.paid


def test_golden_chips_leave_their_mark(house: House) -> None:
    ada, bob = house.player("ada"), house.player("bob")
    table = house.live("majority-eu", ada, bob)
    house.golden(table, ada, 500, 2, 1_000)
    house.store.store(table.open_round(1_000))
    house.bet(table, ada, (Bet(0, "main", 0, (500,)),), 1_000)
    house.bet(table, bob, (Bet(0, "main", 700),), 1_000)
    house.deal_live(table, 1_000)
    house.finish(table, 1_000)
    ((mine,),), ((other,),) = pages(house, ada, 20), pages(house, bob, 20)
    assert (mine.code, mine.golden, mine.staked) == (code_of(table), True, 0)
    assert (other.code, other.golden) == (code_of(table), False)


def test_a_voided_round_is_listed(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("link", ada)
    before = table.balance(str(ada))
    code = house.deal_until_open(table, ada, 1_000)
    house.void(table, 2_000)
    line = pages(house, ada, 20)[0][0]
    assert (line.code, line.state, line.staked, line.paid) == (code, "voided", 0, 0)
    if len(pages(house, ada, 20)[0]) == 1:
        assert table.balance(str(ada)) == before


@pytest.mark.parametrize(
    "cursor", ["", "x", "MTIz", "!!!!", "eA", "MTAw/", "ü", "LTk5OTk5OTk5OTk5OTk5OTk5OTk5OTkvQQ"]
)
def test_a_place_that_is_none(house: House, cursor: str) -> None:
    with (
        house.store.database.reading() as connection,
        pytest.raises(Refusal, match="not a place in the history"),
    ):
        history(connection, 1, before=cursor)


def test_a_page_has_a_line(house: House) -> None:
    with house.store.database.reading() as connection, pytest.raises(ValueError, match="one line or more"):
        history(connection, 1, limit=0)


# One round


def test_a_round_opens_to_all_that_its_player_saw(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("link", ada)
    before = table.balance(str(ada))
    code = house.play_solo(table, ada, 1_000, every_bet("link"))
    with house.store.database.reading() as connection:
        view = round_view(connection, code, ada)
    assert table.current is not None
    events = [event for moment in view.moments for event in moment.events]
    assert tuple(events) == tuple(table.current.round.log)
    assert sum(moment.moved for moment in view.moments) == table.balance(str(ada)) - before
    assert view.line == pages(house, ada, 20)[0][0]


@pytest.mark.parametrize("game", ["majority-us", "freebet"])
def test_nothing_private_of_another_player_is_shown(house: House, game: str) -> None:
    ada, bob, cy = (house.player(name) for name in ("ada", "bob", "cy"))
    table = house.live(game, ada, bob, cy)
    second = Bet(1, "main", 700)
    code = house.play_live(table, {ada: (Bet(0, "main", 1_000),), bob: (second, Bet(1, "21+3", 300))}, 1_000)
    assert table.current is not None
    everything = table.current.round.log
    for player in (ada, bob):
        with house.store.database.reading() as connection:
            view = round_view(connection, code, player)
        seen = [event for moment in view.moments for event in moment.events]
        private = [event for event in seen if isinstance(event, Private)]
        assert {event.player for event in private} == {str(player)}
        assert {BetsPlaced, BetSettled, PlayerPaid} <= {type(event) for event in private}
        assert seen == [e for e in everything if not isinstance(e, Private) or e.player == str(player)]
        stake, paid = view.line.staked, view.line.paid
        assert sum(moment.moved for moment in view.moments) == paid - stake
    for asked, stranger in ((code, cy), (code, 999), ("260829-104000-NONE", ada)):
        with house.store.database.reading() as connection, pytest.raises(Refusal) as error:
            round_view(connection, asked, stranger)
        assert error.value.code == "round/unknown"


def test_another_players_solo_round_is_unknown(house: House) -> None:
    ada, bob = house.player("ada"), house.player("bob")
    code = house.play_solo(house.solo("surrender", ada), ada, 1_000)
    with house.store.database.reading() as connection, pytest.raises(Refusal) as error:
        round_view(connection, code, bob)
    assert error.value.code == "round/unknown"
    assert str(error.value) == f"There is no round {code!r}"


# Records


def paid_to(paid: tuple[PaidPart, ...]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for part in paid:
        sums[part.player] += part.paid
    return sums


@pytest.mark.sampled
@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("game", list(CATALOGUE))
def test_every_stored_round_replays_from_its_record(house: House, game: str) -> None:
    """The record goes through its text, alone; the replay pays what the ledger paid, to the cent."""
    players = [house.player(name) for name in ("ada", "bob")]
    codes = []
    if find(game).live:
        live = house.live(game, *players)
        for at in range(8):
            first, second, *sides = every_bet(game)
            codes.append(house.play_live(live, {players[0]: (first, *sides), players[1]: (second,)}, at))
        house.shuffle(live)
    else:
        solo = house.solo(game, players[0])
        codes += [house.play_solo(solo, players[0], at, every_bet(game)) for at in range(8)]
        codes.append(house.deal_until_open(solo, players[0], 9, every_bet(game)))
        house.void(solo, 9)
    for code in codes:
        with house.store.database.reading() as connection:
            record = round_record(connection, code)
            stored = connection.execute(
                sqlalchemy.select(schema.played).where(schema.played.c.code == code)
            ).all()
        again = replay(loads(dumps(record)))
        assert (record.round.code, record.round.game) == (code, game)
        assert record.shoe.commitment == commitment(bytes.fromhex(record.shoe.seed))
        assert {str(line.player): line.paid for line in stored if line.paid} == +paid_to(record.paid)
        if record.round.end == "settled":
            sums = {e.player: (e.staked, e.paid) for e in again.log if isinstance(e, PlayerPaid)}
            assert sums == {str(line.player): (line.staked, line.paid) for line in stored}
        else:
            assert any(isinstance(event, RoundVoided) for event in again.log)


def test_a_live_shoe_in_use_keeps_its_records(house: House) -> None:
    """They would tell cards that nobody has seen: only the house may look, with its key."""
    ada = house.player("ada")
    table = house.live("majority-eu", ada)
    code = house.play_live(table, {ada: (Bet(0, "main", 1_000),)}, 1_000)
    no_record("round/not-revealed", house, code)
    own = record_of(house, code, VAULT)
    with pytest.raises(ReplayError, match="sealed with key"):
        record_of(house, code, Vault(b"\x01" * 32))
    house.shuffle(table)
    assert record_of(house, code) == own


def test_a_round_being_played_has_no_record(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    code = house.deal_until_open(table, ada, 1_000)
    no_record("round/not-over", house, code, VAULT)
    no_record("round/unknown", house, "260829-104000-NONE")


def test_a_round_that_was_refunded_says_so(house: House) -> None:
    """The key is lost: the round cannot be played on, so everything goes back."""
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    before = table.balance(str(ada))
    code = house.deal_until_open(table, ada, 1_000)
    staked_before = {line.code for line in pages(house, ada, 50)[0]}
    tools = house.tools._replace(shoes=SecureShoes(Vault(b"\x01" * 32)))
    again = open_table(table.config, tools, at=2_000)
    line = pages(house, ada, 50)[0][0]
    assert (line.code, line.state, line.staked, line.paid) == (code, "voided", 0, 0)
    assert code not in staked_before
    no_record("round/refunded", house, code, VAULT)
    with house.store.database.reading() as connection:
        view = round_view(connection, code, ada)
    assert sum(moment.moved for moment in view.moments) == 0
    assert view.moments[-1].events == ()
    assert view.moments[-1].moved >= sum(bet.stake for bet in TWO_HANDS)
    if not staked_before:
        assert again.balance(str(ada)) == before


def test_a_changed_row_does_not_replay(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    code = house.play_solo(table, ada, 1_000)
    log, shoes = schema.log, schema.shoes
    with house.store.database.writing() as connection:
        row = connection.execute(
            sqlalchemy.select(log).where(log.c.round == code, log.c.kind == "deal")
        ).one()
        change = sqlalchemy.update(log).where(log.c.stream == row.stream, log.c.n == row.n)
        connection.execute(change.values(body=row.body.replace(b'"total":', b'"total":1')))
    with pytest.raises(ReplayError, match="deal: other events than are stored"):
        record_of(house, code)
    with house.store.database.writing() as connection:
        connection.execute(change.values(body=row.body))
        connection.execute(
            sqlalchemy.update(shoes).where(shoes.c.seed.is_not(None)).values(seed=b"\x02" * 32)
        )
    with pytest.raises(ReplayError, match="not the one committed to"):
        record_of(house, code)


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        (schema.log, {"body": b"no JSON"}, "cannot be read"),
        (schema.log, {"body": b"{}"}, "does not say how it was opened"),
        (schema.log, {"round": "another"}, "has no row of it"),
        (schema.shoes, {"id": -schema.shoes.c.id}, "there is no shoe"),
        (schema.shoes, {"seed": b"short"}, "not the one committed to"),
        (schema.shoes, {"client_seed": "line\nbreak"}, "client seed"),
    ],
)
def test_a_round_that_was_spoilt_does_not_replay(
    house: House, table: sqlalchemy.Table, change: dict[str, object], message: str
) -> None:
    ada = house.player("ada")
    code = house.play_solo(house.solo("surrender", ada), ada, 1_000)
    with house.store.database.writing() as connection:
        connection.execute(sqlalchemy.update(table).values(change))
    with pytest.raises(ReplayError, match=message):
        record_of(house, code)


def test_a_round_of_other_rules_does_not_replay(house: House) -> None:
    ada = house.player("ada")
    code = house.play_solo(house.solo("surrender", ada), ada, 1_000)
    log = schema.log
    with house.store.database.writing() as connection:
        first = connection.execute(
            sqlalchemy.select(log).where(log.c.round == code).order_by(log.c.n)
        ).first()
        assert first is not None
        digest = find("surrender").rules.sha256.encode()
        changed = first.body.replace(digest, b"0" * 64)
        where = (log.c.stream == first.stream, log.c.n == first.n)
        connection.execute(sqlalchemy.update(log).where(*where).values(body=changed))
    with pytest.raises(ReplayError, match="the rules of surrender have changed"):
        record_of(house, code)
