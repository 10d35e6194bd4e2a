"""Between the rounds of a live table: players come, sit and go, the shoe is changed, betting opens."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sabot.engine import AnyEvent
from sabot.engine.commands import Consent, Player
from sabot.engine.places import Places
from sabot.errors import Refusal
from sabot.fairness.live import SeedList
from sabot.fairness.vault import VaultError
from sabot.rounds.shoes import KeptShoe
from sabot.store import facts
from sabot.store.entry import LogEntry, RequestKey
from sabot.tables.crowd import CrowdTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.events import NextShoeCommitted, RoundOpened, ShoeCommitted, ShoeRevealed, ShoeSeeded
from sabot.tables.live.stage import Preferences, Stage
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice
from sabot.tables.table import Step


class Gathering(Stage, ABC):
    """A table and its people."""

    def __init__(self, table: CrowdTable, timers: Timers, clock: Clock) -> None:
        super().__init__(table, timers, clock)
        self._seeds = SeedList()
        self._places = Places(0)

    @abstractmethod
    def _step(self, step: Step) -> tuple[AnyEvent, ...]:
        """Take what a step of the round has to tell; gives what everyone sees."""

    @abstractmethod
    def _stop_waiting(self) -> None:
        """End a window in which only people who have left could still say something."""

    # Coming and going

    def come(self, player: Player, name: str, *, bot: bool = False) -> None:
        """A player opens a connection to the table."""
        guest = self.guest(player)
        guest.name, guest.bot = name, bot
        guest.sockets += 1
        guest.counted = True
        self.crowd_changed = True
        self._wake()

    def prefer(self, player: Player, preferences: Preferences, *, changed: bool) -> None:
        """What a player has set for every table with seats; `changed` just now."""

    def go(self, player: Player) -> None:
        """A connection is lost: bets and answers stay, and no window is shortened, unless the player left (PLT-31)."""
        guest = self.guest(player)
        guest.sockets -= 1
        self.crowd_changed = True
        if guest.sockets:
            return
        guest.absent_since = self._clock.monotonic()
        if player in self.table.sittings:
            self._stop_waiting()
        elif guest.consent is None:
            del self.guests[player]
        if self.phase == "idle" and not self.paused:
            self.due = self._next_absence()

    def sit(
        self,
        player: Player,
        amount: int,
        request: RequestKey | None = None,
        golden: dict[int, int] | None = None,
    ) -> None:
        """Bring money to the table; while bets are open, into the round (PLT-04, MAJ-13)."""
        self._units.append(self.table.sit(int(player), amount, self.now, request, golden))
        if self.phase == "betting":
            self._join(player)
        guest = self.guest(player)
        guest.leaving = False
        if not guest.sockets:  # gone while this was on its way
            guest.absent_since = self._clock.monotonic()
        self._touch(player)
        self.crowd_changed = True
        if self.phase == "idle" and not self.paused:
            self._between_rounds()

    def _join(self, player: Player) -> None:
        """Into the round whose bets are open, with what the player has agreed to before (MAJ-12)."""
        self._step(self.table.join(player, self.now))
        agreed = self.guest(player).consent
        if agreed is not None:
            self._step(self.table.apply(Consent(player, *agreed), self.now))

    def add_money(self, player: Player, amount: int, request: RequestKey | None = None) -> None:
        """AGGIUNGI DENARO, in a round too."""
        self._step(self.table.add_money(player, amount, self.now, request))
        self._touch(player)

    def grant(self, player: Player, chips: dict[int, int]) -> None:
        """Golden chips that an operator granted to one who sits here: they can be staked from the next round on (MAJ-50).

        They leave the account at once, so that they cannot be brought to another table meanwhile.
        """
        if player in self.table.sittings and chips:
            self._units.append(self.table.bring_golden(player, chips, self.now))
            self._touch(player)

    def leave(self, player: Player, request: RequestKey | None = None) -> None:
        """Go with what is left; with a bet in the round, when it is over (FRB-33)."""
        if self.bets_of(player):
            self.guest(player).leaving = True
            if request is not None:
                self._units.append(self.table.note("leave-later", {}, self.now, request))
        else:
            self._leave(player, request)
        self._touch(player)

    def _leave(self, player: Player, request: RequestKey | None = None) -> None:
        left = self.table.balance(player)
        self._units.append(self.table.leave(player, self.now, request))
        self._taken[player] = left
        guest = self.guest(player)
        guest.leaving = False
        if not guest.sockets:
            del self.guests[player]
        self._touch(player)
        self.crowd_changed = True

    def _wake(self) -> None:
        """A table where nobody was begins when somebody is there."""
        if self.phase == "idle" and not self.paused and not self.draining and self.crowded():
            self._between_rounds()

    def resume(self) -> None:
        """Go on, or begin; nobody waits for those who went in the meantime."""
        super().resume()
        if self.phase == "idle":
            self._between_rounds()
        self._stop_waiting()

    # Between rounds

    def _between_rounds(self) -> None:
        """Let go who wants to, change the shoe if its cut card is out, open the betting (COM-12)."""
        self._tidy_up()
        table = self.table
        if self.draining or not self.crowded():
            self._rest()
        elif table.shoe is None or table.dealt >= table.options.cut:
            self._change_shoe()
        elif not table.seeded:
            self._enter("shuffle", self.timers.shuffle)
        else:
            self._open_betting()

    def _tidy_up(self) -> None:
        """Those who asked to go, and those who have been away for too long (PLT-04)."""
        now = self._clock.monotonic()
        for player in list(self.table.sittings):
            guest = self.guest(player)
            away = not guest.sockets and now >= guest.absent_since + self._patience(player)
            if self.bets_of(player):
                continue
            if guest.leaving:
                self._leave(player)
            elif away:
                self._send_away(player)
        for player, guest in list(self.guests.items()):
            if self.present(player):
                continue
            self.crowd_changed |= guest.counted
            guest.counted = False
            if player not in self.table.sittings:
                del self.guests[player]

    def _send_away(self, player: Player) -> None:
        """One who is not there leaves without having asked for it: the money goes back."""
        self._notify((player, Notice("money-returned", amount=self.table.balance(player))))
        self._leave(player)

    def _patience(self, player: Player) -> float:
        """Seconds after which one without a connection has left; of who only looked on, less is remembered."""
        return self.timers.absence if player in self.table.sittings else self.timers.grace

    def _rest(self) -> None:
        """Nobody plays: an empty round is closed, and the table looks up again when someone has been away too long."""
        if self.table.in_round:
            self._step(self.table.void("nobody plays", self.now))
        self._enter("idle", None)
        self.due = self._next_absence()

    def _next_absence(self) -> float | None:
        """When the next one without a connection has been away for too long."""
        away = ((player, guest) for player, guest in self.guests.items() if not guest.sockets)
        return min((guest.absent_since + self._patience(player) for player, guest in away), default=None)

    # The shoe

    def _change_shoe(self) -> None:
        """The next shoe comes from the shuffling table and the game goes on (FRB-30); else this one is shuffled.

        One that waits is used also where the operator has taken the shuffling table away: it was promised.
        """
        if self.table.waiting is None:
            self._shuffle()
            return
        try:
            self._exchange()
        except VaultError:  # sealed with a key that is gone
            self._shuffle()
        else:
            self._open_betting()

    def _exchange(self) -> None:
        """The old shoe is revealed, the next has its order before any bet, and another waits: all in one row."""
        table, old = self.table, self.table.shoe
        exchange = table.exchange_and_commit if self.timers.shuffling_table else table.exchange
        self._tell_shoes(exchange(self._seeds.seeds, self.now), old)
        self._seeds = SeedList()
        self._announce("shoes-exchanged")

    def _shuffle(self) -> None:
        """The shoe before is revealed, a new one is committed to, and players send their seeds (ASR-02)."""
        old = self.table.shoe
        self._tell_shoes(self.table.shuffle(self.now), old)
        self._seeds = SeedList()
        self._announce("shuffle")
        self._enter("shuffle", self.timers.shuffle)

    def _prepare_next(self) -> None:
        """At a shuffling table the house commits to the next shoe as soon as this one is in use (FRB-30)."""
        if self.timers.shuffling_table and self.table.waiting is None:
            self._tell_shoes(self.table.commit_next(self.now), self.table.shoe)
            self._seeds = SeedList()

    def _tell_shoes(self, unit: LogEntry, old: KeptShoe | None) -> None:
        """What a row did to the shoes; `old` was in use before it."""
        self._units.append(unit)
        for fact in unit.body.facts:
            match fact:
                case facts.ShoeRevealed(shoe=shoe, seed=seed) if old is not None and shoe == old.id:
                    self._told.append(ShoeRevealed(old.commitment, seed, old.client_seed))
                case facts.ShoeCommitted(commitment=commitment, waiting=True):
                    self._told.append(NextShoeCommitted(commitment))
                case facts.ShoeCommitted(commitment=commitment):
                    self._told.append(ShoeCommitted(commitment))
                case facts.ShoeSeeded(client_seed=client_seed, seeds=seeds, root=root):
                    self._tell_new(old)
                    self._told.append(ShoeSeeded(client_seed, len(seeds), root))

    def _tell_new(self, old: KeptShoe | None) -> None:
        """A shoe that waited is the one in use."""
        shoe = self.table.shoe
        if shoe is not None and old is not None and shoe.id != old.id:
            self._told.append(ShoeCommitted(shoe.commitment))

    def seed(self, player: Player, seed: str) -> None:
        """A player's part in the shuffle: one for each shoe, while it is shuffled here or aside (FRB-30)."""
        shuffling = self.phase == "shuffle" and not self.table.seeded
        if not shuffling and self.table.waiting is None:
            raise Refusal("seed/late")
        try:
            self._seeds.add(player, seed)
        except ValueError as error:
            raise Refusal("seed/unusable", reason=str(error)) from None

    def _seed_shoe(self) -> None:
        """The order of the cards is fixed and promised, before any bet."""
        try:
            unit = self.table.seed_shoe(self._seeds.seeds, self.now)
        except VaultError:  # sealed with a key that is gone: the next shoe opens
            self._shuffle()
            return
        self._tell_shoes(unit, self.table.shoe)
        self._open_betting()

    # Betting opens

    def _open_betting(self) -> None:
        if not self.table.in_round:
            self._prepare_next()
            try:
                self._new_round()
            except VaultError:
                self._shuffle()
                return
        for player in [player for player in self.table.sittings if not self.table.plays(player)]:
            self._join(player)  # sat down when bets were closed, and nothing was dealt (FRB-34)
        self._announce("place-your-bets")
        self._enter("betting", self.timers.betting)

    def _new_round(self) -> None:
        """A round for everyone who sits at the table, with what they have agreed to."""
        agreed = {player: self.guest(player).consent for player in self.table.sittings}
        consents = {player: consent for player, consent in agreed.items() if consent is not None}
        unit = self.table.open_round(self.now, behind_closed=self.behind_closed(), consents=consents)
        self._units.append(unit)
        self.turn = 0
        self.crowd_changed = True
        self._told.append(RoundOpened(self.code))
        if self.round is not None:
            self._places = Places(self.round.tape.start)
            self._step(Step(tuple(self.round.log), ()))

    def behind_closed(self) -> tuple[int, ...]:
        """Seats that take no bets behind."""
        return ()
