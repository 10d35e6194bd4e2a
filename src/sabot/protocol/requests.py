"""Requests of a client over the socket.

A request carries an id of the client's own and, in a round, the round's code and turn: a request for another moment is
stale. The same id with the same contents gets the same response again and is not carried out twice.
"""

from typing import Annotated

from msgspec import Meta, Struct

from sabot.engine import commands
from sabot.engine.commands import Amount, Bet, Hand, Spot, kebab
from sabot.games.rules import Action
from sabot.protocol.fields import ClientSeed, Line, Name, RequestId
from sabot.store.kinds import Currency
from sabot.tables.live.delays import LONGEST_DELAY

#: The engine's commands that a client sends as they are; where one says whose it is, the house puts the player in.
RoundCommand = commands.PlainDecision | commands.Cashback | commands.EvenMoney | commands.BonusCommand
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]


def _tag(name: str) -> str:
    """The name of a request on the wire: that of its class, without `Request`."""
    return kebab(name.removesuffix("Request"))


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    """The root of all requests."""

    id: RequestId


class AtTable(Request, frozen=True):
    """The root of requests at a table."""

    table: Name


class Open(Request, frozen=True):
    """Open a solo game: the player's own table; a snapshot comes before the response."""

    game: Name
    currency: Currency = "FUN"


class Resume(AtTable, frozen=True):
    """Continue after a reconnection; the house sends the missed frames, or a snapshot."""

    epoch: Number
    since: Number


class Sit(AtTable, frozen=True):
    """Sit down with money from the account (PLT-04); at a table with seats, on one of them (FRB-20)."""

    amount: Amount
    spot: Spot | None = None


class AddMoneyRequest(AtTable, frozen=True):
    """Bring more money to the table (AGGIUNGI DENARO)."""

    amount: Amount


class Leave(AtTable, frozen=True):
    """Leave the table with what is left, or one of the own seats; with a bet on it, after the round (FRB-33)."""

    spot: Spot | None = None


class ChooseLimits(AtTable, frozen=True):
    """Play with other limits, from the next round on (COM-54)."""

    limits: Name


class OfferInsurance(AtTable, frozen=True):
    """Switch the insurance offer off for the play session, or back on (SUR-06, CSH-12)."""

    offered: bool


class DealRequest(AtTable, frozen=True):
    """Stake and deal. The client seed is the player's part in the shuffle (ASR-02)."""

    bets: tuple[Bet, ...]
    client_seed: ClientSeed
    #: Off where the player's settings have switched the offer off (SUR-06, CSH-12).
    insurance: bool = True


class InRound(AtTable, frozen=True):
    """The root of requests in a round: for this round, at this turn."""

    round: Name
    turn: Number


class Act(InRound, frozen=True):
    """Do something in the round: the engine's own command, of those that do not say whose they are."""

    command: RoundCommand


class InsureRequest(InRound, frozen=True):
    """Take or refuse insurance, for one spot or for all not yet answered."""

    accept: bool
    spot: Spot | None = None


# At live tables


class Enter(AtTable, frozen=True):
    """Subscribe to a live table; a snapshot comes before the response."""


class Exit(AtTable, frozen=True):
    """Unsubscribe from a live table; seats and bets stay."""


class SendSeed(AtTable, frozen=True):
    """The player's part in the shuffle of a live shoe (ASR-02)."""

    seed: ClientSeed


class TellDelay(AtTable, frozen=True):
    """How much later than it was told the page shows a card, with the video; in milliseconds (STU-24)."""

    delay: Annotated[int, Meta(ge=0, le=LONGEST_DELAY)]


class PlaceBetsRequest(AtTable, frozen=True):
    """Replace all own bets of a round by these."""

    round: Name
    bets: tuple[Bet, ...]


class StartNow(AtTable, frozen=True):
    """INIZIARE ORA: make the own bets final; the deal begins when everyone seated has (FRB-24)."""

    round: Name


class ConsentRequest(AtTable, frozen=True):
    """Whether doubles and splits that others decide are followed (FRB-42, MAJ-12)."""

    double: bool
    split: bool


class AllowBehindRequest(AtTable, frozen=True):
    """Whether others may bet behind an own seat (FRB-43)."""

    spot: Spot
    allowed: bool


class PreDecide(AtTable, frozen=True):
    """The first decision of an own seat, before its turn or just as it begins; none takes it back (FRB-25)."""

    round: Name
    spot: Spot
    action: Action | None = None


class VoteRequest(InRound, frozen=True):
    """A vote on the hand's next action (MAJ-20)."""

    spot: Spot
    action: Action
    hand: Hand = 0


class See(AtTable, frozen=True):
    """Mark the player's notices as seen, up to a number (PLT-49); 0 marks none, and asks only for a response (PLT-67)."""

    number: Number


class Say(AtTable, frozen=True):
    """Say something to the table (PLT-40)."""

    text: Line


class WatchLobby(Request, frozen=True):
    """Receive every live table, now and when something changes (PLT-44)."""


Visit = Open | Resume | Enter | Exit | WatchLobby | Sit | AddMoneyRequest | Leave | See | Say
SoloRequest = ChooseLimits | OfferInsurance | DealRequest
LiveRequest = SendSeed | TellDelay | PlaceBetsRequest | StartNow | ConsentRequest | AllowBehindRequest
DecisionRequest = Act | InsureRequest | PreDecide | VoteRequest
AnyRequest = Visit | SoloRequest | LiveRequest | DecisionRequest
