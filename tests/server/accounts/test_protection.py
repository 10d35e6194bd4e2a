"""Limits of a player's own, rule by rule (PLT-50, PLT-51, ASR-41): first the rules alone, then in a house."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.engine.commands import Bet
from sabot.errors import Refusal
from sabot.rounds.audit import audit_house
from sabot.server.accounts.limits import (
    FOR_GOOD,
    Day,
    Session,
    Setting,
    decide,
    is_stricter,
    may_bet,
    may_deposit,
    may_log_in,
    standing,
)
from sabot.store.kinds import ProtectionKind
from tests.support.clock import HOUR, MINUTE, NOON
from tests.support.house import VAULT
from tests.support.refused import refused
from tests.support.site import Caller, Site

COOLING = 24 * HOUR
AMOUNTS: list[ProtectionKind] = ["deposit-day", "loss-day", "session-minutes"]
MOMENTS: list[ProtectionKind] = ["time-out", "self-exclusion"]
HERE = Session(NOON, NOON)
STAKE = (Bet(0, "main", 100),)


def settings(*wishes: tuple[int, ProtectionKind, int | None]) -> list[Setting]:
    """The settings that a player's wishes make, one after the other."""
    made: list[Setting] = []
    for at, kind, value in wishes:
        decided = decide(standing(made, at), {kind: value}, COOLING)
        made += [Setting(kind, at, *setting) for kind, setting in decided.items()]
    return made


# What is in force


@pytest.mark.parametrize("kind", AMOUNTS)
def test_a_stricter_limit_acts_at_once_a_looser_one_later(kind: ProtectionKind) -> None:
    made = settings((0, kind, 100), (10, kind, 40), (20, kind, 70))
    assert [standing(made[:1], 9).value(kind), standing(made[:2], 10).value(kind)] == [100, 40]
    assert standing(made, 20).value(kind) == 40
    assert standing(made, 20).pending[kind].value == 70
    assert [standing(made, at).value(kind) for at in (20 + COOLING - 1, 20 + COOLING)] == [40, 70]


@pytest.mark.parametrize("kind", AMOUNTS)
def test_to_lift_a_limit_is_looser_than_any(kind: ProtectionKind) -> None:
    made = settings((0, kind, 100), (5, kind, None))
    assert [standing(made, at).value(kind) for at in (5, 5 + COOLING - 1, 5 + COOLING)] == [100, 100, None]


def test_a_stricter_limit_takes_the_place_of_a_looser_one_that_waits() -> None:
    made = settings((0, "loss-day", 100), (10, "loss-day", 500), (20, "loss-day", 50))
    now = standing(made, 10 + COOLING)
    assert (now.value("loss-day"), dict(now.pending)) == (50, {})


def test_a_second_wish_takes_the_place_of_the_first_and_waits_anew() -> None:
    made = settings((0, "loss-day", 100), (10, "loss-day", 500), (20, "loss-day", 150))
    assert [standing(made, at).value("loss-day") for at in (10 + COOLING, 20 + COOLING)] == [100, 150]


def test_a_wish_can_be_taken_back() -> None:
    made = settings((0, "loss-day", 100), (10, "loss-day", 500), (20, "loss-day", 100))
    now = standing(made, 20 + COOLING)
    assert (now.value("loss-day"), dict(now.pending)) == (100, {})


def test_the_same_wish_again_does_not_wait_anew() -> None:
    made = settings((0, "loss-day", 100), (10, "loss-day", 500), (20, "loss-day", 500))
    assert standing(made, 10 + COOLING).value("loss-day") == 500
    assert len(made) == 2


@pytest.mark.parametrize("kind", MOMENTS)
def test_a_moment_passes_by_itself(kind: ProtectionKind) -> None:
    made = settings((0, kind, 100))
    assert [standing(made, at).value(kind) for at in (0, 99, 100)] == [100, 100, None]
    longer = settings((0, kind, 100), (50, kind, 200))
    assert standing(longer, 150).value(kind) == 200
    refused("protection/in-the-past", lambda: decide(standing(made, 100), {kind: 100}, COOLING))


def test_a_time_out_is_shortened_after_the_cooling_off_time_only() -> None:
    week = 7 * 24 * HOUR
    made = settings((0, "time-out", week), (10, "time-out", None))
    assert [standing(made, at).value("time-out") for at in (10, 10 + COOLING)] == [week, None]


@pytest.mark.parametrize("wish", [None, 50, 99])
def test_a_self_exclusion_is_never_shortened(wish: int | None) -> None:
    now = standing(settings((0, "self-exclusion", 100)), 10)
    refused("protection/shorter", lambda: decide(now, {"self-exclusion": wish}, COOLING))
    assert decide(now, {"self-exclusion": FOR_GOOD}, COOLING) == {"self-exclusion": (FOR_GOOD, 10)}


