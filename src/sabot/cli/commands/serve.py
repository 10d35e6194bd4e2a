"""`sabot serve` and `sabot config`: runs the house, and shows its settings."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
import typer

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings
from sabot.cli.shared import AsJson, Language, Output, option

Host = Annotated[str | None, option("HOST", "The address to listen on.")]
Port = Annotated[int | None, option("PORT", "The port to listen on; 0 takes a free one.")]


def serve(
    host: Host = None,
    port: Port = None,
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    lang: Language = None,
) -> None:
    """Open the house: everything on one port, with a database of its own."""
    out = Output(lang)
    loaded = load_settings(out, config, database, host=host, port=port)
    from random import Random

    import uvloop

    from sabot.bots.house_bots import run_bots
    from sabot.bots.player import Tally
    from sabot.errors import Refusal
    from sabot.fairness.vault import VaultError
    from sabot.server import logs, run
    from sabot.store.database import DatabaseError, hide_password
    from sabot.store.errors import DATABASE_ERRORS, reason_of

    def opened(url: str) -> None:
        out.say("serve.open", url=url)
        if run.is_known_at_home_only(loaded.config.server):
            out.say("serve.hosts")

    def bots(environment: run.BotEnvironment) -> Coroutine[Any, Any, None]:
        return run_bots(environment, Random(), Tally())

    logs.configure()
    try:
        house, bus = run.secure_house(loaded.config)
        uvloop.run(run.serve(house, bus=bus, opened=opened, run_bots=bots))
    except Refusal as error:  # a table that does not fit its game
        out.fail(out.catalogue.error(error))
    except (DatabaseError, VaultError, OSError) as error:
        out.refuse("serve.cannot", reason=error)
    except DATABASE_ERRORS as error:
        url = hide_password(loaded.config.database.url)
        out.refuse("house.unreachable", url=url, reason=reason_of(error))


def show_config(
    host: Host = None,
    port: Port = None,
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Print the settings in force and where each came from."""
    from sabot.server.addresses import without_login
    from sabot.store.database import hide_password

    out = Output(lang)
    loaded = load_settings(out, config, database, host=host, port=port)
    shown = msgspec.to_builtins(loaded.config)
    shown["database"]["url"] = hide_password(loaded.config.database.url)
    if loaded.config.server.metrics_token:
        shown["server"]["metrics_token"] = "***"
    shown["bus"]["url"] = [*map(without_login, loaded.config.bus.url)]
    if loaded.config.bus.token:
        shown["bus"]["token"] = "***"
    for device in shown["device"]:
        device["token"] = "***"
    if as_json:
        out.json(shown)
        return
    for section in ("house", "operator", "server", "cashier", "database", "bus", "office", "studio"):
        typer.echo(f"[{section}]")
        for field, value in shown[section].items():
            if value is not None:  # TOML has no null
                typer.echo(f"{f'{field} = {_toml(value)}':<44} # {loaded.source(f'{section}.{field}')}")
        typer.echo()
    for section in ("table", "limits", "device"):
        for entry in shown[section]:
            typer.echo(f"{f'[[{section}]]':<44} # {loaded.source(section)}")
            for field, value in entry.items():
                if value is not None:
                    typer.echo(f"{field} = {_toml(value)}")
            typer.echo()


def _toml(value: Any) -> str:
    """A setting as TOML in one line, so that its source fits beside it.

    >>> _toml({"main": {"minimum": 100}, "side_bets_off": ("buster",)})
    '{ main = { minimum = 100 }, side_bets_off = ["buster"] }'
    """
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {_toml(part)}" for key, part in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return msgspec.json.encode(value).decode()
