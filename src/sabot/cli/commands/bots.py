"""`sabot bots`: bots that play at a table of an open house."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from sabot.cli.shared import Language, catalogue_of, refuse
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.bots.tally import Tally

MOST_PLAYERS = 500
#: Seconds between two lines of the report.
_EVERY = 10.0


def bots(
    table: Annotated[str, typer.Option(metavar="TABLE", help="A play-money table of the lobby.")],
    players: Annotated[int, typer.Option(metavar="N", help="How many bots.")],
    url: Annotated[str, typer.Option(metavar="URL", help="Where the house is.")] = "http://127.0.0.1:8765",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same characters and whims again.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(metavar="M", help="End after so many minutes; else with CTRL+C.")
    ] = None,
    lang: Language = None,
) -> None:
    """Let bots play at a live table, for play money and marked as bots."""
    catalogue = catalogue_of(lang)
    if not 1 <= players <= MOST_PLAYERS:
        refuse(catalogue.text("bots.players", players=players, most=MOST_PLAYERS))
    if minutes is not None and not 0 < minutes < float("inf"):
        refuse(catalogue.text("bots.minutes", minutes=minutes))
    if not _is_address(url):
        refuse(catalogue.text("bots.url", url=url))
    import uvloop

    from sabot.server import logs

    logs.configure()
    with suppress(KeyboardInterrupt):
        uvloop.run(_bring(catalogue, url, table, players, seed, minutes))


async def _bring(
    catalogue: Catalogue, url: str, table: str, players: int, seed: int | None, minutes: float | None
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
            known = ", ".join(error.known) or catalogue.text("bots.nothing")
            key = "bots.table" if error.head is None else "bots.money"
            currency = error.head.currency if error.head is not None else ""
            refuse(catalogue.text(key, table=table, currency=currency, known=known))
        except RequestError as error:
            key = "bots.not-a-house" if error.code == STRANGE else "bots.no-house"
            refuse(catalogue.text(key, url=url, reason=error.code))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            refuse(catalogue.text("bots.no-house", url=url, reason=" ".join(str(error).split())))

        def waits(seconds: int) -> None:
            typer.echo(catalogue.text("bots.waits", seconds=seconds))

        log_in = BotLogin(session, url, waits=waits)
        group = BotGroup(Place(url, name, session), log_in, players, Random(seed))
        typer.echo(catalogue.text("bots.coming", players=players, table=name, url=url))
        reporter = asyncio.create_task(_report(catalogue, name, group.tally))
        try:
            async with asyncio.timeout(None if minutes is None else 60 * minutes):
                await group.run()
        except TimeoutError:
            pass
        finally:
            reporter.cancel()
            typer.echo(_end(catalogue, group.tally))


async def _report(catalogue: Catalogue, table: str, tally: Tally) -> None:
    while True:
        await asyncio.sleep(_EVERY)
        moves = tally.moves
        line = catalogue.text(
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
        typer.echo(line)


def _end(catalogue: Catalogue, tally: Tally) -> str:
    return catalogue.text(
        "bots.end",
        rounds=tally.rounds,
        staked=catalogue.money(tally.staked, "FUN"),
        paid=catalogue.money(tally.paid, "FUN"),
        reconnected=tally.reconnected,
        errors=_errors(tally),
    )


def _errors(tally: Tally) -> str:
    named = ", ".join(f"{code} {count}" for code, count in tally.errors.most_common(3))
    return f"{tally.errors.total()} ({named})" if named else "0"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
