"""A bet asks the database only where a limit in force depends on what was played; what changes is known at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.server.accounts import known_limits
from sabot.server.accounts.logins import Login
from tests.support.clock import MINUTE
from tests.support.site import Caller, Site

STAKE = (Bet(0, "main", 1000),)


async def come(site: Site, name: str = "ada") -> tuple[Caller, Login]:
    """A player whose socket has opened."""
    caller = await site.join(name)
    login = await site.players.find(caller.token)
    assert login is not None
    assert await site.players.confirm(login)
    return caller, login


async def why_not(site: Site, login: Login, currency: Any = "EUR") -> str:
    """The code with which a bet is refused; nothing if it may be."""
    try:
        await site.players.may_bet(login, STAKE, currency)
    except Refusal as error:
        return error.code
    return ""


async def reads(site: Site, act: Callable[[], Awaitable[object]]) -> int:
    """How often something asks the database."""
    count, run = 0, site.house._in_time

    async def counted(*args: Any) -> Any:
        nonlocal count
        count += 1
        return await run(*args)

    with patch.object(site.house, "_in_time", counted):
        await act()
    return count


@pytest.mark.rule("ASR-41")
async def test_a_bet_without_a_limit_asks_no_database(file_url: str) -> None:
    """Nor one with a limit of deposits, or a loss limit and play money; a loss limit and the session's time do ask."""

    async with Site(file_url) as site:
        ada, login = await come(site)

        async def bet(currency: str) -> int:
            await why_not(site, login, currency)  # known again after a change
            return await reads(site, lambda: why_not(site, login, currency))

        assert await reads(site, lambda: why_not(site, login)) == 0
        assert (await bet("EUR"), await bet("FUN")) == (0, 0)
        await ada.put("/protections", {"deposit_day": 500})
        assert (await bet("EUR"), await bet("FUN")) == (0, 0)
        await ada.put("/protections", {"loss_day": 50_000})
        assert (await bet("EUR"), await bet("FUN")) == (1, 0)
        await ada.put("/protections", {"session_minutes": 600})
        assert (await bet("EUR"), await bet("FUN")) == (1, 1)


@pytest.mark.rule("ASR-41")
async def test_what_changes_holds_for_the_next_bet(file_url: str) -> None:
    async with Site(file_url) as site:
        ada, login = await come(site)
        assert await why_not(site, login) == ""
        await ada.put("/protections", {"loss_day": 999})
        assert (await why_not(site, login), await why_not(site, login, "FUN")) == (
            "protection/loss-limit",
            "",
        )
        await ada.put("/protections", {"time_out": site.clock.ms + 60 * MINUTE})
        assert await why_not(site, login, "FUN") == "protection/time-out"
        site.clock.ms += 60 * MINUTE  # it ends by itself, without a change
        assert await why_not(site, login, "FUN") == ""
        await ada.post("/logout")
        assert await why_not(site, login, "FUN") == "login/required"


@pytest.mark.rule("ASR-41")
async def test_what_was_being_read_when_it_changed_is_not_known(file_url: str) -> None:
    """The limit is set after the database was asked, and before the answer is there."""

    async with Site(file_url) as site:
        ada, login = await come(site)
        limits, read = site.players._known, site.players._known._read

        async def slow(ask: Any) -> Any:
            found = await read(ask)
            limits._read = read
            await ada.put("/protections", {"loss_day": 999})
            return found

        limits._read = slow
        assert await site.players.confirm(login)
        assert await why_not(site, login) == "protection/loss-limit"


async def test_only_so_many_players_are_known(file_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not played for the longest time is read again."""
    monkeypatch.setattr(known_limits, "MOST_KNOWN", 2)

    async with Site(file_url) as site:
        (_, ada), (_, bob) = await come(site), await come(site, "bob")
        await why_not(site, ada)
        _, eve = await come(site, "eve")
        assert [await reads(site, partial(why_not, site, who)) for who in (ada, eve, bob)] == [0, 0, 1]


async def test_a_crowd_that_plays_is_noted_without_being_waited_for(file_url: str) -> None:
    async with Site(file_url) as site:
        logins = [(await come(site, name))[1] for name in ("ada", "bob", "eve")]
        site.clock.ms += 2 * MINUTE
        assert [await why_not(site, login) for login in logins] == ["", "", ""]
        noting = site.players._noting
        assert noting is not None
        await noting
        with site.database.reading() as connection:
            seen = connection.exec_driver_sql("SELECT seen_at FROM logins").scalars().all()
        assert seen == [site.clock.ms] * 3
