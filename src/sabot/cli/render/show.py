"""The list of games, and the rules of one game, from the rule sets that the engine runs (PLT-61)."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sabot.cli.render.layout import plain_table
from sabot.games import Game, Rules
from sabot.games.bonus import Bonus
from sabot.games.rules import EVEN_MONEY, field_docs
from sabot.games.sidebets import SideBet
from sabot.texts import Catalogue

_CLASSIC = Rules("classic-6")


def games_view(catalogue: Catalogue, games: Iterable[Game]) -> RenderableType:
    """Every game with its published returns."""
    games = list(games)
    name_width = max(len(game.name) for game in games) + 2
    title_width = max(len(game.title) for game in games) + 2
    parts: list[RenderableType] = []
    for game in games:
        seating = catalogue.text("games.live" if game.live else "games.solo")
        decks = catalogue.text("games.decks", decks=game.rules.decks)
        line = Text.assemble(
            (game.name.ljust(name_width), "bold yellow"),
            (game.title.ljust(title_width), "bold"),
            f"{seating}, {decks}",
        )
        parts.append(line)
        if game.published:
            parts.append(Padding(Text(_returns(catalogue, game), "dim"), (0, 0, 0, name_width)))
    return Group(*parts)


def _returns(catalogue: Catalogue, game: Game) -> str:
    returns = (
        f"{catalogue.named('kind', bet, game.name)} {catalogue.number(percent)}%"
        for bet, percent in game.published.items()
    )
    return catalogue.text("games.returns", returns=" · ".join(returns))


def rules_view(catalogue: Catalogue, game: Game) -> RenderableType:
    """The differences from the classic game, every prize, and the hash of the rules."""
    say, rules = catalogue.text, game.rules
    parts: list[RenderableType] = [Text.assemble((game.title, "bold"), f"  ({game.name})")]
    differences = rules.differences(_CLASSIC)
    parts.append(Text(say("rules.differs" if differences else "rules.same")))
    parts.append(_differences(catalogue, differences))
    parts += [Text(), Text(say("rules.main"), "bold"), _prizes(catalogue, _main_prizes(catalogue, rules))]
    if rules.side_bets:
        parts += [Text(), Text(say("rules.side-bets"), "bold")]
        parts += [_side_bet(catalogue, game.name, bet) for bet in rules.side_bets]
    if rules.bonus is not None:
        parts += [Text(), Text(say("rules.bonus"), "bold"), _bonus(catalogue, rules.bonus, rules.decks)]
    parts += [Text(), Text(say("rules.sha256", sha256=rules.sha256), "dim", overflow="fold")]
    return Group(*parts)


def _differences(catalogue: Catalogue, differences: dict[str, object]) -> Table:
    grid, docs = plain_table(), field_docs()
    for field, value in differences.items():
        key = f"rule.{field}"
        doc = catalogue.text(key) if key in catalogue else docs[field]
        grid.add_row("", Text(field, "yellow", no_wrap=True), _value(catalogue, value), doc)
    return grid


def _value(catalogue: Catalogue, value: object) -> str:
    say = catalogue.text
    match value:
        case bool():
            return say("rules.yes" if value else "rules.no")
        case Bonus():
            return say("rules.bonus-tables", link=value.link.cells, mega=value.mega_link.cells)
        case ():
            return say("rules.none")
        case (SideBet(), *_):
            return ", ".join(say(f"kind.{bet.name}") for bet in value if isinstance(bet, SideBet))
        case tuple():
            return ", ".join(_value(catalogue, one) for one in value)
        case str() if f"rules.{value}" in catalogue:
            return say(f"rules.{value}")
    return str(value)


def _main_prizes(catalogue: Catalogue, rules: Rules) -> list[tuple[str, str]]:
    odds = (
        ("wins", rules.win_pays),
        ("blackjack", rules.blackjack_pays),
        ("insurance", rules.insurance_pays),
        *([("even-money", EVEN_MONEY)] if rules.even_money else []),
    )
    say = catalogue.text
    return [(say(f"rules.{name}"), say("rules.pays", num=num, den=den)) for name, (num, den) in odds]


def _prizes(catalogue: Catalogue, prizes: Iterable[tuple[str, str]]) -> Table:
    grid = plain_table()
    grid.add_column()
    grid.add_column()
    grid.add_column(justify="right")
    for name, pays in prizes:
        grid.add_row("", name, pays)
    return grid


def _side_bet(catalogue: Catalogue, game: str, bet: SideBet) -> RenderableType:
    say, name = catalogue.text, catalogue.named("kind", bet.name, game)
    title = Text.assemble("  ", (name, "yellow"), f", {say('rules.once' if bet.once else 'rules.per-hand')}")
    if not bet.prizes:
        return Text.assemble(title, f": {say('rules.bonus-opens')}")
    prizes = (
        (catalogue.named("category", name, game), say("rules.pays", num=pays, den=1))
        for name, pays in bet.prizes
    )
    return Group(title, Padding(_prizes(catalogue, prizes), (0, 0, 0, 2)))


def _bonus(catalogue: Catalogue, bonus: Bonus, decks: int) -> RenderableType:
    """The weights of the bonus with their chances, and the return they make (LNK-31)."""
    from sabot.odds.bonus import link_return

    say = catalogue.text
    names: dict[object, str] = {0: say("rules.blank"), "diamond": say("rules.diamond")}
    names |= {name: say(f"bonus.{name}") for name in ("link", "mega-link")}
    names |= {name: f"{name.upper()} X{pays}" for name, pays in bonus.pays}
    grid = plain_table()
    lists: tuple[tuple[str, Sequence[tuple[object, int]]], ...] = (
        ("wheel", bonus.wheel),
        ("cells", bonus.cells),
        ("tiles", bonus.tiles),
        ("diamonds", bonus.diamonds),
    )
    for name, weighted in lists:
        total = sum(weight for _, weight in weighted)
        shown = names | ({outcome: f"{outcome}X" for outcome, _ in weighted[1:]} if name == "cells" else {})
        outcomes = (
            f"{shown.get(outcome, f'X{outcome}')} {weight} ({catalogue.percent(weight / total, 1)})"
            for outcome, weight in weighted
        )
        grid.add_row("", Text(say(f"rules.{name}"), "yellow"), " · ".join(outcomes))
    percent = catalogue.percent(link_return(bonus, decks), 2)
    return Group(
        grid,
        Text(f"  {say('rules.weights')}", "dim"),
        Text(f"  {say('rules.link-return', percent=percent)}"),
    )
