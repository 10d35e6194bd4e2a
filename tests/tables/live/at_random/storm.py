"""Players who do whatever comes to their mind at a live table, which is killed now and then: all from one seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from msgspec.structs import replace

from sabot.cards import DECK_SIZE, format_card
from sabot.engine import Bet
from sabot.engine.commands import DECISIONS, Insure, Vote
from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Action
from sabot.rounds.face_down import CardSeal
from sabot.rounds.shoes import ShoeSource
from sabot.store.database import Database
from sabot.tables.config import Dealing
from sabot.tables.live.terms import TableTerms
from sabot.tables.live.timers import Timers
from tests.support.ledger import balances
from tests.support.live_hall import DEPOSITED, Hall
from tests.support.shoes import StackedShoes
from tests.tables.live.at_random.hand_dealer import HandDealer

PLAYERS = 5
#: Usual amounts, and such as are below the minimum, too much, or none.
USUAL = (100, 200, 333, 500, 1_000)
STAKES = (*USUAL * 3, 0, 99, 4_900, 600_000)
ACTIONS: tuple[Action, ...] = ("hit", "stand", "stand", "double", "split", "surrender")

Ask = Callable[[], None]


class Storm:
    """Players who come, go and ask at random, at a table that is killed now and then."""

    def __init__(
        self,
        database: Database,
        game: str,
        random: Random,
        shoes: ShoeSource | None = None,
        dealing: Dealing = "house",
    ) -> None:
        """Shoes that are given are dealt from, instead of stacked ones; or a person deals."""
        self.random = random
        stacked = [random.sample(range(DECK_SIZE), DECK_SIZE) * 8 for _ in range(40)]
        options = TableOptions(
            burn=random.random() < 0.3,
            cut=random.choice((4, 9, 40)),
            vote_threshold=random.choice((1, 2, 3)),
        )
        cards = [" ".join(format_card(card) for card in shoe) for shoe in stacked]
        timers = Timers(shuffling_table=random.random() < 0.5)
        self.hall = Hall(
            database,
            game,
            *cards,
            players=PLAYERS,
            options=options,
            timers=timers,
            shoes=shoes,
            dealing=dealing,
        )
        self.dealer = HandDealer(self.hall, random) if dealing == "studio" else None
        for player in range(1, PLAYERS + 1):
            self.hall.grant(player, {500: 3})
        #: Connections of each player.
        self.sockets = dict.fromkeys(range(1, PLAYERS + 1), 0)
        self.code = ""
        for player in range(1, random.randint(1, PLAYERS) + 1):
            self._come(player)
            self._try(partial(self._sit, player))
            self.hall.consent(player, double=random.random() < 0.5, split=random.random() < 0.5)

    # What may happen

    def step(self) -> None:
        """One thing that somebody does, or the clock, or a crash."""
        random, hall = self.random, self.hall
        player = random.randint(1, PLAYERS)
        seated = [int(sitting) for sitting in hall.live.table.sittings if random.random() < 0.8]
        patience = hall.phase == "betting" and not hall.live.table.paused
        steps: dict[Ask, float] = {
            self._pass_time: 1 if patience else 6,
            partial(self._look_in, player): 0.5,
            self._restart: 0.25,
            partial(self._crash, player): 0.25,
            lambda: self._try(self._operator()): 0.3,
            lambda: self._try(self._ask(random.choice(seated or [player]))): 5,
        }
        if self.dealer is not None:
            steps |= {self.dealer.step: 9, self.dealer.whim: 0.7}
        random.choices(list(steps), list(steps.values()))[0]()
        self.code = random.choice((self.code, hall.live.play.code))

    def _pass_time(self) -> None:
        hall, random = self.hall, self.random
        if hall.live.phases.due is None or random.random() < 0.2:
            hall.pass_time(random.choice((0.1, 1, 7)))
        else:
            hall.tick()

    def _look_in(self, player: int) -> None:
        """Somebody comes, or goes."""
        if not self.sockets[player] or self.random.random() < 0.1:
            self._come(player)
        else:
            self._go(player)

    def _come(self, player: int) -> None:
        self.hall.come(player)
        self.sockets[player] += 1

    def _go(self, player: int) -> None:
        self.hall.go(player)
        self.sockets[player] -= 1

    def _restart(self) -> None:
        """The house is killed, once in a while without its key; most players come back."""
        if self.random.random() < 0.05 and isinstance(self.hall.shoes, StackedShoes):
            self.hall.shoes.lose_key()
            self.hall.seal = CardSeal(Vault(self.random.randbytes(32)))
        self.hall.restart()
        self._come_back()

    def _crash(self, player: int) -> None:
        """Killed in the middle of something: some of its rows are stored."""
        ask = self.random.choice((self.hall.live.course.tick, self._raw_ask(player)))
        self.hall.crash(self.random.randint(0, 3), ask)
        self._come_back()

    def _come_back(self) -> None:
        self.sockets = dict.fromkeys(self.sockets, 0)
        for player in self.sockets:
            if self.random.random() < 0.7:
                self._come(player)

    def _try(self, ask: Ask) -> None:
        """Ask something; what is refused has changed nothing."""
        before, refused = self.hall.state(), ""
        try:
            ask()
        except Refusal as refusal:
            refused = str(refusal)
        assert not refused or self.hall.state() == before, refused

    # What may be asked

    def _operator(self) -> Ask:
        hall, gift = self.hall, partial(self.hall.grant, self.random.randint(1, PLAYERS), {500: 1})
        orders: list[Ask] = [
            hall.pause,
            hall.resume,
            hall.resume,
            hall.void,
            gift,
            self._change,
            self._change,
        ]
        return self.random.choice(orders)

    def _change(self) -> None:
        """The operator changes limits and timers, or closes the table until the next change (OFF-02)."""
        live, random = self.hall.live, self.random
        used = live.terms.next()
        options = replace(live.table.options, main=Limits(random.choice((100, 300)), 50_000))
        terms = TableTerms(
            config=replace(used.config, options=options),
            timers=replace(used.timers, payout=random.choice((2, 4))),
            title=random.choice(("one", "two")),
            closed="" if used.closed or random.random() < 0.7 else "game",
        )
        live.terms.next = lambda: terms
        self.hall.do(live.course.renew)

    def _sit(self, player: int) -> None:
        """With all golden chips of the account, as the server does it; not at all with less money than that."""
        hall, random = self.hall, self.random
        bring = random.choice((500, 5_000, 20_000))
        if hall.account(player) >= bring:
            seats = [random.randint(0, 6)] if hall.live.boxes is None and random.random() < 0.8 else []
            hall.sit(player, *seats, bring=bring, golden=hall.golden(player))

    def _ask(self, player: int) -> Ask:
        hall, random = self.hall, self.random
        if random.random() < 0.1:
            return partial(self._sit, random.randint(1, PLAYERS))
        if random.random() < 0.05:
            return partial(hall.leave, player)
        if random.random() < 0.05:
            return partial(hall.add, player, random.choice((0, 700, 10**9)))
        raw = self._raw_ask(player)
        return partial(hall.do, raw)

    def _raw_ask(self, player: int) -> Ask:
        """A question put to the table itself, mostly one that fits the moment."""
        hall, random, name = self.hall, self.random, str(player)
        live = hall.live
        code = live.play.code if random.random() < 0.95 else self.code
        turn = live.play.turn - (random.random() < 0.05)
        action = random.choice(ACTIONS)
        spot, hand = (random.randint(0, live.table.rules.spots), random.randint(0, 1))
        if live.play.round is not None and live.play.round.turn is not None and random.random() < 0.9:
            spot, hand = live.play.round.turn
        seed = random.choice(("a", "b", "two\nlines"))
        answer = Insure(name, random.random() < 0.6, random.choice((None, None, spot)))
        asks: list[Ask] = [
            partial(live.shoes.seed, name, seed),
            partial(live.insure, code, turn, answer),
        ]
        if name in live.attendance.players:
            asks.append(partial(live.play.consent, name, random.random() < 0.6, random.random() < 0.6))
        bets = partial(live.play.place_bets, name, code, self._bets(player))
        asks += [bets] * (12 if live.phases.phase == "betting" else 1)
        if live.boxes is None:
            seats = live.seats
            owner = live.play.round.book.owners.get(spot, name) if live.play.round is not None else name
            decision = DECISIONS[action](spot, hand)
            asks += [partial(live.decide, owner, code, turn, decision)] * 4
            seat = random.choice([*live.table.seats_of(name), random.randint(-1, 7)])
            asks += [
                partial(live.start_now, name, code),
                partial(live.pre_decide, name, code, seat, random.choice((None, *ACTIONS))),
                partial(live.sittings.leave_seat, name, seat),
                partial(seats.allow_behind, name, seat, random.random() < 0.5),
            ]
        else:
            vote = Vote(spot, hand, player=name, action=action)
            asks += [partial(live.vote, code, turn, vote)] * 5
        return random.choice(asks)

    def _bets(self, player: int) -> tuple[Bet, ...]:
        """Bets that may stand, and some that may not."""
        random, live = self.random, self.hall.live
        stake = random.choice(STAKES)
        if random.random() < 0.1:
            return ()
        if live.boxes is None:
            own = live.table.seats_of(str(player))
            mains = [Bet(seat, "main", stake) for seat in own]
            others = [seat for seat in live.table.seats if seat not in own]
            behind = [Bet(random.choice(others), "behind", random.choice(STAKES))] if others else []
            sides = [Bet(bet.spot, "21+3", random.choice(STAKES)) for bet in mains if random.random() < 0.3]
            wild = [Bet(random.randint(0, 6), random.choice(("main", "behind")), stake)]
            return tuple(random.choice((mains, mains, mains + behind, behind, mains + sides, wild)))
        chips = (500,) * random.choice((0, 0, 1, 2))
        mains = [Bet(box, "main", stake, chips) for box in random.choice(((0,), (0, 1), (1,), (0, 2)))]
        sides = [Bet(bet.spot, "buster", 100) for bet in mains if random.random() < 0.3]
        return tuple(mains + sides)

    # What must hold

    def check(self) -> None:
        """Every cent is somewhere, the table knows where, and nobody owes any."""
        hall = self.hall
        found = balances(hall.database)
        stakes = hall.escrow
        kept = sum(amount for name, amount in found.items() if name.startswith(("player/", "session/")))
        assert kept + stakes + hall.house == PLAYERS * DEPOSITED
        round = hall.live.play.round
        assert stakes == (round.book.escrow if round is not None and not round.over else 0)
        hall.money(*(int(player) for player in hall.live.table.sittings))

    def _deal_on(self, dealer: HandDealer) -> None:
        """The next step of the dealer or of the clock; a second reading that was wrong has stopped the table."""
        hall, step = self.hall, dealer.studio.console().step
        if hall.live.table.paused:
            hall.resume()
        elif hall.live.phases.due is not None and step in ("wait", "betting", "players"):
            hall.tick()
        elif step == "open" and not hall.live.sittings.any_present():
            hall.void("nobody is there") if hall.live.table.in_round else hall.tick()
        else:
            dealer.step()

    def calm_down(self) -> None:
        """Everyone goes; the table plays out what is on it, rests, and gives all money back."""
        hall = self.hall
        for player, sockets in self.sockets.items():
            for _ in range(sockets):
                hall.go(player)
        if hall.live.table.paused:
            hall.resume()
        while self.dealer is not None and hall.phase != "idle":
            self._deal_on(self.dealer)
        hall.until("idle")
        hall.pass_time(1_800)
        assert hall.live.table.sittings == {}
        assert hall.live.attendance.players == {}
        assert hall.view.seats == ()
        assert set(hall.ends) <= {"settled", "voided"}
        assert hall.escrow == 0
        assert sum(hall.account(player) for player in self.sockets) + hall.house == PLAYERS * DEPOSITED
