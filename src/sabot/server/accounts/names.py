"""Names that nobody can register: whoever sees them would take the player for the house (ASR-30).

A name has only letters, digits and `. _ -`. Capitals, signs between, and digits that look like letters do not make it
another name.

>>> [is_reserved(name) for name in ("Admin", "4dm1n", "s.u.p.p.o.r.t", "casino-staff", "Dea1er_7", "bot2", "the.house")]
[True, True, True, True, True, True, True]
>>> [is_reserved(name) for name in ("ada", "badminton", "bottega", "full-house", "hostess.ann", "casinista")]
[False, False, False, False, False, False]
"""

from __future__ import annotations

import re

#: Words of the house's own people and programs: reserved also as one word of a longer name.
_WORDS = frozenset(
    [
        "admin",
        "administrator",
        "administrators",
        "admins",
        "amministratore",
        "amministrazione",
        "assistenza",
        "bot",
        "bots",
        "casino",
        "croupier",
        "dealer",
        "ispettore",
        "moderator",
        "moderatore",
        "mod",
        "operator",
        "operatore",
        "presenter",
        "presentatore",
        "presentatrice",
        "root",
        "sabot",
        "security",
        "sicurezza",
        "staff",
        "superuser",
        "supervisor",
        "supervisore",
        "support",
        "supporto",
        "sysadmin",
        "system",
        "sistema",
        "webmaster",
    ]
)
#: Names that are reserved only as a whole.
_WHOLE = frozenset(
    [
        "adm",
        "adm",
        "aams",
        "anonymous",
        "banco",
        "banker",
        "cashier",
        "cassa",
        "everyone",
        "house",
        "casa",
        "lacasa",
        "thehouse",
        "lobby",
        "me",
        "mazziere",
        "nobody",
        "null",
        "none",
        "owner",
        "player",
        "giocatore",
        "server",
        "service",
        "servizio",
        "ufficio",
        "undefined",
        "user",
        "utente",
    ]
)
#: What looks alike becomes one letter; `l` and `1` are both taken for `i`.
_ALIKE = str.maketrans("0134578l", "oieastbi")


def is_reserved(name: str) -> bool:
    """Whether a name would be taken for the house."""
    return _skeleton(name) in _NAMES or any(_skeleton(word) in _SKELETONS for word in _words(name))


def _words(name: str) -> list[str]:
    """The words of a name: what stands between signs, with and without the digits at its ends."""
    words = re.split("[._-]+", name)
    return words + [word.strip("0123456789") for word in words]


def _skeleton(word: str) -> str:
    """A word as it is seen: `Adm1n`, `ADMIN` and `a.d.m.i.n` are one."""
    return re.sub("[._-]", "", word.lower()).translate(_ALIKE).replace("vv", "w").replace("rn", "m")


_SKELETONS = frozenset(map(_skeleton, _WORDS))
_NAMES = frozenset(map(_skeleton, _WORDS | _WHOLE))


def screen_name(name: str) -> str:
    """The name that others see: of one that was drawn the beginning, which is enough to tell players apart.

    >>> screen_name("ada"), screen_name("demo-4f2a9c0d1e2b3a4c"), screen_name("bot-4f2a9c0d1e2b3a4c")
    ('ada', 'demo-4f2a', 'bot-4f2a')
    """
    return name[:-12] if _DRAWN.fullmatch(name) else name


#: Names that are given to demo players and bots.
_DRAWN = re.compile("(demo|bot)-[0-9a-f]{16}")
