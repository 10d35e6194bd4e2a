"""Adapter of a live table: requests in, what its players and the lobby see out."""

from typing import Literal

from msgspec.structs import replace

from sabot.engine import commands
from sabot.engine.commands import Double, Hit, Player, Split, Stand
from sabot.engine.view import player_view
from sabot.protocol import codec, messages, requests
from sabot.server.accounts.logins import Login, screen_name
from sabot.server.tables.adapter import MALFUNCTION, Context, snapshot_of, unknown
from sabot.server.tables.shoes import ShoeWatch
from sabot.store.entry import RequestKey
from sabot.tables.live.phases import PhaseTime
from sabot.tables.live.presence import Preferences
from sabot.tables.live.step import LiveStep
from sabot.tables.live.table import LiveTable
from sabot.tables.table import Table


class LiveAdapter:
    """A table of a live game."""

    owner = None
    kept_requests = 65_536

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        #: What can be checked of the shoe in use.
        self.shoes = ShoeWatch(table.table)
        #: The last snapshot, for those who come before something changes.
        self._snapshot: tuple[int, bytes] = (-1, b"")

    @property
    def base(self) -> Table:
        return self.table.table

    @property
    def turn(self) -> int:
        """The number of decisions and closings of the round."""
        return self.table.play.turn

    @property
    def moment(self) -> PhaseTime:
        return self.table.phases.moment

    def handle(self, request: requests.AnyRequest, player: Player, key: RequestKey, context: Context) -> None:
        self.table.prepare()  # what is refused after the first of several entries would be half done
        carry_out(self.table, request, player, key, context)

    def take(self) -> LiveStep:
        return self.table.take()

    def come(self, login: Login, preferences: Preferences) -> None:
        player = str(login.player)
        self.table.enter(player, screen_name(login.name), bot=login.bot, staff=login.role != "player")
        self.table.seats.set_preferences(player, preferences, changed=False)

    def go(self, player: Player) -> None:
        self.table.exit(player)

    def prefer(self, player: Player, preferences: Preferences) -> None:
        """A player has changed the settings: they act at the seats held (FRB-43)."""
        if player in self.table.attendance.players:
            self.table.seats.set_preferences(player, preferences, changed=True)

    def log_out(self, player: Player) -> None:
        """The player leaves, after the round if bets are in play."""
        if player in self.base.sittings:
            self.table.sittings.leave(player)

    def renew(self) -> None:
        self.table.course.renew()

    def staked(self, player: Player) -> int:
        return sum(bet.stake for bet in self.table.play.bets_of(player))

    def bound_loss(self, player: Player, code: str, most: int) -> int | None:
        return self.table.play.bound_loss(player, code, most)

    def void(self) -> None:
        """Return every stake of the round (PLT-32, ASR-13)."""
        self.table.void(MALFUNCTION)

    def snapshot(self, seq: int) -> bytes:
        """The table as everyone sees it, packed for the wire."""
        if self._snapshot[0] != seq:
            self._snapshot = (seq, codec.pack(live_snapshot(self.table, seq)))
        return self._snapshot[1]

    def me(self, player: Player, account: int) -> messages.OwnPart:
        live = self.table
        table, round = live.table, live.play.round
        sitting = table.sittings.get(player)
        in_round = table.plays(player)
        return messages.OwnPart(
            table=table.config.name,
            balance=None if sitting is None else table.balance(player),
            account=account,
            brought=0 if sitting is None else sitting.brought,
            limits="",
            part=player_view(round, player) if in_round and round is not None else None,
            results=messages.Results(tuple(live.play.results.get(player, ())), live.play.paid.get(player)),
            last=live.play.last.get(player, ()),
            live=live.play.part(player),
        )

    def head(self) -> messages.TableHead:
        """The table as the lobby shows it."""
        live, table = self.table, self.base
        rules, limits, side = table.rules, table.options.main, table.options.side
        here = live.attendance.bots_present()
        return messages.TableHead(
            table=table.config.name,
            title=live.terms.used.title,
            game=rules.name,
            currency=table.config.currency,
            eu=not rules.hole_card,
            phase=live.phases.phase,
            paused=bool(live.table.paused),
            taken=len(table.seats),
            seats=rules.spots if rules.backing == "seats" else 0,
            humans=len(here) - sum(here),
            bots=sum(here),
            minimum=limits.minimum,
            maximum=limits.maximum,
            side_minimum=side.minimum,
            side_maximum=side.maximum,
            max_win=table.options.max_win,
            vip=table.config.vip,
            closed=live.terms.next().closed,
            held=tuple(self._holder(spot) for spot in range(rules.spots)) if rules.backing == "seats" else (),
            results=tuple(live.play.dealer_hands),
            video=live.terms.used.video,
        )

    def _holder(self, spot: int) -> Literal["person", "bot"] | None:
        seat = self.base.seats.get(spot)
        if seat is None:
            return None
        presence = self.table.attendance.players.get(seat.player)
        return "bot" if presence is not None and presence.bot else "person"


def live_snapshot(live: LiveTable, seq: int) -> messages.Snapshot:
    """The table as everyone sees it now."""
    snapshot = snapshot_of(live.table, seq, live.phases.now, live.play.turn)
    used = live.terms.used
    shown = {"title": used.title, "cap": used.config.cap, "closed": used.closed, "video": used.video}
    return replace(snapshot, live=live.view(), **shown)


def carry_out(
    live: LiveTable, request: requests.AnyRequest, player: Player, key: RequestKey, context: Context
) -> None:
    """Carry out a request, or raise why not."""
    golden = None if context.funds is None else dict(context.funds.golden)
    if isinstance(request, requests.Sit):
        live.terms.check_open()
    match request:
        case requests.Sit(amount=amount, spot=None):
            live.sittings.sit(player, amount, key, golden)
        case requests.Sit(amount=amount, spot=int(spot)):
            live.sittings.sit_at(player, spot, amount, key, golden)
        case requests.AddMoneyRequest(amount=amount):
            live.sittings.add_money(player, amount, key)
        case requests.Leave(spot=None):
            live.sittings.leave(player, key)
        case requests.Leave(spot=int(spot)):
            live.sittings.leave_seat(player, spot, key)
        case requests.See(number=number):
            live.notices.see(player, number)
        case requests.SendSeed(seed=seed):
            live.shoes.seed(player, seed)
        case requests.TellDelay(delay=delay):
            live.tell_delay(player, delay)
        case requests.PlaceBetsRequest(round=code, bets=bets):
            live.terms.check_bets(player, bets)
            live.play.place_bets(player, code, bets, key, context.at, context.most)
        case requests.ConsentRequest(double=double, split=split):
            live.play.consent(player, double, split, key)
        case requests.InsureRequest(round=code, turn=turn, accept=accept, spot=spot):
            live.insure(code, turn, commands.Insure(player, accept, spot), key)
        case requests.Act(command=Hit() | Stand() | Double() | Split() as command):
            live.decide(player, request.round, request.turn, command, key)
        case requests.VoteRequest(round=code, turn=turn, spot=spot, hand=hand, action=action):
            vote = commands.Vote(spot, hand, player=player, action=action)
            live.vote(code, turn, vote, key)
        case _ if live.boxes is not None:
            raise unknown(request)
        case requests.StartNow(round=code):
            live.start_now(player, code, key, context.at)
        case requests.AllowBehindRequest(spot=spot, allowed=allowed):
            live.seats.allow_behind(player, spot, allowed, key)
        case requests.PreDecide(round=code, spot=spot, action=action):
            live.pre_decide(player, code, spot, action, key)
        case _:
            raise unknown(request)
