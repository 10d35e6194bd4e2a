"""A round: commands in, events out.

>>> from sabot.cards import parse_cards
>>> from sabot.engine import Bet, StackedShoe
>>> from sabot.engine.commands import Deal, PlaceBets, Stand
>>> from sabot.games import find
>>> round = Round(find("surrender").rules, StackedShoe(parse_cards("10s 9h 10d Kc")), purses={"ada": 1000})
>>> _ = round.apply(PlaceBets("ada", (Bet(0, "main", 1000),)))
>>> _ = round.apply(Deal())
>>> [type(command).__name__ for command in round.legal()]
['Stand', 'Hit', 'Surrender']
>>> round.apply(Stand(0))[-1], round.balance("ada")
(RoundSettled(golden=False, results=(HandResult(spot=0, hand=0, result='win'),)), 2000)

Each command has a handler that checks it and returns its effect: `verify` runs the check alone, `apply` the effect too.
A refused command raises `Refusal` and changes nothing.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from sabot.cards import ShoeEmptyError
from sabot.engine import events
from sabot.engine.book import Book
from sabot.engine.commands import AnyCommand, Consent, Effect, Player, Vote
from sabot.engine.events import AnyEvent, Event, Mode
from sabot.engine.handlers import HANDLERS
from sabot.engine.handlers.betting import Betting
from sabot.engine.handlers.bonus import BonusGame
from sabot.engine.handlers.offers import Offers
from sabot.engine.handlers.votes import Ballot
from sabot.engine.inputs import Draw, Price, Tape, check_golden, check_parts
from sabot.engine.legal import NO_MENU, Menu, legal_moves, legal_votes, make_menu
from sabot.engine.play import Play
from sabot.engine.settlement import Settlement
from sabot.engine.shoe import HandShoe, Shoe
from sabot.errors import Refusal
from sabot.games.options import TableOptions, check_bets, check_cut
from sabot.games.rules import PRICE_UNITS, Rules

#: In `cards` the round waits for the dealer, who is a person.
Phase = Literal["betting", "offers", "decisions", "bonus", "cards", "settled", "voided"]


class Round:
    """One round of any game; it can be rebuilt by replaying its commands."""

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        *,
        purses: Mapping[Player, int],
        golden: Mapping[Player, Mapping[int, int]] | None = None,
        options: TableOptions | None = None,
        price: Price | None = None,
        draw: Draw | None = None,
        behind_closed: frozenset[int] = frozenset(),
        consents: Mapping[Player, Consent] | None = None,
        most: Mapping[Player, int] | None = None,
    ) -> None:
        check_parts(rules, purses, price, draw)
        if golden:
            check_golden(golden, purses)
        self.rules = rules
        self.options = options = options or TableOptions()
        if options.side_bets_off or options.side_by_name:
            check_bets(options, [bet.name for bet in rules.side_bets])
        self.shoe = shoe
        self.phase: Phase = "betting"
        #: All events so far.
        self.log: list[AnyEvent] = []
        #: All commands so far.
        self.commands: list[AnyCommand] = []
        #: Inputs of the round, for its record.
        chips = {player: dict(held) for player, held in golden.items()} if golden else {}
        self.tape = Tape(dict(purses), chips, shoe.dealt, dict(consents or {}), dict(most or {}))
        #: The hand in turn, in phase `decisions`.
        self.turn: tuple[int, int] | None = None
        #: Its options.
        self.options_now = NO_MENU
        self.ballot = Ballot()
        self.bonus: BonusGame | None = None
        emit: Callable[[Event], None] = self.log.append  # type: ignore[assignment]  # every Event is one of AnyEvent
        self.emit = emit
        self.play = Play(rules, shoe, self.tape.cards, emit)
        self.book = Book(rules, self.options, self.tape, emit)
        self.betting = Betting(self.book, behind_closed, emit)
        self.offers = Offers(self.book, emit)
        self.settlement = Settlement(self.play, self.book, emit)
        self._price = price if rules.cashback else None
        self._draw = draw
        self._price_now = 0
        self._cut_to_come = False
        if rules.backing != "solo":
            self._open_live_shoe()
        elif shoe.dealt:
            raise ValueError(f"{shoe.dealt} cards of the shoe are dealt: a solo round starts from a full one")

    def _open_live_shoe(self) -> None:
        """COM-12: a round never starts from a shoe whose cut card is out; MAJ-07: a card may be burnt."""
        check_cut(self.rules.decks, self.options.cut)
        if self.cut_card_out:
            raise ValueError(
                f"the cut card is out after {self.shoe.dealt} cards: change the shoe before betting"
            )
        self._cut_to_come = True
        if self.options.burn:
            self.play.burn(self._open_betting)
            if self.play.due is not None:
                self._stand_by()

    def _open_betting(self) -> None:
        self.phase = "betting"

    # State

    @property
    def over(self) -> bool:
        """Whether the round is settled or voided."""
        return self.phase in ("settled", "voided")

    @property
    def cut_card_out(self) -> bool:
        """Whether the shoe must be changed before the next betting (COM-12)."""
        if isinstance(self.shoe, HandShoe):
            return self.shoe.cut_seen
        return self.rules.backing != "solo" and self.shoe.dealt >= self.options.cut

    def balance(self, player: Player) -> int:
        """The player's money that is not on the table."""
        return self.book.purse(player).money

    def mode(self, spot: int) -> Mode:
        """The mode of a dealt spot: decided by its owner, a vote or Best Strategy (MAJ-11)."""
        return self.betting.mode(len(self.book.backers[spot, 0]))

    def legal(self) -> tuple[AnyCommand, ...]:
        """Every legal move; an empty set of bets stands for all bets."""
        return legal_moves(self)

    def legal_votes(self, player: Player) -> tuple[Vote, ...]:
        """The votes the player may cast now."""
        return legal_votes(self, player)

    def can(self, command: AnyCommand) -> bool:
        """Whether the command would be accepted."""
        try:
            self.verify(command)
        except Refusal:
            return False
        return True

    def verify(self, command: AnyCommand) -> None:
        """Raise `Refusal` if the command would be refused."""
        self._effect(command)

    def apply(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Carry out the command and go on to the next decision; returns the events.

        An empty shoe voids the round (COM-12). After an error of a price or draw function the round must be rebuilt by
        replay: the engine has no undo.
        """
        effect = self._effect(command)
        log = self.log
        start = len(log)
        try:
            effect()
        except ShoeEmptyError:
            self.void("shoe-empty")
        if self.play.due is not None:
            self._stand_by()
        self.commands.append(command)
        if self._cut_to_come and self.cut_card_out:
            self._cut_to_come = False
            self.emit(events.CutCardShown())
        return tuple(log[start:])

    def _effect(self, command: AnyCommand) -> Effect:
        """The effect of a command; a refusal names places in this game's words."""
        try:
            handler = HANDLERS.get(type(command))
            if handler is None:
                raise Refusal("command/unknown", command=command)
            return handler(self, command)
        except Refusal as error:
            error.game = self.rules.name
            raise

    def _stand_by(self) -> None:
        """Nothing can be decided while a card is awaited (STU-10)."""
        self.phase = "cards"
        self.turn = None
        self.options_now = NO_MENU

    # Progress, called by the effects of commands

    def next_offer(self) -> None:
        """Emit the next offer, or go on."""
        if self.offers.open:
            self.offers.announce()
        else:
            self.end_offers()

    def end_offers(self) -> None:
        """Check for a dealer blackjack, if the game does under this card (SUR-02, FRB-02, MAJ-03)."""
        if self.play.checks:
            blackjack = self.play.hole_makes_blackjack()
            self.emit(events.Peeked(blackjack))
            if blackjack:
                self._finish()
                return
            self.settlement.lose_insurance()
        self.next_turn()

    def next_turn(self) -> None:
        """Go to the next decision or bonus; else finish (COM-10, LNK-20)."""
        turn = self.play.next_open()
        self.turn = None
        self.options_now = NO_MENU
        if self.rules.bonus is not None and self._start_bonus(turn):
            return
        if turn is None:
            self._finish()
            return
        self.phase = "decisions"
        self.turn = turn
        if self.rules.backing == "boxes":
            self.ballot = Ballot()
        if self._price is not None and "cashback" in self.play.actions(self.play.spots[turn[0]][turn[1]]):
            self._price_now = self._price_of(turn, self._price)
        self.offer_options()

    def _price_of(self, turn: tuple[int, int], price: Price) -> int:
        spot, index = turn
        hand, play = self.play.spots[spot][index], self.play
        seen = [card for s, i, other in play.hands() if (s, i) != turn for card in other.cards]
        worth = price(self.rules, hand.cards, split=hand.from_split, up=play.up, seen=seen)
        self.tape.prices.append(worth)
        stake = self.book.stake_on(self.book.owners[spot], spot, index).own
        margin = self.options.cashback_margin
        return max(0, stake * worth * (10_000 - margin) // (PRICE_UNITS * 10_000))

    def offer_options(self) -> None:
        """Emit the options of the hand in turn, if they are not as before."""
        assert self.turn is not None
        options = self.menu_of(*self.turn)
        if options != self.options_now:
            self.options_now = options
            self.emit(events.TurnStarted(*self.turn, tuple(options.values())))

    def menu_of(self, spot: int, index: int) -> Menu:
        """The options of a hand; a box itself pays nothing (COM-24, MAJ-23).

        All players of a live table see them, so they do not show a loss limit.
        """
        play, book = self.play, self.book
        hand = play.spots[spot][index]
        owner = book.owners.get(spot)
        stake = book.stake_on(owner, spot, index).own if owner is not None else 0
        lack = None if owner is None else book.purses[owner].lacks(stake)
        if lack is not None and self.rules.backing != "solo":
            lack = "funds/insufficient"
        return make_menu(
            play.actions(hand),
            stake,
            lack,
            play.double_is_free(hand),
            play.split_is_free(hand),
            self._price_now,
        )

    def end_bonus(self, bonus: BonusGame) -> None:
        """Pay a finished bonus and go on (LNK-22, LNK-36)."""
        self.bonus = None
        line = (self.book.owners[bonus.spot], bonus.spot, 0, self.rules.bonus_bet or "")
        self.settlement.pay_bonus(line, bonus.pays)
        self.next_turn()

    def _taped_draw(self, n: int) -> int:
        assert self._draw is not None
        drawn = self._draw(n)
        self.tape.draws.append(drawn)
        return drawn

    def _start_bonus(self, turn: tuple[int, int] | None) -> bool:
        """Start the bonus of a blackjack with a LINK bet before the next decision, if there is one (LNK-20)."""
        for spot, hands in self.play.spots.items():
            if turn is not None and spot >= turn[0]:
                return False
            owner = self.book.owners[spot]
            natural = hands[0].ended in ("blackjack", "even-money")
            if natural and (owner, spot, 0, self.rules.bonus_bet) in self.book.lines:
                assert self.rules.bonus is not None
                self.bonus = BonusGame(self.rules.bonus, spot, self._taped_draw, self.emit)
                self.phase = "bonus"
                return True
        return False

    def _finish(self) -> None:
        self.settlement.finish_dealer(self._pay_by_hand if isinstance(self.shoe, HandShoe) else self._pay)

    def _pay_by_hand(self) -> None:
        """A person who deals pays, too: until then the last card can be taken back (STU-08)."""
        self.play.wait(events.DueCard("pay"), self._pay)

    def _pay(self) -> None:
        self.settlement.pay_all()
        self._end("settled")

    def void(self, reason: str) -> None:
        """Return all stakes in kind and undo all wins (PLT-32)."""
        self.play.give_up()
        self.settlement.undo()
        self.book.return_all()
        self._end("voided")
        self.emit(events.RoundVoided(reason))

    def _end(self, phase: Phase) -> None:
        self.phase = phase
        if self.rules.backing == "boxes":
            self.ballot = Ballot()
        self.turn = self.bonus = None
        self.options_now = NO_MENU

    def check_phase(self, phase: Phase) -> None:
        """Refuse a command of another phase."""
        now = self.phase
        if now == phase:
            return
        if now == "bonus" and self.bonus is not None:
            raise Refusal("round/bonus-open", spot=self.bonus.spot)
        if phase == "offers":
            raise Refusal("offer/none")
        if now == "cards":
            raise Refusal("round/card-due")
        raise Refusal({"betting": "round/not-dealt", "offers": "round/offers-open"}.get(now, "round/over"))
