"""The betting prompt: chips, buttons, limits and the insurance switch."""

from sabot.cli.play import parse
from sabot.cli.play.slip import SlipButton
from sabot.cli.play.terminal import Terminal
from sabot.games.options import LIMIT_CHOICES, LimitChoice

#: Buttons and their labels, with chips on the table and without (COM-51, COM-52).
_BEFORE_DEAL: tuple[tuple[SlipButton, str], ...] = (
    ("deal", "deal"),
    ("double", "double-stakes"),
    ("undo", "undo"),
    ("clear", "clear"),
)
_AFTER_ROUND: tuple[tuple[SlipButton, str], ...] = (
    ("repeat", "repeat"),
    ("repeat", "repeat-deal"),
    ("repeat-and-double", "double-deal"),
)


class BettingPrompt:
    """The player's input before the cards are dealt."""

    def __init__(self, terminal: Terminal, hands: int) -> None:
        self._terminal = terminal
        self._session = terminal.session
        self._hands = hands

    def until_dealt(self) -> None:
        """Prompt until cards are dealt."""
        self._show()
        while not self._terminal.attempt(self._once):
            pass

    def _once(self) -> bool:
        """Read and carry out one line; True if cards were dealt."""
        terminal = self._terminal
        line = terminal.read_line(terminal.catalogue.text("play.bet-prompt"))
        match parse.parse_bet(line, spots=self._session.game.rules.spots):
            case parse.PlaceChips() as stake:
                self._stake(stake)
            case str(button):
                return self._press(button)
            case parse.ShowLimits(name):
                self._limits(name)
            case parse.SwitchInsurance(on):
                self._insurance(on)
            case parse.MenuChoice("table"):
                self._show()
            case aside:
                terminal.aside(aside)
        return False

    def _stake(self, stake: parse.PlaceChips) -> None:
        spots = range(self._hands) if stake.spot is None else (stake.spot,)
        self._session.slip.place({(spot, stake.kind): stake.cents for spot in spots})
        self._show()

    def _press(self, button: parse.Button) -> bool:
        """Push a button; True if cards were dealt."""
        match button:
            case "deal":
                events = self._session.deal()
            case "repeat-deal":
                events = self._session.deal("repeat")
            case "double-deal":
                events = self._session.deal("repeat-and-double")
            case "repeat" | "double" | "undo" | "clear":
                self._session.slip.push(button)
                self._show()
                return False
        self._terminal.hold_back(events)
        return True

    # Showing

    def _show(self) -> None:
        terminal, session, slip = self._terminal, self._session, self._session.slip
        say = terminal.catalogue.text
        balance = say("play.balance", balance=terminal.money(session.balance))
        if slip.stakes:
            terminal.print(terminal.view.slip(slip))
            terminal.print(f"{say('play.slip', total=slip.total)} · {balance}")
            self._show_buttons(_BEFORE_DEAL)
            return
        terminal.print(balance)
        if slip.can("repeat"):
            repeat = terminal.catalogue.label("repeat", session.game.name).lower()
            terminal.say("play.slip-again", "dim", repeat=repeat, total=sum(slip.last.values()))
            self._show_buttons(_AFTER_ROUND)
        elif session.balance < session.limits.main.minimum:
            terminal.say("play.broke", "yellow")
        else:
            terminal.say("play.slip-empty", "dim")

    def _show_buttons(self, buttons: tuple[tuple[SlipButton, str], ...]) -> None:
        catalogue, session = self._terminal.catalogue, self._session
        labels = (
            catalogue.label(label, session.game.name) for action, label in buttons if session.slip.can(action)
        )
        self._terminal.say("play.available", "dim", buttons=", ".join(labels))

    # The menu

    def _limits(self, name: str) -> None:
        session, say = self._session, self._terminal.catalogue.text
        if name:
            translated = {say(f"limits.{choice.name}"): choice.name for choice in LIMIT_CHOICES}
            session.choose_limits(translated.get(name, name))
            self.show_limits()
            return
        for choice in session.limit_choices:
            self._terminal.print(f"  {self._row(choice)}")

    def show_limits(self) -> None:
        """The limits in force (COM-54)."""
        self._terminal.say("play.limits-now", row=self._row(self._session.limits))

    def _row(self, choice: LimitChoice) -> str:
        say = self._terminal.catalogue.text
        return say(
            "play.limits-row",
            name=say(f"limits.{choice.name}"),
            minimum=choice.main.minimum,
            maximum=choice.main.maximum,
            side_minimum=choice.side.minimum,
            side_maximum=choice.side.maximum,
        )

    def _insurance(self, on: bool | None) -> None:
        session = self._session
        if on is not None:
            session.switch_insurance(on)
        if not session.game.insurance_switch:
            self._terminal.say("play.insurance-always")
        else:
            self._terminal.say("play.insurance-on" if session.insurance_on else "play.insurance-off")