@given(
    wishes=st.lists(
        st.tuples(
            st.integers(0, COOLING),
            st.sampled_from([*AMOUNTS, *MOMENTS]),
            st.none() | st.integers(0, 5 * COOLING),
        ),
        max_size=15,
    )
)
def test_no_wish_loosens_anything_before_its_time(
    wishes: list[tuple[int, ProtectionKind, int | None]],
) -> None:
    """Whatever is asked in whatever order: until the cooling-off time is over, what was in force is, or stricter."""
    made: list[Setting] = []
    now = 0
    for pause, kind, value in wishes:
        now += pause
        before = standing(made, now)
        try:
            decided = decide(before, {kind: value}, COOLING)
        except Refusal:
            continue
        new = [*made, *(Setting(kind, now, *setting) for kind, setting in decided.items())]
        for later in (now, now + COOLING - 1):
            old, after = standing(made, later).value(kind), standing(new, later).value(kind)
            assert is_stricter(kind, after, old)
        made = new
        now += 1


# What may be done


def test_deposits_of_a_day() -> None:
    now = standing(settings((0, "deposit-day", 1000)), NOON)
    may_deposit(now, Day(deposited=400), 600)
    told = refused("protection/deposit-limit", lambda: may_deposit(now, Day(deposited=400), 601)).params
    assert told == {"limit": 1000, "left": 600}
    may_deposit(standing([], NOON), Day(deposited=10**9), 10**9)


def test_losses_of_a_day() -> None:
    now = standing(settings((0, "loss-day", 1000)), NOON)
    may_bet(now, Day(lost=400), HERE, 600)
    told = refused(
        "protection/loss-limit", lambda: may_bet(now, Day(lost=400, at_stake=100), HERE, 501)
    ).params
    assert told == {"limit": 1000, "left": 500}
    may_bet(now, Day(lost=-5000), HERE, 6000)  # what was won today can be staked
    assert refused("protection/loss-limit", lambda: may_bet(now, Day(lost=1700), HERE, 1)).params["left"] == 0


def test_minutes_of_a_session() -> None:
    now = standing(settings((0, "session-minutes", 60)), NOON)
    may_bet(now, Day(), Session(NOON - 60 * MINUTE + 1, NOON), 1)
    refused("protection/session-limit", lambda: may_bet(now, Day(), Session(NOON - 60 * MINUTE, NOON), 1))


def test_who_has_taken_a_time_out_neither_bets_nor_deposits_but_comes_in() -> None:
    now = standing(settings((0, "time-out", NOON + 1)), NOON)
    refused("protection/time-out", lambda: may_bet(now, Day(), HERE, 1))
    refused("protection/time-out", lambda: may_deposit(now, Day(), 1))
    may_log_in(now)
    may_bet(now._replace(at=NOON + 1), Day(), HERE, 1)


def test_who_is_excluded_neither_comes_in_nor_bets_nor_deposits() -> None:
    now = standing(settings((0, "self-exclusion", FOR_GOOD)), NOON)
    for act in (
        lambda: may_log_in(now),
        lambda: may_bet(now, Day(), HERE, 1),
        lambda: may_deposit(now, Day(), 1),
    ):
        refused("protection/excluded", act)


# In a house


async def money(site: Site, name: str, amount: int = 1_000_000) -> tuple[Caller, int]:
    """A player with money."""
    caller = await site.join(name)
    paid = await caller.post("/cashier/deposit", {"id": "first", "currency": "EUR", "amount": amount})
    assert paid.status == 200
    return caller, (await caller.get("/me")).body["player"]


async def bet_refused(site: Site, caller: Caller, stake: int, currency: str = "EUR") -> str:
    """The code with which a bet is refused; empty if it may be."""
    login = await site.players.find(caller.token)
    assert login is not None
    try:
        await site.players.may_bet(login, (Bet(0, "main", stake),), currency)  # type: ignore[arg-type]
    except Refusal as error:
        return error.code
    return ""


