"""Registration: which names can be had, the age of a player, the terms and conditions (ASR-30, PLT-62).

A name must not be taken for the house. Capitals, signs between letters, and digits that look like letters do not make
it another name.

>>> [is_reserved(name) for name in ("Admin", "4dm1n", "s.u.p.p.o.r.t", "casino-staff", "Dea1er_7", "bot2", "the.house")]
[True, True, True, True, True, True, True]
>>> [is_reserved(name) for name in ("ada", "badminton", "bottega", "full-house", "hostess.ann", "casinista")]
[False, False, False, False, False, False]
"""

import re
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.protocol.fields import AnyName, Form, Language, Password, TermsVersion, whole
from sabot.server.config import OperatorConfig
from sabot.store import schema

LEAST_NAME, MOST_NAME = 3, 24
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{{LEAST_NAME - 1},{MOST_NAME - 1}}}")
#: Prefixes of the names of demo players and bots; nobody registers one.
DEMO, BOT = "demo-", "bot-"
#: Words for staff and programs: reserved as a name, and as one word of a longer name.
_WORDS = """
    admin administrator administrators admins amministratore amministrazione assistenza auditor bot bots casino
    croupier dealer ispettore moderator moderatore mod operator operatore presenter presentatore
    presentatrice revisore root sabot security sicurezza staff superuser supervisor supervisore support supporto
    sysadmin system sistema webmaster
"""
#: Reserved as a whole name only.
_WHOLE = """
    aams adm anonymous banco banker casa cashier cassa everyone giocatore house lacasa lobby mazziere me
    nobody none null owner player server service servizio thehouse ufficio undefined user utente
"""
#: Letters that look alike become one; `l` and `1` both become `i`.
_ALIKE = str.maketrans("0134578l", "oieastbi")
#: Years; nobody is older.
_OLDEST = 130


class Registering(Form, frozen=True):
    """A new player. With `bearer` the token comes in the response instead of a cookie."""

    name: AnyName
    password: Password
    #: The date of birth, `1990-12-31`, and the version of the terms that is accepted (PLT-62).
    born: Annotated[str, Meta(pattern=whole("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date as 1990-12-31"))]
    terms: TermsVersion
    bearer: bool = False


class Terms(Struct, frozen=True):
    """The terms in force: paragraphs with a blank line between them, headings after `# `."""

    version: str
    texts: dict[Language, str]


def check_name(name: str) -> None:
    """Refuse a name that cannot be registered."""
    if not _NAME.fullmatch(name) or name.lower().startswith((DEMO, BOT)):
        raise Refusal("name/bad", least=LEAST_NAME, most=MOST_NAME)
    if is_reserved(name):
        raise Refusal("name/reserved", name=name)


def is_reserved(name: str) -> bool:
    """Whether a name would be taken for the house."""
    words = re.split("[._-]+", name)
    words += [word.strip("0123456789") for word in words]
    return _skeleton(name) in _NAMES or any(_skeleton(word) in _SKELETONS for word in words)


def _skeleton(word: str) -> str:
    """A word as the eye reads it: `Adm1n`, `ADMIN` and `a.d.m.i.n` are the same."""
    return re.sub("[._-]", "", word.lower()).translate(_ALIKE).replace("vv", "w").replace("rn", "m")


_SKELETONS = frozenset(map(_skeleton, _WORDS.split()))
_NAMES = _SKELETONS | frozenset(map(_skeleton, _WHOLE.split()))


# Age and terms


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
    """Full years on a day; someone born on 29 February turns a year older on 1 March of other years.

    >>> age_on(date(2008, 2, 29), date(2026, 2, 28)), age_on(date(2008, 2, 29), date(2026, 3, 1))
    (17, 18)
    """
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def terms_of(operator: OperatorConfig) -> Terms:
    """The terms in force: the operator's own files, or the short text that ships."""
    own: dict[Language, str] = {"it": operator.terms_it, "en": operator.terms_en}
    return Terms(operator.terms_version, {language: _text(file, language) for language, file in own.items()})


def _text(file: str, language: str) -> str:
    if file:
        return Path(file).read_text("utf-8")
    return files("sabot.texts").joinpath(f"terms.{language}.txt").read_text("utf-8")


def check_version(operator: OperatorConfig, version: str) -> None:
    """Refuse a version that is not in force."""
    if version != operator.terms_version:
        raise Refusal("terms/version", version=operator.terms_version)


def has_accepted(connection: Connection, player: int, version: str) -> bool:
    """Whether a player has accepted a version of the terms."""
    rows = schema.terms_accepted.c
    query = sqlalchemy.select(rows.at).where(rows.player == player, rows.version == version)
    return connection.execute(query).scalar() is not None
