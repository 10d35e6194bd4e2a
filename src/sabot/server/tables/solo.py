"""Adapter of a solo table: requests in, events out."""

import hashlib

import msgspec

from sabot.engine import Bet, Round
from sabot.engine.commands import AnyCommand, BoundLoss, Insure, Player
from sabot.engine.events import BetSettled, PlayerPaid
from sabot.engine.view import player_view
from sabot.errors import Refusal
from sabot.fairness import check_client_seed
from sabot.games.options import USUAL_LIMITS, LimitChoice, limit_choices
from sabot.protocol import codec, messages, requests
from sabot.server.accounts.logins import Login
from sabot.server.house import House
from sabot.server.tables.adapter import MALFUNCTION, Context, snapshot_of, unknown
from sabot.server.tables.limits import choices_of, most_brought
from sabot.store import facts
from sabot.store.entry import RequestKey
from sabot.tables.live.closed import WhyClosed
from sabot.tables.live.events import (
    LimitsShown,
    RoundOpened,
    SettingsChanged,
    ShoeCommitted,
    ShoeRevealed,
)
from sabot.tables.live.notices import seen_entry, unseen_of
from sabot.tables.live.presence import Preferences
from sabot.tables.live.step import LiveStep, StepBuilder
from sabot.tables.table import Step, Table


