"""A game of the house: rules, title, published returns."""

from decimal import Decimal

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from sabot.games.chips import fitting_chips
from sabot.games.options import LimitChoice, Limits, TableOptions
from sabot.games.rules import Rules


class Game(Struct, frozen=True):
    """One entry of the catalogue."""

    rules: Rules
    title: str
    #: Published returns in per cent, by bet; `main` is the game itself.
    published: dict[str, str] = {}
    options: TableOptions = TableOptions()
    #: The settings switch the insurance offer off for a play session, and on again (SUR-06, CSH-12).
    insurance_switch: bool = True
    #: Refusing insurance for all hands switches the offer off too (CSH-12).
    refusal_lasts: bool = False

    def __post_init__(self) -> None:
        force_setattr(self, "options", self.fitted(self.options))

    @property
    def name(self) -> str:
        """The rule set's name."""
        return self.rules.name

    @property
    def live(self) -> bool:
        """Whether many people play at one table."""
        return self.rules.backing != "solo"

    @property
    def played_rules(self) -> tuple[Rules, ...]:
        """The rules by which tables play this game: its own, and those that an option makes of them (MAJ-06).

        >>> from sabot.games import CATALOGUE
        >>> [rules.buster_keeps_dealer for rules in CATALOGUE["majority-eu"].played_rules]
        [True, False]
        """
        return tuple(dict.fromkeys((self.rules, TableOptions(buster_keeps_dealer=False).played(self.rules))))

    def published_return(self, bet: str) -> float | None:
        """The return that the regulation publishes for a bet, as a fraction."""
        percent = self.published.get(bet)
        return None if percent is None else float(Decimal(percent) / 100)

    def limits(self, options: TableOptions) -> tuple[Limits, ...]:
        """The limits of every kind of bet that is offered at a table with these options."""
        behind = (options.behind,) if self.rules.backing == "seats" else ()
        offered = (bet.name for bet in self.rules.side_bets if bet.name not in options.side_bets_off)
        return (options.main, *behind, *map(options.limits, offered))

    def fitted(self, options: TableOptions) -> TableOptions:
        """These options with chips that fit their limits, where they name none (PLT-69).

        >>> from sabot.games import CATALOGUE
        >>> CATALOGUE["freebet"].options.chips
        (100, 200, 500, 1000, 2500, 10000, 25000, 50000, 100000)
        """
        return options if options.chips else replace(options, chips=fitting_chips(self.limits(options)))

    def with_limits(self, choice: LimitChoice) -> TableOptions:
        """The options of this game with the limits a player chose, and chips that fit them (COM-54, PLT-69)."""
        return self.fitted(self.options.with_limits(choice))
