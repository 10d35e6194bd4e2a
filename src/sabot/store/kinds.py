"""The words that columns of the store hold."""

from typing import Literal

#: Kinds of accounts; the first two keep a balance that cannot fall below zero.
AccountKind = Literal["player", "session", "escrow", "house", "cashier"]
KEEPS_BALANCE: frozenset[AccountKind] = frozenset({"player", "session"})
#: Those that belong to a table.
TABLE_ACCOUNTS: frozenset[AccountKind] = frozenset({"session", "escrow"})
Currency = Literal["EUR", "FUN"]
#: An auditor reads everything in the back office and changes nothing (OFF-06).
Role = Literal["player", "presenter", "supervisor", "administrator", "auditor"]
#: Player limits: cents a day, minutes, and moments until which they do not play (PLT-50).
ProtectionKind = Literal["deposit-day", "loss-day", "session-minutes", "time-out", "self-exclusion"]
#: Operators' orders: for a round, a live table (PLT-33), a player in chat (0 minutes end it) and a chat line (PLT-60).
#: Of the back office: a look at a player (OFF-03), an operator's second factor and lock (OFF-06).
OrderKind = Literal[
    "void-round",
    "pause-table",
    "resume-table",
    "call-supervisor",
    "mute-player",
    "unsay-line",
    "alarm-seen",
    "look-at-player",
    "reset-second-factor",
    "unlock-operator",
    "release-recorded",
    "release-accepted",
]

#: What operators change by a proposal (OFF-10), and what becomes of one.
ChangeKind = Literal["switch", "table", "limits", "office", "role", "adjust", "golden", "vip"]
ProposalState = Literal["open", "approved", "rejected"]

#: Kinds of rows that move money in and out: the id of such a request is used once, whichever cashier is asked (ASR-11).
PAYMENTS = ("credit", "debit", "deposit", "rollback", "withdraw")
#: The kind of row that grants golden chips: its request's id is used once too, whichever register is asked.
GRANT = "grant-golden"
#: The kind of row with which an operator corrects a balance, once by its id as well (OFF-03).
ADJUST = "adjust"
#: The kind of row that gives a player a VIP level.
VIP = "give-vip"
#: Changes that give one player something, once, above what one person may give alone (OFF-17), with the kind of row that
#: gives it.
GIVEN: dict[ChangeKind, str] = {"adjust": ADJUST, "golden": GRANT, "vip": VIP}

#: How grave a significant event is, and what kinds there are (OFF-11).
Severity = Literal["info", "warning", "alarm"]
EventKind = Literal[
    "login-failed",
    "login-locked",
    "login-unlocked",
    "second-factor",
    "role",
    "player-locked",
    "player-unlocked",
    "large-win",
    "large-stake",
    "void",
    "correction",
    "scan-refused",
    "dealer-late",
    "shoe-miscounted",
    "pause",
    "resume",
    "supervisor-called",
    "configuration",
    "adjustment",
    "clock",
    "unavailable",
    "available",
    "self-check",
    "return-alarm",
    "short-lived",
    "own-order",
]

#: What an operator does to a player's account, told in the player's movements with a public reason (PLT-73).
AccountChange = Literal["adjusted", "golden-given", "vip-given"]

#: What a table does to a player unasked (PLT-49).
NoticeKind = Literal[
    "decided",
    "insurance-refused",
    "even-money-refused",
    "not-covered",
    "not-followed",
    "limit-reached",
    "bet-returned",
    "seat-lost",
    "money-returned",
]
