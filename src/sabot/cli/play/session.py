"""One player's play session at a solo game, from opening it until leaving (COM-57).

The session holds the balance, the chosen limits, the insurance switch and the chips. Cards and bonus draws come from
the `Chance` it gets for each round. The prompts call it in their turn: chips and limits between rounds, commands in one.
"""

from collections.abc import Callable

from sabot.cli.play.slip import BetSlip, SlipButton
from sabot.engine import AnyCommand, AnyEvent, Price, Round
from sabot.engine.commands import AddMoney, Deal, Insure, PlaceBets
from sabot.engine.inputs import Chance
from sabot.engine.legal import absent_move
from sabot.errors import Refusal
from sabot.games import Game
from sabot.games.options import LIMIT_CHOICES, USUAL_LIMITS, LimitChoice, TableOptions, limit_choices


class PlaySession:
    """A play session of one player, over many rounds."""

    def __init__(self, game: Game, *, balance: int, chance: Callable[[], Chance], vip: int = 0) -> None:
        self.game = game
        self.player = "player"
        self.vip = vip
        #: The round being played, or the last one played.
        self.round: Round | None = None
        self.rounds_played = 0
        self._chance = chance
        #: The price of a hand, in a game that buys hands back.
        self.price: Price | None = None
        #: Whether the next deal offers insurance.
        self.insurance_on = True
        self.limits = next(choice for choice in LIMIT_CHOICES if choice.name == USUAL_LIMITS)
        self.slip = BetSlip(game.rules, self._options(), balance=balance)

    # State

    @property
    def balance(self) -> int:
        """The player's money; during a round, without the stakes."""
        if self.round is not None and self.in_round:
            return self.round.balance(self.player)
        return self.slip.balance

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.round is not None and not self.round.over

    # The menu

    @property
    def limit_choices(self) -> tuple[LimitChoice, ...]:
        """The limits the VIP level allows (COM-54)."""
        return limit_choices(self.vip)

    def choose_limits(self, name: str) -> None:
        """Change the limits between rounds; chips on the table go back (COM-54)."""
        known = ", ".join(choice.name for choice in self.limit_choices)
        choice = next((choice for choice in LIMIT_CHOICES if choice.name == name), None)
        if choice is None:
            raise Refusal("limits/unknown", name=name, known=known)
        if choice.vip > self.vip:
            raise Refusal("session/vip-limits", name=name, vip=choice.vip, own=self.vip, known=known)
        self.limits = choice
        self.slip.options = self._options()
        if self.slip.stakes:
            self.slip.push("clear")

    def switch_insurance(self, on: bool) -> None:
        """Set the insurance switch, from the next deal on."""
        if not self.game.insurance_switch:
            raise Refusal("session/no-switch", game=self.game.title)
        self.insurance_on = on

    def add_money(self, amount: int) -> None:
        """AGGIUNGI DENARO: bring more money, during a round too (LNK-09)."""
        if self.round is not None and self.in_round:
            self.round.apply(AddMoney(self.player, amount))
        elif amount <= 0:
            raise Refusal("funds/not-positive", amount=amount)
        else:
            self.slip.balance += amount

    # Playing

    def deal(self, first: SlipButton | None = None) -> tuple[AnyEvent, ...]:
        """DISTRIBUISCI: deal for the chips on the table; `first` is a button of the slip to push before."""
        if first is not None:
            self.slip.push(first)
        self.slip.push("deal")
        bets, chance = self.slip.bets(), self._chance()
        round = Round(
            self.game.rules,
            chance.shoe,
            purses={self.player: self.slip.balance},
            options=self.slip.options,
            price=self.price,
            draw=chance.draw,
        )
        events = round.apply(PlaceBets(self.player, bets))
        events += round.apply(Deal(insurance=self.insurance_on))
        self.slip.remember(bets)
        self.round = round
        self._close_if_over()
        return events

    def apply(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Apply a command to the round being played."""
        assert self.round is not None, "commands are given in a round"
        events = self.round.apply(command)
        if isinstance(command, Insure) and command.spot is None and not command.accept:
            self.insurance_on = self.insurance_on and not self.game.refusal_lasts
        self._close_if_over()
        return events

    def play_out(self) -> None:
        """Finish the round for an absent player: refuse, stand, spin (PLT-30)."""
        while self.round is not None and not self.round.over:
            self.apply(absent_move(self.round, self.player))

    # Inside

    def _close_if_over(self) -> None:
        if self.round is not None and self.round.over:
            self.slip.balance = self.round.balance(self.player)
            self.rounds_played += 1

    def _options(self) -> TableOptions:
        return self.game.with_limits(self.limits)
