"""Terms and conditions, and the age of a player (PLT-62)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path

import sqlalchemy
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server.config import OperatorConfig
from sabot.server.http import models
from sabot.store import schema

#: Nobody is older, in years.
_OLDEST = 130


def terms_of(operator: OperatorConfig) -> models.Terms:
    """The terms in force: the operator's own files, or the short text that ships."""
    own: dict[models.Language, str] = {"it": operator.terms_it, "en": operator.terms_en}
    return models.Terms(
        operator.terms_version, {language: _text(file, language) for language, file in own.items()}
    )


def _text(file: str, language: str) -> str:
    if file:
        return Path(file).read_text("utf-8")
    return files("sabot.texts").joinpath(f"terms.{language}.txt").read_text("utf-8")


def check_registering(operator: OperatorConfig, born: str, terms: str, now_ms: int) -> None:
    """Refuse a player who is too young, or who accepts other terms than those in force."""
    check_version(operator, terms)
    try:
        birth = date.fromisoformat(born)
    except ValueError:
        raise Refusal("birth/bad", born=born) from None
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    if birth > today or today.year - birth.year > _OLDEST:
        raise Refusal("birth/bad", born=born)
    if age_on(birth, today) < operator.least_age:
        raise Refusal("birth/too-young", least=operator.least_age)


def age_on(birth: date, day: date) -> int:
    """Full years on a day; who was born on 29 February has a birthday on 1 March of other years.

    >>> age_on(date(2008, 2, 29), date(2026, 2, 28)), age_on(date(2008, 2, 29), date(2026, 3, 1))
    (17, 18)
    """
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def check_version(operator: OperatorConfig, version: str) -> None:
    """Refuse a version that is not in force."""
    if version != operator.terms_version:
        raise Refusal("terms/version", version=operator.terms_version)


def has_accepted(connection: Connection, player: int, version: str) -> bool:
    """Whether a player has accepted a version of the terms."""
    rows = schema.terms_accepted.c
    query = sqlalchemy.select(rows.at).where(rows.player == player, rows.version == version)
    return connection.execute(query).scalar() is not None


def must_have_accepted(connection: Connection, player: int, version: str) -> None:
    """Refuse play for money by one who has not accepted the terms in force."""
    if not has_accepted(connection, player, version):
        raise Refusal("terms/not-accepted", version=version)
