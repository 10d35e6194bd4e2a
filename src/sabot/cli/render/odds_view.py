"""Returns of a game and odds of a hand, as tables."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from sabot.cli.render.layout import number_table, plain_table
from sabot.games import CATALOGUE, Game, Rules
from sabot.guide.returns import return_notes
from sabot.odds.hand import HandOdds, is_soft, known_card, total_of
from sabot.odds.returns import (
    MAIN,
    BetReturn,
)
from sabot.texts import Catalogue

_COLUMNS = ("published", "per-stake", "per-initial", "per-stake-cd", "per-initial-cd", "sd")
_NUMBER_WIDTH = 7
#: Within this, a return rounds to the published two decimals.
_HALF_A_CENT = 0.00005 + 1e-12


# Returns


def returns_view(catalogue: Catalogue, game: Game, rows: Iterable[BetReturn]) -> RenderableType:
    """The bets of a game with their returns and notes."""
    say = catalogue.text
    table = plain_table(gap=1)
    bets = {bet for other in CATALOGUE.values() for bet in other.published}
    width = max(len(say(f"kind.{bet}")) for bet in bets) + 2
    table.add_column(min_width=width, no_wrap=True)
    for _ in _COLUMNS:
        table.add_column(justify="right", min_width=_NUMBER_WIDTH)
    heads = (Text(say(f"returns.{column}"), "dim") for column in _COLUMNS)
    table.add_row(Text(game.name, "yellow"), *heads)
    for row in rows:
        table.add_row(Text(f"  {say(f'kind.{row.bet}')}"), *_numbers(catalogue, row))
    notes = (Padding(Text(note, "italic"), (0, 0, 0, 2)) for note in return_notes(catalogue, game.rules))
    return Group(Text(game.title, "bold"), table, *notes, Text())


def _numbers(catalogue: Catalogue, row: BetReturn) -> Iterator[Text]:
    agrees = row.published is None or abs(row.per_stake - row.published) <= _HALF_A_CENT
    yield Text(catalogue.percent(row.published, 2))
    yield Text(catalogue.percent(row.per_stake), "bold green" if agrees else "bold yellow")
    style = "" if row.bet == MAIN else "dim"
    for share in (row.per_initial, row.per_stake_cd, row.per_initial_cd):
        yield Text(catalogue.percent(share), style)
    yield Text(catalogue.number(f"{row.sd:.3f}"))


def returns_foot(catalogue: Catalogue) -> RenderableType:
    """The meaning of the columns."""
    return Text(catalogue.text("returns.columns"), "dim")


# One hand


def hand_view(catalogue: Catalogue, game: Game, odds: HandOdds) -> RenderableType:
    """Every action of a hand with its value, best first."""
    say = catalogue.text
    heads = ("odds.value", "odds.after-check") if odds.after_check else ("odds.value",)
    table = number_table("", *map(say, heads))
    known = [chosen.values() for chosen in (odds.actions, odds.after_check) if chosen]
    for name in sorted(known[0], key=lambda name: -known[0][name]):
        best, values = name == odds.best, [chosen[name] for chosen in known]
        label = Text(f"{'>' if best else ' '} {_action(catalogue, game.rules, odds, name)}")
        label.stylize("bold" if best else "")
        table.add_row(label, *(_signed(catalogue, value, best) for value in values))
    chance = catalogue.percent(odds.dealer_blackjack, 2)
    return Group(
        Text(game.title, "bold"),
        Text(say("odds.hand", cards=" ".join(odds.cards), total=_total(catalogue, odds), up=odds.up)),
        Text(say("odds.dealer-blackjack", chance=chance)),
        Text(),
        table,
        Text(),
        Text(say("odds.foot" if odds.after_check else "odds.foot-unchecked"), "dim"),
    )


def _signed(catalogue: Catalogue, value: float, best: bool) -> Text:
    colour = "green" if value > 0 else "red" if value < 0 else ""
    return Text(catalogue.percent(value, sign="+"), f"bold {colour}" if best else colour)


def _total(catalogue: Catalogue, odds: HandOdds) -> str:
    cards = [known_card(text) for text in odds.cards]
    total = total_of(cards)
    if total == 21 and len(cards) == 2:
        return catalogue.text("result.blackjack")
    return catalogue.text("table.soft", total=total) if is_soft(cards) else str(total)


def _action(catalogue: Catalogue, rules: Rules, odds: HandOdds, name: str) -> str:
    """The name of an action, marked if it is free (FRB-04, FRB-06)."""
    cards = [known_card(text) for text in odds.cards]
    free = (
        (name == "double" and total_of(cards) in rules.free_double and not is_soft(cards))
        or (name == "split" and cards[0].which + 1 in rules.free_split)
    )  # fmt: skip
    label = catalogue.text(f"action.{name}")
    return catalogue.text("odds.free", action=label) if free else label
