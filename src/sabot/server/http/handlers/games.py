"""The games: their rules, prizes, returns and limits, all from the values that the engine runs (PLT-61)."""

from functools import cache
from typing import get_args

import msgspec
from msgspec import Struct

from sabot.errors import Refusal
from sabot.games import CATALOGUE, Game, dealt_otherwise
from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.games.tables import BEST_TABLES
from sabot.guide import Facts, HouseFacts, Section, guide
from sabot.protocol.fields import Form, GameName, Language, TableName
from sabot.server.config import Config
from sabot.server.http.dispatch import Call
from sabot.server.tables.limits import choices_of, most_brought
from sabot.store.kinds import Currency
from sabot.tables.live.closed import WhyClosed
from sabot.tables.live.timers import Timers
from sabot.texts import Catalogue

#: Guides that were made, by what they state, the one asked for longest ago first; and how many are kept.
_GUIDES: dict[bytes, dict[Language, tuple[Section, ...]]] = {}
_KEPT_GUIDES = 64


class GameHead(Struct, frozen=True):
    """A game of the catalogue."""

    name: str
    title: str
    live: bool
    sha256: str
    #: Why it takes no new bets at present, if so (OFF-02).
    closed: WhyClosed


class GameLimits(Struct, frozen=True):
    """Limits to choose from a VIP level on; `yours` says whether the player may choose them (PLT-11)."""

    game: str
    currency: Currency
    name: str
    vip: int
    main: Limits
    side: Limits
    #: The maximum win of a round, and of what is brought to a sitting.
    max_win: int | None
    cap: int | None
    yours: bool


class Games(Struct, frozen=True):
    """Every game of the house, and the limits of solo games."""

    games: tuple[GameHead, ...]
    limits: tuple[GameLimits, ...]
    #: The name of the house.
    house: str


class GameReturn(Struct, frozen=True):
    """The return of a bet as a fraction: as the regulation publishes it, and exact."""

    bet: str
    published: float | None
    per_stake: float
    per_initial: float
    sd: float


class GameQuery(Form, frozen=True):
    """The live table whose options and timers the guide states; otherwise the game's."""

    table: TableName | None = None


class GamePage(Struct, frozen=True):
    """A game as the engine plays it (PLT-61)."""

    game: GameHead
    rules: Rules
    options: TableOptions
    returns: tuple[GameReturn, ...]
    #: Why a computed return is not the published one, by language.
    return_notes: dict[Language, tuple[str, ...]]
    best: BestTable
    #: Where the same game is dealt in other ways: the table of each, by the word for the dealing; they differ under the ace
    #: alone (MAJ-30).
    best_by_dealing: dict[str, BestTable]
    limits: tuple[GameLimits, ...]
    #: The rules in sentences, by language (PLT-66).
    guide: dict[Language, tuple[Section, ...]]


async def games(call: Call) -> Games:
    """Every game of the house."""
    limits = tuple(limits for game in CATALOGUE.values() if not game.live for limits in _limits(call, game))
    return Games(
        tuple(_head(call, game) for game in CATALOGUE.values()), limits, call.house.config.house.name
    )


async def game(call: Call, game: GameName, query: GameQuery) -> GamePage:
    """Rules, prizes, returns, best table and limits of a game (PLT-11)."""
    found = CATALOGUE.get(game)
    if found is None:
        raise Refusal("game/unknown", game=game)
    options, timers, studio, caps = found.options, Timers(), False, _caps(call.house.config, found)
    if query.table is not None:
        live = call.registry.find_live(query.table).table
        if live.table.config.game.name != found.name:
            raise Refusal("table/not-open", table=query.table)
        options, timers, cap = live.table.options, live.terms.used.timers, live.table.config.cap
        studio, caps = live.studio is not None, () if cap is None else (("", cap),)
    facts = Facts(found, options, timers, _house_facts(call.house.config), studio, caps)
    keeps = options.buster_keeps_dealer
    return GamePage(
        game=_head(call, found),
        rules=facts.rules,
        options=options,
        returns=await call.house.work(lambda: _returns(found.name, keeps)),
        return_notes=await call.house.work(lambda: _return_notes(facts.rules)),
        best=BEST_TABLES[found.name],
        best_by_dealing=best_by_dealing(found),
        limits=_limits(call, found),
        guide=_guides(facts),
    )


def _guides(facts: Facts) -> dict[Language, tuple[Section, ...]]:
    """The guide in each language, made once for the same rules, options and settings."""
    key = msgspec.json.encode((facts.game.name, facts.rules.sha256, *msgspec.structs.astuple(facts)[1:]))
    found = _GUIDES.pop(key, None)
    if found is None:
        found = {language: guide(facts, language) for language in get_args(Language)}
    _GUIDES[key] = found
    if len(_GUIDES) > _KEPT_GUIDES:
        del _GUIDES[next(iter(_GUIDES))]
    return found


def _caps(config: Config, game: Game) -> tuple[tuple[str, int], ...]:
    """The limits of a solo game with which there is a cap in euros, and how much it is (PLT-04)."""
    choices = () if game.live else choices_of(config, game.name, "EUR")
    caps = ((choice.name, most_brought(config, "EUR", choice.cap)) for choice in choices)
    return tuple((name, cap) for name, cap in caps if cap is not None)


def _house_facts(config: Config) -> HouseFacts:
    """The house's settings that a guide states."""
    house = config.house
    return HouseFacts(
        demo_money=house.demo_money,
        abandoned_hours=house.abandoned_hours,
        idle_minutes=house.idle_minutes,
        cooling_hours=house.cooling_hours,
        least_age=config.operator.least_age,
    )


def best_by_dealing(game: Game) -> dict[str, BestTable]:
    """The best tables of a game that is dealt in several ways, as `EU` and `US`; none of any other."""
    ways = dealt_otherwise(game)
    if len(ways) == 1:
        return {}
    return {other.name.rpartition("-")[2].upper(): BEST_TABLES[other.name] for other in ways}


def _limits(call: Call, game: Game) -> tuple[GameLimits, ...]:
    """The limits to choose from at a game, for each kind of money, and which of them are open to the player (PLT-10)."""
    config, vip = call.house.config, call.vip
    return tuple(
        GameLimits(
            game.name,
            currency,
            choice.name,
            choice.vip,
            choice.main,
            choice.side,
            game.options.with_limits(choice).max_win,
            most_brought(config, currency, choice.cap),
            choice.vip <= vip,
        )
        for currency in get_args(Currency)
        for choice in choices_of(config, game.name, currency)
    )


def _head(call: Call, game: Game) -> GameHead:
    closed = call.house.switches.why_closed(game.name)
    return GameHead(game.name, game.title, game.live, game.rules.sha256, closed)


@cache
def _returns(name: str, buster_keeps_dealer: bool) -> tuple[GameReturn, ...]:
    """The exact returns of a game, computed at the first request."""
    from sabot.odds.returns import bet_returns

    returns = bet_returns(CATALOGUE[name], TableOptions(buster_keeps_dealer=buster_keeps_dealer))
    return msgspec.convert(returns, tuple[GameReturn, ...], from_attributes=True)


@cache
def _return_notes(rules: Rules) -> dict[Language, tuple[str, ...]]:
    from sabot.guide.returns import return_notes

    languages: tuple[Language, ...] = get_args(Language)
    return {language: tuple(return_notes(Catalogue(language), rules)) for language in languages}
