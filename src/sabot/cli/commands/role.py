"""`sabot role`: gives a player a role at the console, for example the first administrator."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Annotated, get_args

import msgspec

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings, open_database
from sabot.cli.shared import Language, Output, argument, option

if TYPE_CHECKING:
    from sabot.store.database import Database
    from sabot.store.kinds import Role


def role(
    name: Annotated[str, argument("NAME", "A player who has registered.")],
    role: Annotated[str, argument("ROLE", "player, presenter, supervisor, administrator or auditor.")],
    reason: Annotated[str, option("TEXT", "The reason, for the log.")],
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    lang: Language = None,
) -> None:
    """Give a player another role, also while the house is open. The log keeps the reason (ASR-33)."""
    out = Output(lang)
    wanted = _role(role, out)
    check_reason(reason, out)
    with open_database(load_settings(out, config, database), out) as opened:
        _give(opened, name, wanted, reason, out)
    out.say("role.given", name=name, role=role)


def _give(database: Database, name: str, role: Role, reason: str, out: Output) -> None:
    """Write the row, in a stream of the console's own: a running house is not disturbed."""
    from sabot.errors import Refusal
    from sabot.store.cashier import find_player
    from sabot.store.register import Register
    from sabot.store.store import Store

    with database.reading() as connection:
        player = find_player(connection, name)
    if player is None:
        out.refuse("role.none", name=name)
    at = int(time() * 1000)
    try:
        Register.at_console(Store(database), at).give_role(None, player, role, reason, at)
    except Refusal as error:
        if error.code == "player/none":
            out.refuse("role.demo", name=name)
        out.fail(out.catalogue.error(error))


def _role(text: str, out: Output) -> Role:
    from sabot.store.kinds import Role

    known: tuple[Role, ...] = get_args(Role)
    found = next((role for role in known if role == text), None)
    if found is None:
        out.refuse("role.unknown", name=text, known=", ".join(known))
    return found


def check_reason(text: str, out: Output) -> None:
    """Refuse the command if a reason is too short or too long for the log."""
    from sabot.protocol.fields import LEAST_REASON, MOST_REASON, Reason

    try:
        msgspec.convert(text, Reason)
    except msgspec.ValidationError:
        out.refuse("role.reason", least=LEAST_REASON, most=MOST_REASON)