async def test_limits_of_the_players_own(database_url: str) -> None:
    """Deposit, loss, session time, time-out, self-exclusion: stricter at once, looser after the cooling-off time."""

    async with Site(database_url) as site:
        ada, _ = await money(site, "ada", 5_000)
        assert (await ada.get("/protections")).body == {
            "in_force": [],
            "pending": [],
            "deposited_today": 5_000,
            "lost_today": 0,
        }
        told = (
            await ada.put("/protections", {"deposit_day": 6_000, "loss_day": 700, "session_minutes": 90})
        ).body
        assert {one["kind"]: one["value"] for one in told["in_force"]} == {
            "deposit-day": 6_000,
            "loss-day": 700,
            "session-minutes": 90,
        }
        # Deposit
        payment = {"id": "next", "currency": "EUR", "amount": 1_001}
        over = await ada.post("/cashier/deposit", payment)
        assert (over.status, over.code) == (403, "protection/deposit-limit")
        assert (await ada.get("/cashier")).body["deposit_left"] == 1_000
        assert (await ada.post("/cashier/deposit", payment | {"amount": 1_000})).status == 200
        assert (
            await ada.post("/cashier/deposit", payment | {"amount": 1_000})
        ).status == 200  # the same again
        page = (await ada.get("/cashier")).body
        assert (page["balances"], page["deposit_left"]) == ({"EUR": 6_000, "FUN": 0}, 0)
        # Loss
        assert await bet_refused(site, ada, 701) == "protection/loss-limit"
        assert await bet_refused(site, ada, 700) == ""
        assert await bet_refused(site, ada, 701, "FUN") == ""
        # Looser later, stricter at once
        told = (await ada.put("/protections", {"loss_day": None, "deposit_day": 5_500})).body
        assert [(one["kind"], one["value"]) for one in told["pending"]] == [("loss-day", None)]
        assert {one["kind"]: one["value"] for one in told["in_force"]}["deposit-day"] == 5_500
        assert await bet_refused(site, ada, 701) == "protection/loss-limit"
        # Session time, counted on over a new login
        for _ in range(9):
            site.clock.ms += 10 * MINUTE
            assert (await ada.get("/me")).status == 200
        assert await bet_refused(site, ada, 1) == "protection/session-limit"
        ada = Caller(site, (await site.come("ada")).body["token"])
        assert (await ada.get("/me")).body["session"]["minutes"] == 90
        assert await bet_refused(site, ada, 1) == "protection/session-limit"
        site.clock.ms += 16 * MINUTE
        assert await bet_refused(site, ada, 1) == ""
        site.clock.ms += 24 * HOUR
        ada = Caller(site, (await site.come("ada")).body["token"])
        assert await bet_refused(site, ada, 10_000) == ""
        # Time-out
        await ada.put("/protections", {"time_out": site.clock.ms + HOUR})
        assert await bet_refused(site, ada, 1, "FUN") == "protection/time-out"
        assert (await ada.post("/cashier/deposit", payment | {"id": "x"})).code == "protection/time-out"
        assert (await ada.put("/protections", {"time_out": None})).body["pending"][0]["kind"] == "time-out"
        assert await bet_refused(site, ada, 1) == "protection/time-out"
        site.clock.ms += HOUR
        assert await bet_refused(site, ada, 1) == ""
        # Self-exclusion: cannot log in to play
        until = site.clock.ms + 48 * HOUR
        await ada.put("/protections", {"self_exclusion": until})
        refusal = await site.come("ada")
        assert (refusal.status, refusal.code) == (403, "protection/excluded")
        site.clock.ms = until
        assert (await site.come("ada")).status == 200
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("ASR-41")
async def test_a_limit_reached_in_a_round_and_self_exclusion(database_url: str) -> None:
    """The round finishes and the next bet is blocked; exclusion ends every login, rounds finish, money comes out."""

    async with Site(database_url) as site:
        ada, player = await money(site, "ada")
        ended: list[tuple[int, bytes | None]] = []
        site.players.on_logout.append(lambda player, token: ended.append((player, token)))
        await ada.put("/protections", {"loss_day": 1_600})
        # Two hands of 15.00 together: the bet may be placed, and its round may lose more by doubling.
        assert await bet_refused(site, ada, 1_500) == ""
        lost = 0
        while lost < 200:
            lost += await _losing_round(site, player)
        assert (await ada.get("/protections")).body["lost_today"] == lost
        assert await bet_refused(site, ada, 1_500) == "protection/loss-limit"
        site.clock.ms += 12 * HOUR  # another day, UTC
        assert (await ada.get("/protections")).body["lost_today"] == 0
        assert await bet_refused(site, ada, 1_500) == ""
        # An open round while the player excludes herself
        room = await site.open_round(player)
        assert await bet_refused(site, ada, 200) == "protection/loss-limit"  # what is at stake counts
        other = Caller(site, (await site.come("ada")).body["token"])
        assert (await ada.put("/protections", {"self_exclusion": "for-good"})).status == 200
        assert ended == [(player, None)]
        assert [(await caller.get("/me")).status for caller in (ada, other)] == [401, 401]
        assert (await site.come("ada")).code == "protection/excluded"
        await site.finish(room, player)
        # She still takes her money away.
        ada = Caller(site, (await site.come("ada", purpose="withdraw")).body["token"])
        assert await bet_refused(site, ada, 1) == "protection/excluded"
        balance = (await ada.get("/cashier")).body["balances"]["EUR"]
        deposit = await ada.post("/cashier/deposit", {"id": "in", "currency": "EUR", "amount": 1})
        assert (deposit.status, deposit.code) == (403, "protection/excluded")
        taken = await ada.post("/cashier/withdraw", {"id": "out", "currency": "EUR", "amount": balance})
        assert taken.body == {"currency": "EUR", "balance": 0}
        assert balance > 900_000
        shorter = await ada.put("/protections", {"self_exclusion": None})
        assert (shorter.status, shorter.code) == (403, "protection/excluded")
        assert audit_house(site.database, vault=VAULT).findings == []


