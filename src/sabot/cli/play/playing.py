"""A round at the terminal: offers, decisions, the bonus, the results."""

from __future__ import annotations

from sabot.cli.play import parse
from sabot.cli.play.desk import Desk
from sabot.cli.render.bonus_view import BonusRenderer
from sabot.engine import AnyCommand, Round
from sabot.engine.commands import DECISIONS, Cashback, Continue, EvenMoney, Insure, Spin
from sabot.engine.handlers.bonus import BonusGame
from sabot.engine.handlers.offers import Offer
from sabot.errors import Refusal
from sabot.games.rules import Action

_KEYS = (
    *("hit", "stand", "double", "split", "surrender", "cashback"),
    *("accept", "refuse", "accept-all", "refuse-all", "spin", "continue"),
)


class RoundPrompt:
    """The player's input while cards are on the table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._session = desk.session
        self._keys = {name: desk.catalogue.text(f"key.{name}") for name in _KEYS}
        bonus = desk.session.game.rules.bonus
        self._bonus_view = BonusRenderer(desk.catalogue, desk.faces, bonus) if bonus else None
        #: Events of the round when its table was last shown.
        self._shown = 0

    def until_over(self) -> None:
        """Prompt until the round is over, then print the results."""
        self._shown = 0
        while self._session.in_round:
            self._desk.attempt(self._once)
        self.show_results()

    def _once(self) -> None:
        round = self._session.round
        assert round is not None
        if round.phase == "offers":
            self._answer(round)
        elif round.bonus is not None:
            self._step(round, round.bonus)
        else:
            self._decide(round)

    def _is_news(self, round: Round) -> bool:
        """Whether there are events since the table was last shown."""
        news = len(round.log) != self._shown
        self._shown = len(round.log)
        return news

    def _ask(self, key: str, **params: object) -> str:
        """The next line; the prompt shows the balance."""
        return self._desk.ask(self._desk.catalogue.text(key, balance=self._session.balance, **params))

    def _aside(self, asked: parse.Aside) -> None:
        self._desk.aside(asked)
        if asked != parse.AskFor("quit"):
            self._shown = 0

    # Offers

    def _answer(self, round: Round) -> None:
        desk = self._desk
        (player, spot), offer = round.offers.current
        if self._is_news(round):
            desk.show_table(round)
            self._show_offer(round, spot, offer)
        answer = parse.parse_answer(self._ask("play.answer-prompt"), self._keys)
        if not isinstance(answer, parse.AnswerOffer):
            self._aside(answer)
        elif offer.kind == "even-money":
            if answer.for_all:
                raise parse.NotUnderstoodError("parse.answer", choices=self._letters("accept", "refuse"))
            self._apply(EvenMoney(spot, answer.accept))
        else:
            self._apply(Insure(player, answer.accept, None if answer.for_all else spot))
            if not self._session.insurance_on:
                desk.say("play.insurance-is-off", "dim")

    def _show_offer(self, round: Round, spot: int, offer: Offer) -> None:
        desk, player = self._desk, self._session.player
        hand = desk.view.hand_name(spot).lower()
        answers: dict[str, AnyCommand]
        if offer.kind == "even-money":
            desk.say("play.even-money", "bold", hand=hand)
            answers = {"accept": EvenMoney(spot, True), "refuse": EvenMoney(spot, False)}
        else:
            desk.say("play.insurance", "bold", hand=hand, cost=offer.cost)
            answers = {"accept": Insure(player, True, spot), "refuse": Insure(player, False, spot)}
            several = sum(other.kind == "insurance" for other in round.offers.open.values()) > 1
            if several:
                answers["accept-all"] = Insure(player, True)
            if several or self._session.game.refusal_lasts:
                answers["refuse-all"] = Insure(player, False)
        desk.offer(desk.view.choice(name) for name, answer in answers.items() if round.can(answer))
        for name, answer in answers.items():
            try:
                round.verify(answer)
            except Refusal as error:
                desk.explain(name, error)

    def _letters(self, *names: str) -> str:
        return ", ".join(self._desk.view.choice(name).plain for name in names)

    # Decisions

    def _decide(self, round: Round) -> None:
        desk = self._desk
        assert round.turn is not None
        if self._is_news(round):
            desk.show_table(round)
            self._show_options(round)
        spot, hand = round.turn
        line = self._ask("play.turn-prompt", hand=desk.view.named(round, spot, hand))
        action = parse.parse_decision(line, self._keys)
        if not isinstance(action, str):
            self._aside(action)
            return
        self._apply(self._command(round, action, spot, hand))

    def _show_options(self, round: Round) -> None:
        desk, options = self._desk, round.options_now.values()
        desk.offer(desk.view.options(options))
        balance = round.balance(self._session.player)
        for option in options:
            if option.unavailable:
                desk.explain(option.action, Refusal(option.unavailable, cost=option.cost, balance=balance))

    def _command(self, round: Round, action: Action, spot: int, hand: int) -> AnyCommand:
        option = round.options_now.get(action)
        if option is None:
            label = self._desk.catalogue.label
            game = self._session.game.name
            legal = ", ".join(label(other, game) for other in round.options_now)
            raise parse.NotUnderstoodError("parse.action", text=label(action, game), legal=legal)
        if action == "cashback":
            return Cashback(spot, hand, price=option.pays)
        return DECISIONS[action](spot, hand)

    # The bonus

    def _step(self, round: Round, bonus: BonusGame) -> None:
        """GIRA and CONTINUA; a terminal has no animation for SALTA to skip (LNK-21, LNK-27)."""
        desk, view = self._desk, self._bonus_view
        assert view is not None
        expected: parse.Step = "continue" if bonus.stage == "intro" else "spin"
        if bonus.stage == "wheel" and self._is_news(round):
            desk.show_table(round)
            desk.say("bonus.started", "bold", hand=desk.view.hand_name(bonus.spot))
            desk.print(view.wheel())
        desk.offer((desk.view.choice(expected),))
        step = parse.parse_step(self._ask("play.bonus-prompt"), self._keys, expected)
        if not isinstance(step, str):
            self._aside(step)
        elif step == "skip":
            desk.say("bonus.no-skip")
        elif step != expected:
            raise parse.NotUnderstoodError("parse.bonus", choice=self._letters(expected))
        else:
            self._turn_wheel(round, bonus, Spin(bonus.spot) if expected == "spin" else Continue(bonus.spot))

    def _turn_wheel(self, round: Round, bonus: BonusGame, command: AnyCommand) -> None:
        desk, view = self._desk, self._bonus_view
        assert view is not None
        stake = round.book.lines[self._session.player, bonus.spot, 0, "link"].own
        events = self._session.apply(command)
        for event in events:
            told = view.told(event, bonus, stake)
            if told is not None:
                desk.print()
                desk.print(told)
        desk.tell(events)

    # The end

    def _apply(self, command: AnyCommand) -> None:
        self._desk.tell(self._session.apply(command))

    def show_results(self) -> None:
        """Print what every bet was paid."""
        desk, round = self._desk, self._session.round
        desk.tell_the_rest()
        if round is None or round.phase != "settled":
            return
        desk.print()
        desk.print(desk.view.results(round))
        for line in desk.view.sums(round):
            desk.print(line)
