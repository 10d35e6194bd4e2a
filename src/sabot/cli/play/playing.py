"""A round at the terminal: offers, decisions, the bonus, the results."""

from sabot.cli.play import parse
from sabot.cli.play.terminal import Terminal
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

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._session = terminal.session
        self._keys = {name: terminal.catalogue.text(f"key.{name}") for name in _KEYS}
        bonus = terminal.session.game.rules.bonus
        self._bonus_view = BonusRenderer(terminal.catalogue, terminal.faces, bonus) if bonus else None
        #: Events of the round when its table was last shown.
        self._shown = 0

    def until_over(self) -> None:
        """Prompt until the round is over, then print the results."""
        self._shown = 0
        while self._session.in_round:
            self._terminal.attempt(self._once)
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

    def _read_line(self, key: str, **params: object) -> str:
        """The next line; the prompt shows the balance."""
        return self._terminal.read_line(
            self._terminal.catalogue.text(key, balance=self._session.balance, **params)
        )

    def _aside(self, choice: parse.Aside) -> None:
        self._terminal.aside(choice)
        if choice != parse.MenuChoice("quit"):
            self._shown = 0

    # Offers

    def _answer(self, round: Round) -> None:
        terminal = self._terminal
        (player, spot), offer = round.offers.current
        if self._is_news(round):
            terminal.show_table(round)
            self._show_offer(round, spot, offer)
        answer = parse.parse_answer(self._read_line("play.answer-prompt"), self._keys)
        if not isinstance(answer, parse.AnswerOffer):
            self._aside(answer)
        elif offer.kind == "even-money":
            if answer.for_all:
                raise parse.NotUnderstoodError("parse.answer", choices=self._letters("accept", "refuse"))
            self._apply(EvenMoney(spot, answer.accept))
        else:
            self._apply(Insure(player, answer.accept, None if answer.for_all else spot))
            if not self._session.insurance_on:
                terminal.say("play.insurance-is-off", "dim")

    def _show_offer(self, round: Round, spot: int, offer: Offer) -> None:
        terminal, player = self._terminal, self._session.player
        hand = terminal.view.hand_name(spot).lower()
        answers: dict[str, AnyCommand]
        if offer.kind == "even-money":
            terminal.say("play.even-money", "bold", hand=hand)
            answers = {"accept": EvenMoney(spot, True), "refuse": EvenMoney(spot, False)}
        else:
            terminal.say("play.insurance", "bold", hand=hand, cost=offer.cost)
            answers = {"accept": Insure(player, True, spot), "refuse": Insure(player, False, spot)}
            several = sum(other.kind == "insurance" for other in round.offers.open.values()) > 1
            if several:
                answers["accept-all"] = Insure(player, True)
            if several or self._session.game.refusal_lasts:
                answers["refuse-all"] = Insure(player, False)
        terminal.offer(terminal.view.choice(name) for name, answer in answers.items() if round.can(answer))
        for name, answer in answers.items():
            try:
                round.verify(answer)
            except Refusal as error:
                terminal.explain(name, error)

    def _letters(self, *names: str) -> str:
        return ", ".join(self._terminal.view.choice(name).plain for name in names)

    # Decisions

    def _decide(self, round: Round) -> None:
        terminal = self._terminal
        assert round.turn is not None
        if self._is_news(round):
            terminal.show_table(round)
            self._show_options(round)
        spot, hand = round.turn
        line = self._read_line("play.turn-prompt", hand=terminal.view.named(round, spot, hand))
        action = parse.parse_decision(line, self._keys)
        if not isinstance(action, str):
            self._aside(action)
            return
        self._apply(self._command(round, action, spot, hand))

    def _show_options(self, round: Round) -> None:
        terminal, options = self._terminal, round.options_now.values()
        terminal.offer(terminal.view.options(options))
        balance = round.balance(self._session.player)
        for option in options:
            if option.unavailable:
                terminal.explain(
                    option.action, Refusal(option.unavailable, cost=option.cost, balance=balance)
                )

    def _command(self, round: Round, action: Action, spot: int, hand: int) -> AnyCommand:
        option = round.options_now.get(action)
        if option is None:
            label = self._terminal.catalogue.label
            game = self._session.game.name
            legal = ", ".join(label(other, game) for other in round.options_now)
            raise parse.NotUnderstoodError("parse.action", text=label(action, game), legal=legal)
        if action == "cashback":
            return Cashback(spot, hand, price=option.pays)
        return DECISIONS[action](spot, hand)

    # The bonus

    def _step(self, round: Round, bonus: BonusGame) -> None:
        """GIRA and CONTINUA; a terminal has no animation for SALTA to skip (LNK-21, LNK-27)."""
        terminal, view = self._terminal, self._bonus_view
        assert view is not None
        expected: parse.Step = "continue" if bonus.stage == "intro" else "spin"
        if bonus.stage == "wheel" and self._is_news(round):
            terminal.show_table(round)
            terminal.say("bonus.started", "bold", hand=terminal.view.hand_name(bonus.spot))
            terminal.print(view.wheel())
        terminal.offer((terminal.view.choice(expected),))
        step = parse.parse_step(self._read_line("play.bonus-prompt"), self._keys, expected)
        if not isinstance(step, str):
            self._aside(step)
        elif step == "skip":
            terminal.say("bonus.no-skip")
        elif step != expected:
            raise parse.NotUnderstoodError("parse.bonus", choice=self._letters(expected))
        else:
            self._turn_wheel(round, bonus, Spin(bonus.spot) if expected == "spin" else Continue(bonus.spot))

    def _turn_wheel(self, round: Round, bonus: BonusGame, command: AnyCommand) -> None:
        terminal, view = self._terminal, self._bonus_view
        assert view is not None
        stake = round.book.lines[self._session.player, bonus.spot, 0, "link"].own
        events = self._session.apply(command)
        for event in events:
            shown = view.event(event, bonus, stake)
            if shown is not None:
                terminal.print()
                terminal.print(shown)
        terminal.show_events(events)

    # The end

    def _apply(self, command: AnyCommand) -> None:
        self._terminal.show_events(self._session.apply(command))

    def show_results(self) -> None:
        """Print the payment of every bet."""
        terminal, round = self._terminal, self._session.round
        terminal.show_held_back()
        if round is None or round.phase != "settled":
            return
        terminal.print()
        terminal.print(terminal.view.results(round))
        for line in terminal.view.sums(round):
            terminal.print(line)
