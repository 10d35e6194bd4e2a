"""A round at the terminal: bets, hands, choices and results."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from sabot.cards import Hand
from sabot.cli.play.slip import BetSlip
from sabot.cli.render.layout import Faces, plain_table, signed, total_text
from sabot.engine import DEALER, AnyEvent, Round
from sabot.engine.events import (
    BetSettled,
    CardDealt,
    HandEnded,
    Option,
    Peeked,
    PlayerPaid,
    RoundVoided,
    SideBetDecided,
    WinCapped,
)
from sabot.texts import Catalogue

_MAIN = ("initial", "split")
_GOOD = ("win", "blackjack", "even-money")
#: The order in which actions are offered.
_ORDER = ("hit", "stand", "double", "split", "surrender", "cashback")


class View:
    """Draws the rounds of one game in one language."""

    def __init__(self, catalogue: Catalogue, faces: Faces, game: str) -> None:
        self._catalogue = catalogue
        self._faces = faces
        self._game = game

    def hand_name(self, spot: int, hand: int = 0, split: bool = False) -> str:
        """`Hand 2`; of a split hand `Hand 2a` (right) and `Hand 2b` (left)."""
        half = "ab"[hand] if split else ""
        return self._catalogue.text("table.hand", hand=f"{spot + 1}{half}")

    def named(self, round: Round, spot: int, hand: int) -> str:
        """The name of a dealt hand."""
        return self.hand_name(spot, hand, len(round.play.spots[spot]) > 1)

    # Before the deal

    def slip(self, slip: BetSlip) -> Table:
        """The chips on the table, a line for each hand."""
        catalogue, grid = self._catalogue, plain_table()
        stakes = slip.stakes
        for spot in sorted({spot for spot, _ in stakes}, key=lambda spot: (spot == DEALER, spot)):
            name = catalogue.text("table.dealer") if spot == DEALER else self.hand_name(spot)
            main = catalogue.amount(stakes[spot, "main"]) if (spot, "main") in stakes else ""
            sides = (
                f"{catalogue.named('kind', kind, self._game)} {catalogue.amount(stakes[place, kind])}"
                for place, kind in stakes
                if place == spot and kind != "main"
            )
            grid.add_row("", name, Text(main, justify="right"), " · ".join(sides))
        return grid

    # The table

    def table(self, round: Round) -> Table:
        """The dealer's hand and all others, an arrow at the hand in turn."""
        catalogue, faces, grid = self._catalogue, self._faces, plain_table()
        play, dealer = round.play, round.play.dealer
        hidden = len(dealer.cards) == 1
        grid.add_row(
            "", catalogue.text("table.dealer"), self._total(dealer), faces.cards(dealer.cards, hidden)
        )
        for spot, index, hand in play.hands():
            here = (spot, index) == round.turn
            stake = sum(
                line.own
                for (_, place, half, why), line in round.book.lines.items()
                if (place, half) == (spot, index) and why in (*_MAIN, "double")
            )
            grid.add_row(
                Text(faces.arrow if here else "", "bold yellow"),
                Text(self.named(round, spot, index), "bold" if here else ""),
                self._total(hand),
                faces.cards(hand.cards),
                Text(catalogue.amount(stake), justify="right"),
                Text(catalogue.text(f"ending.{hand.ended}") if hand.ended else "", "dim"),
            )
        return grid

    def _total(self, hand: Hand) -> Text:
        return Text(total_text(self._catalogue, hand.total, hand.soft), "bold", justify="right")

    # Choices

    def options(self, options: Iterable[Option]) -> list[Text]:
        """The available actions with their cost or price."""
        able = [option for option in options if not option.unavailable]
        return [
            self._option(option) for option in sorted(able, key=lambda option: _ORDER.index(option.action))
        ]

    def _option(self, option: Option) -> Text:
        catalogue = self._catalogue
        label = catalogue.label(option.action, self._game)
        if option.action in ("surrender", "cashback"):
            label = catalogue.text("play.pays", label=label, pays=option.pays)
        elif option.cost:
            label = catalogue.text("play.costs", label=label, cost=option.cost)
        return self.choice(option.action, label)

    def choice(self, name: str, label: str = "") -> Text:
        """A button with its letter: `[h] HIT`."""
        catalogue = self._catalogue
        text = Text(f"[{catalogue.text(f'key.{name}')}]", "bold yellow")
        return text.append(f" {label or catalogue.label(name, self._game)}", "default not bold")

    # Events

    def events(self, round: Round, events: Iterable[AnyEvent], dealt: bool) -> list[Text]:
        """A line for each event: cards of decisions, side bets won, the dealer's check."""
        events = list(events)
        endings = {(event.spot, event.hand): event.how for event in events if isinstance(event, HandEnded)}
        lines = []
        for event in events:
            match event:
                case CardDealt(spot=spot) if spot != DEALER and not dealt:
                    lines.append(self._card_line(round, event, endings))
                case SideBetDecided(pays=pays) if pays:
                    lines.append(self._side_bet_line(event))
                case Peeked(blackjack=blackjack):
                    key = "play.peeked-blackjack" if blackjack else "play.peeked"
                    lines.append(Text(self._catalogue.text(key)))
                case RoundVoided():
                    lines.append(Text(self._catalogue.text("play.voided"), "bold red"))
        return lines

    def _card_line(self, round: Round, event: CardDealt, endings: Mapping[tuple[int, int], str]) -> Text:
        catalogue = self._catalogue
        ending = endings.get((event.spot, event.hand))
        ends = ending in ("bust", "charlie")
        line = catalogue.text(
            "play.card-end" if ends else "play.card",
            hand=self.named(round, event.spot, event.hand),
            card="\0",
            total=total_text(catalogue, event.total, event.soft),
            ending=catalogue.text(f"ending.{ending}") if ends else "",
        )
        before, _, after = line.partition("\0")
        return Text.assemble(before, self._faces.card(event.card), after)

    def _side_bet_line(self, event: SideBetDecided) -> Text:
        line = self._catalogue.text(
            "play.side-won",
            bet=self.bet_name(event.kind, event.spot),
            category=self._catalogue.named("category", event.category, self._game),
            pays=event.pays,
        )
        return Text(line, "bold green")

    def bet_name(self, kind: str, spot: int) -> str:
        """A side bet's name, with its hand if it has one."""
        name = self._catalogue.named("kind", kind, self._game)
        name = name[:1].upper() + name[1:]
        return name if spot == DEALER else f"{name}, {self.hand_name(spot).lower()}"

    # Results

    def results(self, round: Round) -> Table:
        """Every bet of a settled round with its stake, result and payment."""
        catalogue, grid = self._catalogue, plain_table()
        settled = [event for event in round.log if isinstance(event, BetSettled)]
        dealer = round.play.dealer
        grid.add_row(
            "",
            catalogue.text("table.dealer"),
            self._total(dealer),
            self._faces.cards(dealer.cards),
            *(Text(catalogue.text(f"table.{name}"), "dim", justify="right") for name in ("stake", "paid")),
        )
        for spot, index, hand in round.play.hands():
            mine = [e for e in settled if (e.spot, e.hand) == (spot, index) and e.why in (*_MAIN, "double")]
            self._add_result(
                grid, self.named(round, spot, index), self._total(hand), self._faces.cards(hand.cards), mine
            )
        for event in sorted(settled, key=lambda event: (event.spot == DEALER, event.spot)):
            if event.why not in (*_MAIN, "double"):
                self._add_result(grid, "", Text(), Text(self.bet_name(event.why, event.spot)), [event])
        return grid

    def _add_result(self, grid: Table, name: str, total: Text, what: Text, events: list[BetSettled]) -> None:
        if not events:
            return
        catalogue = self._catalogue
        result: str = events[0].result
        if any(event.result == "returned" for event in events[1:]):
            result = "double-returned"
        style = "bold green" if result in _GOOD else "red" if result in ("lose", "double-returned") else ""
        amounts = (sum(event.stake.own for event in events), sum(event.paid for event in events))
        stake, paid = (Text(catalogue.amount(cents), justify="right") for cents in amounts)
        grid.add_row("", name, total, what, stake, paid, Text(catalogue.text(f"result.{result}"), style))

    def sums(self, round: Round) -> list[Text]:
        """The sums of the round, and the amount cut by the maximum win."""
        catalogue = self._catalogue
        lines = []
        for event in round.log:
            if isinstance(event, WinCapped):
                lines.append(
                    Text(
                        catalogue.text("play.capped", maximum=event.max_win, amount=event.amount), "bold red"
                    )
                )
            elif isinstance(event, PlayerPaid):
                before, _, after = catalogue.text(
                    "play.sum", staked=event.staked, paid=event.paid, net="\0"
                ).partition("\0")
                lines.append(Text.assemble(before, signed(event.paid - event.staked, catalogue), after))
        return lines