class SoloAdapter:
    """One player's table of a solo game."""

    kept_requests = 256
    moment = None

    def __init__(self, house: House, table: Table, player: int, vip: int) -> None:
        self.table = table
        self.owner = player
        self._house = house
        self._vip = vip
        #: The settings that are used, and which of the limits.
        self._in_force = (house.config, house.switches)
        self._choices = self._allowed(vip)
        self._limits = _usual(self._choices)
        self._client_seed = table.shoes.shoe.client_seed if table.shoes.shoe else ""
        #: The seeds of the last round, once it is over.
        self._revealed: ShoeRevealed | None = None
        #: What was done while the player was away, until the player sits down again (PLT-49).
        self._notices = unseen_of(table.past_notices, since=0).get(str(player), ())
        #: Whether insurance is offered in this play session (COM-57).
        self._insurance = True
        self._step = StepBuilder()
        self._use_limits()
        #: Whether the settings in force are used: not before the end of a round that began with others.
        self._renewed = not table.in_round
        table.keep_options()

    @property
    def base(self) -> Table:
        return self.table

    @property
    def turn(self) -> int:
        """The number of commands in the round."""
        return len(self.table.current.round.commands) if self.table.current else 0

    @property
    def _now(self) -> int:
        return self._house.clock.wall_ms()

    def take(self) -> LiveStep:
        if self._step.events or self._step.entries:
            self._step.touch(str(self.owner))
        return self._step.take()

    # Requests

    def handle(self, request: requests.AnyRequest, player: Player, key: RequestKey, context: Context) -> None:
        table = self.table
        match request:
            case requests.Sit(amount=amount):
                self._house.switches.check(table.rules.name, table.config.game.title)
                self._step.store(table.sit(self.owner, amount, self._now, key))
                self._see_notices(player)
            case requests.AddMoneyRequest(amount=amount):
                self._carry(table.add_money(player, amount, self._now, key))
            case requests.Leave():
                self._leave(player, key)
            case requests.ChooseLimits(limits=limits):
                self._choose_limits(limits)
            case requests.OfferInsurance(offered=offered):
                self._offer_insurance(offered)
            case requests.DealRequest():
                self._deal(request, key, context.most)
            case requests.Act(command=command):
                self._apply(request, command, key)
            case requests.InsureRequest(accept=accept, spot=spot):
                self._apply(request, Insure(player, accept, spot), key)
                if not accept and spot is None and table.config.game.refusal_lasts:
                    self._insurance = False  # CSH-12
            case _:
                raise unknown(request)

    def _see_notices(self, player: Player) -> None:
        if self._notices:
            self._step.store(seen_entry(self.table, self._now, player, self._notices[-1].number))
            self._notices = ()

    def _apply(self, request: requests.InRound, command: AnyCommand, key: RequestKey) -> None:
        if request.round != self.table.code or request.turn != self.turn or not self.table.in_round:
            raise Refusal("command/stale", round=self.table.code, turn=self.turn)
        self._carry(self.table.apply(command, self._now, key))

    def _deal(self, request: requests.DealRequest, key: RequestKey, most: int | None) -> None:
        if self._house.draining:
            raise Refusal("house/draining")
        self.renew()
        self._check_open(request.bets)
        try:
            check_client_seed(request.client_seed)
        except ValueError as error:
            raise Refusal("seed/unusable", reason=str(error)) from None
        step = self.table.deal(
            self.owner,
            request.bets,
            request.client_seed,
            self._now,
            key,
            insurance=request.insurance and self._insurance,
            most=most,
        )
        self._client_seed, self._revealed = request.client_seed, None
        self._step.show(RoundOpened(self.table.code))
        self._carry(step)

    def _check_open(self, bets: tuple[Bet, ...]) -> None:
        """Refuse a deal of a game that is closed, or with a side bet that is (OFF-02)."""
        game, switches = self.table.config.game, self._house.switches
        switches.check(game.name, game.title)
        for kind in switches.bets_off(game.name):
            if any(bet.kind == kind for bet in bets):
                raise Refusal("closed/bet", kind=kind)

    def _offer_insurance(self, offered: bool) -> None:
        game = self.table.config.game
        if not game.insurance_switch:
            raise Refusal("session/no-switch", game=game.title)
        self._insurance = offered

    def _leave(self, player: Player, key: RequestKey | None = None) -> None:
        """Leave, and end the play session (COM-57)."""
        self._insurance = True
        left = self.table.balance(player)
        self._step.store(self.table.leave(player, self._now, key))
        self._step.taken[player] = left

    def _carry(self, step: Step) -> None:
        """Take the events of a step, and at the end of a round the seed with the next commitment."""
        self._step.events += step.events
        self._step.entries += step.entries
        for fact in step.entries[-1].body.facts:
            if isinstance(fact, facts.ShoeRevealedFact):
                commitment = hashlib.sha256(bytes.fromhex(fact.seed)).hexdigest()
                self._revealed = ShoeRevealed(commitment, fact.seed, self._client_seed)
                self._step.show(self._revealed)
            elif isinstance(fact, facts.ShoeCommittedFact):
                self._step.show(ShoeCommitted(fact.commitment))
        self.renew()

    def staked(self, player: Player) -> int:
        """Nothing: each deal has new stakes."""
        return 0

    def bound_loss(self, player: Player, code: str, most: int) -> int | None:
        current = self.table.current
        if current is None or self.table.code != code or not self.table.in_round:
            return None
        self._carry(self.table.apply(BoundLoss(player, most), self._now))
        return current.round.book.purses[player].staked

    def void(self) -> None:
        """Return every stake of the round (PLT-32)."""
        self._carry(self.table.void(MALFUNCTION, self._now))

    # Coming and going

    def come(self, login: Login, preferences: Preferences) -> None:
        """Read the VIP level again, which opens limits (COM-54)."""
        if login.vip == self._vip or self.table.in_round:
            return
        self._vip, self._choices = login.vip, self._allowed(login.vip)
        if self._limits not in self._choices:
            self._limits = _usual(self._choices)
            self._use_limits()

    def go(self, player: Player) -> None:
        """The table waits."""

    def prefer(self, player: Player, preferences: Preferences) -> None:
        """Nothing: the settings are for seats."""

    def log_out(self, player: Player) -> None:
        """End the play session; money outside a round goes back to the account (COM-57)."""
        self._insurance = True
        if player in self.table.sittings and not self.table.in_round:
            self._leave(player)

    # Limits

    def renew(self) -> None:
        """Use the settings in force; a round being played keeps those it began with (PLT-10)."""
        in_force = (self._house.config, self._house.switches)
        if self.table.in_round or (self._renewed and in_force == self._in_force):
            return
        self._renewed = True
        before = self._shown()
        self._in_force, self._choices = in_force, self._allowed(self._vip)
        chosen = (choice for choice in self._choices if choice.name == self._limits.name)
        self._limits = next(chosen, _usual(self._choices))
        self._use_limits()
        if (after := self._shown()) != before:
            self._step.show(after)
            self._step.touch(str(self.owner))

    def _shown(self) -> SettingsChanged:
        """The settings as the player sees them."""
        return SettingsChanged(self.table.options, self._closed, self._limits_shown())

    @property
    def _closed(self) -> WhyClosed:
        return self._in_force[1].why_closed(self.table.rules.name)

    def _choose_limits(self, name: str) -> None:
        if self.table.in_round:
            raise Refusal("round/open")
        known = self._choices
        found = next((choice for choice in known if choice.name == name), None)
        if found is None:
            raise Refusal("limits/unknown", name=name, known=", ".join(choice.name for choice in known))
        self._limits = found
        self._use_limits()

    def _allowed(self, vip: int) -> tuple[LimitChoice, ...]:
        config = self.table.config
        return limit_choices(vip, choices_of(self._house.config, config.game.name, config.currency))

    def _use_limits(self) -> None:
        config = self.table.config
        off = self._in_force[1].bets_off(config.game.name)
        options = config.game.with_limits(self._limits).without(*off)
        self.table.config = msgspec.structs.replace(config, options=options, cap=self._cap(self._limits))

    def _cap(self, choice: LimitChoice) -> int | None:
        """The most to bring to a sitting at these limits (PLT-04, PLT-64)."""
        return most_brought(self._house.config, self.table.config.currency, choice.cap)

    # What is shown

    def snapshot(self, seq: int) -> bytes:
        limits = self._limits_shown()
        shown = snapshot_of(self.table, seq, self._now, self.turn, limits, self._revealed)
        return codec.pack(msgspec.structs.replace(shown, closed=self._closed))

    def _limits_shown(self) -> tuple[LimitsShown, ...]:
        return tuple(self._limit_shown(choice) for choice in self._choices)

    def _limit_shown(self, choice: LimitChoice) -> LimitsShown:
        options = self.table.config.game.with_limits(choice)
        return LimitsShown(
            choice.name,
            (choice.main.minimum, choice.main.maximum),
            (choice.side.minimum, choice.side.maximum),
            options.max_win,
            self._cap(choice),
            options.chips,
        )

    def me(self, player: Player, account: int) -> messages.OwnPart:
        table, current = self.table, self.table.current
        sitting = table.sittings.get(player)
        return messages.OwnPart(
            table=table.config.name,
            balance=table.balance(player) if sitting else None,
            account=account,
            brought=sitting.brought if sitting else 0,
            limits=self._limits.name,
            part=player_view(current.round, player) if current and table.in_round else None,
            results=results(current.round, player) if current else messages.Results(),
            insurance=self._insurance,
            last=current.round.book.bets.get(player, ()) if current else (),
            notices=self._notices,
        )


def _usual(choices: tuple[LimitChoice, ...]) -> LimitChoice:
    return next((choice for choice in choices if choice.name == USUAL_LIMITS), choices[0])


def results(round: Round, player: Player) -> messages.Results:
    """What became of the player's bets so far; a void takes it back."""
    if round.phase == "voided":
        return messages.Results()
    own = [
        event for event in round.log if isinstance(event, BetSettled | PlayerPaid) and event.player == player
    ]
    return messages.Results(
        settled=tuple(event for event in own if isinstance(event, BetSettled)),
        paid=next((event for event in own if isinstance(event, PlayerPaid)), None),
    )