async def _losing_round(site: Site, player: int) -> int:
    """Play a round; gives what it lost, below 0 if it won."""
    code = await site.play(player)
    with site.database.reading() as connection:
        row = connection.exec_driver_sql(f"SELECT staked - paid FROM played WHERE code = '{code}'")
        return int(str(row.scalar_one()))


async def test_the_session_clock_and_the_net_result(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, player = await money(site, "ada")
        began = site.clock.ms
        site.clock.ms += 5 * MINUTE
        lost = await _losing_round(site, player)
        session = (await ada.get("/me")).body["session"]
        assert (session["began_at"], session["minutes"], session["reality_minutes"]) == (began, 5, 60)
        (net,) = session["net"]
        assert (net["currency"], net["rounds"], net["staked"] - net["paid"]) == ("EUR", 1, lost)
        site.clock.ms += 16 * MINUTE  # away for longer than a pause: a new session
        session = (await ada.get("/me")).body["session"]
        assert (session["began_at"], session["minutes"], session["net"]) == (site.clock.ms, 0, [])


@pytest.mark.rule("PLT-51")
async def test_a_reality_check_is_answered_once_on_every_device(database_url: str) -> None:
    """The first one is due after an hour; what is answered before that, or again, is not stored."""
    async with Site(database_url) as site:
        ada, _ = await money(site, "ada")
        began = site.clock.ms

        async def wait(minutes: int) -> None:
            """Minutes pass; the player is here all the time."""
            for _ in range(minutes // 10):
                site.clock.ms += 10 * MINUTE
                assert (await ada.get("/me")).status == 200

        async def answer(caller: Caller) -> tuple[int, int | None]:
            assert (await caller.post("/reality-check")).status == 204
            with site.database.reading() as connection:
                stored = connection.exec_driver_sql("SELECT count(*) FROM reality_checks").scalar_one()
            return int(str(stored)), (await caller.get("/me")).body["session"]["checked_at"]

        await wait(50)
        assert await answer(ada) == (0, None)
        await wait(10)
        assert await answer(ada) == (1, began + HOUR)
        await wait(10)
        other = Caller(site, (await site.come("ada")).body["token"])
        assert await answer(other) == (1, began + HOUR)
        await wait(50)
        assert await answer(other) == (2, began + 2 * HOUR)
        assert (await ada.get("/me")).body["session"]["checked_at"] == began + 2 * HOUR
        bob, _ = await money(site, "bob")
        assert (await bob.get("/me")).body["session"]["checked_at"] is None
        site.clock.ms += 16 * MINUTE  # a new session
        assert await answer(ada) == (2, None)
        assert (await site.nobody.post("/reality-check")).code == "login/required"
        assert audit_house(site.database, vault=VAULT).findings == []


async def test_a_login_that_ended_behind_an_open_socket_bets_no_more(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, _ = await money(site, "ada")
        login = await site.players.find(ada.token)
        assert login is not None
        await site.players.may_bet(login, STAKE, "EUR")
        for end in ("revoke", "expire"):
            if end == "revoke":
                await ada.post("/logout")
            else:
                login = await site.players.find((await site.come("ada")).body["token"])
                assert login is not None
                site.clock.ms += 24 * HOUR
            with pytest.raises(Refusal) as error:
                await site.players.may_bet(login, STAKE, "EUR")
            assert error.value.code == "login/required"


async def test_a_session_over_one_socket_is_as_long_as_it_is(database_url: str) -> None:
    """Bets alone keep a session going, and it is written down at most once a minute."""

    async with Site(database_url) as site:
        ada, _ = await money(site, "ada")
        await ada.put("/protections", {"session_minutes": 60})
        login = await site.players.find(ada.token)
        assert login is not None
        for _ in range(6):
            await site.players.may_bet(login, STAKE, "FUN")
            site.clock.ms += 10 * MINUTE
        with pytest.raises(Refusal) as error:
            await site.players.may_bet(login, STAKE, "FUN")
        assert error.value.params["minutes"] == 60


async def test_old_logins_are_forgotten(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("ada")
        site.clock.ms += 8 * 24 * HOUR
        await site.players.sweep()
        with site.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM logins").scalar() == 1
        site.clock.ms += 1
        await site.players.sweep()
        assert (await ada.get("/me")).status == 401
        with site.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM logins").scalar() == 0
