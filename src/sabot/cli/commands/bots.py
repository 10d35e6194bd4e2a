"""`sabot bots`: bots that play at a table of an open house."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from sabot.cli.shared import Language, Output, option

if TYPE_CHECKING:
    from sabot.bots.player import Tally

MOST_PLAYERS = 500
#: Seconds between two lines of the report.
_EVERY = 10.0


def bots(
    table: Annotated[str, option("TABLE", "A play-money table of the lobby.")],
    players: Annotated[int, option("N", "How many bots.")],
    url: Annotated[str, option("URL", "The address of the house.")] = "http://127.0.0.1:8765",
    seed: Annotated[int | None, option("N", "Draw the same characters and choices again.")] = None,
    minutes: Annotated[float | None, option("M", "End after so many minutes; else with CTRL+C.")] = None,
    lang: Language = None,
) -> None:
    """Let bots play at a live table, for play money and marked as bots."""
    out = Output(lang)
    if not 1 <= players <= MOST_PLAYERS:
        out.refuse("bots.players", players=players, most=MOST_PLAYERS)
    if minutes is not None and not 0 < minutes < float("inf"):
        out.refuse("bots.minutes", minutes=minutes)
    if not _is_address(url):
        out.refuse("bots.url", url=url)
    import uvloop

    from sabot.server import logs

    logs.configure()
    with suppress(KeyboardInterrupt):
        uvloop.run(_bring(out, url, table, players, seed, minutes))


async def _bring(
    out: Output, url: str, table: str, players: int, seed: int | None, minutes: float | None
) -> None:
    from random import Random

    import aiohttp

    from sabot.bots.group import BotGroup, BotLogin, NoTableError, find_table
    from sabot.bots.player import Place, open_session
    from sabot.client import RequestError
    from sabot.client.http import STRANGE

    async with open_session() as session:
        try:
            name = await find_table(session, url, table)
        except NoTableError as error:
            known = ", ".join(error.known) or out.catalogue.text("bots.nothing")
            key = "bots.table" if error.head is None else "bots.money"
            currency = error.head.currency if error.head is not None else ""
            out.refuse(key, table=table, currency=currency, known=known)
        except RequestError as error:
            key = "bots.not-a-house" if error.code == STRANGE else "bots.no-house"
            out.refuse(key, url=url, reason=error.code)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            out.refuse("bots.no-house", url=url, reason=" ".join(str(error).split()))

        def waits(seconds: int) -> None:
            out.say("bots.waits", seconds=seconds)

        log_in = BotLogin(session, url, waits=waits)
        group = BotGroup(Place(url, name, session), log_in, players, Random(seed))
        out.say("bots.coming", players=players, table=name, url=url)
        reporter = asyncio.create_task(_report(out, name, group.tally))
        try:
            async with asyncio.timeout(None if minutes is None else 60 * minutes):
                await group.run()
        except TimeoutError:
            pass
        finally:
            reporter.cancel()
            _report_end(out, group.tally)


async def _report(out: Output, table: str, tally: Tally) -> None:
    while True:
        await asyncio.sleep(_EVERY)
        moves = tally.moves
        out.say(
            "bots.line",
            there=tally.there,
            table=table,
            rounds=tally.rounds,
            bets=moves["bet"],
            votes=moves["vote"],
            decisions=moves["decide"] + moves["wish"],
            lines=moves["talk"],
            late=tally.late,
            errors=_errors(tally),
        )


def _report_end(out: Output, tally: Tally) -> None:
    out.say(
        "bots.end",
        rounds=tally.rounds,
        staked=out.catalogue.money(tally.staked, "FUN"),
        paid=out.catalogue.money(tally.paid, "FUN"),
        reconnected=tally.reconnected,
        errors=_errors(tally),
    )


def _errors(tally: Tally) -> str:
    named = ", ".join(f"{code} {count}" for code, count in tally.errors.most_common(3))
    return f"{tally.errors.total()} ({named})" if named else "0"


def _is_address(url: str) -> bool:
    from sabot.server.addresses import WebAddress

    found = WebAddress.parse(url)
    return found is not None and found.scheme in ("http", "https")
