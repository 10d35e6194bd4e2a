"""Insurance and even money: the open offers, and handlers of their answers (COM-30..33, LNK-04, MAJ-09)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from sabot.engine.book import Book
from sabot.engine.commands import CloseOffers, Effect, EvenMoney, Insure, Player
from sabot.engine.events import EvenMoneyAnswered, EvenMoneyOffered, Event, InsuranceOffered, Insured, Stake
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round

Place = tuple[Player, int]


class Offer(NamedTuple):
    """An open offer."""

    kind: Literal["insurance", "even-money"]
    cost: int = 0


class Offers:
    """The open offers of a round: one after the other (solo), or all at once (live)."""

    def __init__(self, book: Book, emit: Callable[[Event], None]) -> None:
        self._book = book
        self._emit = emit
        self._in_turn = book.rules.backing == "solo"
        self.open: dict[Place, Offer] = {}

    def start(self, blackjacks: set[int], insurance: bool) -> None:
        """Open the offers under an ace: from the rightmost hand, every backer of it (COM-32)."""
        book = self._book
        for (spot, _), players in sorted(book.backers.items()):
            for player in players:
                if spot in blackjacks and book.rules.even_money:
                    self.open[player, spot] = Offer("even-money")
                    continue
                cost = book.stake_on(player, spot, 0).own // 2
                if insurance and book.options.insurance and cost:
                    self.open[player, spot] = Offer("insurance", cost)
        if self.open and not self._in_turn:
            self._emit(InsuranceOffered(None, 0))
        self.announce()

    def announce(self) -> None:
        """Emit the next offer of a solo round."""
        if not self.open or not self._in_turn:
            return
        (_, spot), offer = self.current
        if offer.kind == "even-money":
            self._emit(EvenMoneyOffered(spot))
        else:
            self._emit(InsuranceOffered(spot, offer.cost))

    @property
    def current(self) -> tuple[Place, Offer]:
        """The first open offer."""
        return next(iter(self.open.items()))

    def answered_by(self, player: Player, spot: int | None) -> dict[Place, Offer]:
        """The open insurance offers of a player's answer; `Refusal` if there are none."""
        if spot is not None and self._book.rules.backing == "boxes":
            raise Refusal("offer/one-answer")
        spots = range(self._book.rules.spots) if spot is None else (spot,)
        found = {(player, at): self.open.get((player, at)) for at in spots}
        mine = {place: offer for place, offer in found.items() if offer and offer.kind == "insurance"}
        if not mine:
            raise Refusal("offer/none")
        self._check_turn(next(iter(mine)))
        return mine

    def even_money_at(self, spot: int) -> Place:
        """The open even-money offer of a spot; `Refusal` if there is none."""
        for place, offer in self.open.items():
            if place[1] == spot and offer.kind == "even-money":
                self._check_turn(place)
                return place
        raise Refusal("offer/none")

    def _check_turn(self, place: Place) -> None:
        if self._in_turn and place != self.current[0]:
            raise Refusal("offer/not-now", turn=self.current[0][1])

    def insure(self, places: dict[Place, Offer], accept: bool) -> None:
        """Take the cost of accepted insurances and close the offers."""
        book = self._book
        for (player, spot), offer in places.items():
            purse = book.purses[player]
            if accept:
                stake = Stake(offer.cost)
                purse.take(stake)
                book.open_line(player, spot, 0, "insurance", stake)
            del self.open[player, spot]
            self._emit(Insured(player, spot, accept, offer.cost if accept else 0, purse.money))

    def close(self) -> None:
        """Refuse all open offers (COM-32)."""
        self.insure(dict(self.open), accept=False)


def insure(round: Round, command: Insure) -> Effect:
    """Insurance for one hand or for all not yet answered (COM-31, COM-32)."""
    round.check_phase("offers")
    round.book.purse(command.player)
    places = round.offers.answered_by(command.player, command.spot)
    if command.accept:
        round.book.afford(command.player, sum(offer.cost for offer in places.values()))

    def effect() -> None:
        round.offers.insure(places, command.accept)
        round.next_offer()

    return effect


def even_money(round: Round, command: EvenMoney) -> Effect:
    """Even money on a blackjack (LNK-04)."""
    round.check_phase("offers")
    place = round.offers.even_money_at(command.spot)

    def effect() -> None:
        del round.offers.open[place]
        round.emit(EvenMoneyAnswered(command.spot, command.accept))
        if command.accept:
            round.play.end(command.spot, 0, "even-money")
        round.next_offer()

    return effect


def close_offers(round: Round, command: CloseOffers) -> Effect:
    """Close the window of a live table; no answer is a refusal (COM-32)."""
    round.check_phase("offers")
    if round.rules.backing == "solo":
        raise Refusal("offer/none")

    def effect() -> None:
        round.offers.close()
        round.end_offers()

    return effect
