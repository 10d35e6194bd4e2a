"""The returns of every bet of a game, for `sabot returns` (RET-01..09)."""

from msgspec import Struct

from sabot.games import Game, Rules
from sabot.games.options import TableOptions
from sabot.games.sidebets import BUSTER, SideBet
from sabot.games.strategy import BestTable
from sabot.odds.distribution import table_distribution
from sabot.odds.game import game_tables, game_values, table_return
from sabot.odds.sidebets import side_bet_moments

MAIN = "main"


class BetReturn(Struct, frozen=True):
    """The returns of one bet, as fractions; `_cd` is composition-dependent best play, sd is per initial bet."""

    game: str
    bet: str
    #: None where the regulation publishes none.
    published: float | None
    per_stake: float
    per_initial: float
    per_stake_cd: float
    per_initial_cd: float
    sd: float


def bet_returns(game: Game, options: TableOptions | None = None) -> list[BetReturn]:
    """The main bet of a game, then its side bets; at a table with other options than the game's, as it plays them."""
    rules = (options or game.options).played(game.rules)
    return [_main(game), *(_side(game, rules, bet) for bet in rules.side_bets)]


def _main(game: Game) -> BetReturn:
    values, tables = game_values(game.rules), game_tables(game.rules)
    return BetReturn(
        game.name,
        MAIN,
        game.published_return(MAIN),
        values.table.per_stake,
        values.table.per_initial,
        values.best.per_stake,
        values.best.per_initial,
        table_distribution(tables.columns, tables.best).sd,
    )


def _side(game: Game, rules: Rules, bet: SideBet) -> BetReturn:
    """The return of a side bet; what is published holds for the game's own rules alone (MAJ-06)."""
    expected, sd = side_bet_moments(bet, rules)
    as_published = bet.judge != "dealer-bust" or rules.buster_keeps_dealer == game.rules.buster_keeps_dealer
    published = game.published_return(bet.name) if as_published else None
    return BetReturn(game.name, bet.name, published, expected, expected, expected, expected, sd)


def ordinary_table_return(rules: Rules) -> float:
    """The return per stake of the best table, but always splitting aces and eights (Cashback's published figure)."""
    tables = game_tables(rules)
    best = tables.best
    ordinary = BestTable(best.hard, best.soft, best.pairs | {1: "P" * 10, 8: "P" * 10})
    return table_return(tables.columns, ordinary).per_stake


def undrawn_buster_return(rules: Rules) -> float:
    """The return of Buster where the dealer draws no more once all hands are bust (MAJ-06), with one hand at the table."""
    undrawn = TableOptions(buster_keeps_dealer=False).played(rules)
    return side_bet_moments(BUSTER, undrawn).expected


def own_free_table_return(rules: Rules) -> float:
    """The return per stake when the free split hand follows a table of its own (RET-05)."""
    values = game_values(rules)
    return (values.own_free_table or values.table).per_stake
