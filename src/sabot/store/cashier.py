"""The cashier: registration, deposits and withdrawals, and the wallet calls of an operator.

Every operation has an id from the caller. The same id with the same contents gets the same answer and moves no money
again; with other contents it is refused (ASR-11).
"""

from __future__ import annotations

import hashlib
import secrets
from typing import get_args

import msgspec
import sqlalchemy
from msgspec import Raw
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.entry import Body, Movement, RequestKey, Stream, decode_body
from sabot.store.facts import AccountOpened, AnyFact, PlayerRegistered, TermsAccepted
from sabot.store.kinds import PAYMENTS, Currency
from sabot.store.store import Store

CASHIER = "cashier"


class Cashier:
    """The owner of a node's cashier stream. After `unit/lost` or `stream/fenced` open it again."""

    def __init__(self, store: Store, stream: Stream) -> None:
        self._store = store
        self._stream = stream

    @classmethod
    def open(cls, store: Store, at: int) -> Cashier:
        """Take the node's stream; the first time, open the house's own accounts."""
        stream = store.take(store.own_name(CASHIER), at)
        while missing := [
            AccountOpened(store.ids.take("account"), f"{kind}/{currency}", kind, currency)
            for kind in ("house", "cashier")
            for currency in get_args(Currency)
            if store.find_account(f"{kind}/{currency}") is None
        ]:
            try:
                store.append(stream, stream.entry(at, "house-opened", Body(facts=tuple(missing))))
            except Refusal as error:
                if error.code != "unit/conflict":  # else another process has opened them
                    raise
        return cls(store, stream)

    # Players

    def register(
        self,
        name: str,
        at: int,
        *,
        password_hash: str = "",
        born: str | None = None,
        terms: str | None = None,
        demo: bool = False,
        bot: bool = False,
    ) -> int:
        """Register a player with an account in each currency; returns the player's number.

        `terms` is the accepted version (PLT-62). Without a password hash, as in demo, the player cannot log in again. A
        bot is a demo player that is a program: it has play money only, and payout reports leave it out.
        """
        if bot and not demo:
            raise Refusal("player/bot", name=name)
        with self._store.database.reading() as connection:
            if find_player(connection, name) is not None:
                raise Refusal("player/taken", name=name)
        ids, salt = self._store.ids, secrets.token_bytes(16)
        player = ids.take("player")
        accounts = [
            AccountOpened(ids.take("account"), account_name(player, currency), "player", currency, player)
            for currency in get_args(Currency)
        ]
        facts: tuple[AnyFact, ...] = (
            PlayerRegistered(player, name_proof(salt, name), demo, bot),
            *accounts,
            *([] if terms is None else [TermsAccepted(player, terms)]),
        )
        secret = (name, salt, born, password_hash) if password_hash else (name, salt, born)
        entry = self._stream.entry(at, "register", Body(facts=facts), secrets={player: secret})
        self._store.append(self._stream, entry)
        return player

    def balance(self, player: int, currency: Currency) -> int:
        """The player's money that is not at a table."""
        accounts = schema.accounts.c
        query = sqlalchemy.select(accounts.balance).where(accounts.name == account_name(player, currency))
        with self._store.database.reading() as connection:
            found = connection.execute(query).scalar()
        if found is None:
            raise Refusal("player/none", player=player)
        return int(found)

    # Money in and out

    def deposit(self, player: int, currency: Currency, amount: int, id: str, at: int) -> None:
        """Move money in from outside."""
        self._move("deposit", player, currency, amount, id, at, into=True)

    def withdraw(self, player: int, currency: Currency, amount: int, id: str, at: int) -> None:
        """Move money out, if the balance covers it."""
        self._move("withdraw", player, currency, amount, id, at, into=False)

    # The wallet of an operator (PLT-05)

    def debit(self, player: int, currency: Currency, amount: int, id: str, at: int) -> None:
        """Take a bet from the account."""
        self._move("debit", player, currency, amount, id, at, into=False)

    def credit(self, player: int, currency: Currency, amount: int, id: str, at: int) -> None:
        """Pay a win to the account, even after the session has expired (ASR-11)."""
        self._move("credit", player, currency, amount, id, at, into=True)

    def rollback(self, player: int, id: str, at: int) -> bool:
        """Undo a transaction once; says whether it was there. One that comes later is refused."""
        known = self._find(player, id)
        if known is None:
            try:
                self._note("rollback", (id,), RequestKey.of(player, id, "rollback", player, id), at, ())
                return False
            except Refusal as error:
                known = self._find(player, id)
                if error.code != "command/reused" or known is None:
                    raise
                # Another cashier has stored the transaction meanwhile: the id is unique for all of them.
        kind, body = known
        if kind == "rollback":
            return False
        undo = tuple(
            Movement(f"rollback/{m.key}", m.credit, m.debit, m.amount) for m in reversed(body.movements)
        )
        request = RequestKey.of(player, rollback_id(id), "rollback", player, id)
        self._note("rollback", (id,), request, at, undo)
        return True

    # Inside

    def _move(
        self, kind: str, player: int, currency: Currency, amount: int, id: str, at: int, *, into: bool
    ) -> None:
        if type(amount) is not int or amount <= 0:
            raise Refusal("transfer/no-amount", amount=amount)
        outside = self._store.account(f"cashier/{currency}")
        own = self._store.find_account(account_name(player, currency))
        if own is None:
            raise Refusal("player/none", player=player)
        debit, credit = (outside, own) if into else (own, outside)
        request = RequestKey.of(player, id, kind, player, currency, amount)
        movement = Movement(f"{CASHIER}/{player}/{id}", debit, credit, amount)
        try:
            self._note(kind, (currency, amount), request, at, (movement,))
        except Refusal as error:
            known = self._find(player, id) if error.code == "command/reused" else None
            if known is not None and known[0] == "rollback":
                raise Refusal("transfer/rolled-back", id=id) from None
            raise

    def _note(
        self,
        kind: str,
        contents: tuple[object, ...],
        request: RequestKey,
        at: int,
        movements: tuple[Movement, ...],
    ) -> None:
        command = Raw(msgspec.json.encode({"type": kind, "contents": contents}))
        body = Body(command=command, movements=movements)
        self._store.append(self._stream, self._stream.entry(at, kind, body, request=request))

    def _find(self, player: int, id: str) -> tuple[str, Body] | None:
        """Kind and body of the row of a request."""
        log = schema.log.c
        query = sqlalchemy.select(log.kind, log.body).where(
            log.player == player, log.request == id, log.kind.in_(PAYMENTS)
        )
        with self._store.database.reading() as connection:
            found = connection.execute(query).first()
        return None if found is None else (found.kind, decode_body(found.body))


def find_player(connection: Connection, name: str) -> int | None:
    """The number of the player with a name, in any case."""
    players = schema.players.c
    lower = sqlalchemy.func.lower
    query = sqlalchemy.select(players.id).where(lower(players.name) == lower(name))
    found = connection.execute(query).scalar()
    return None if found is None else int(found)


def account_name(player: int, currency: Currency) -> str:
    """The name of a player's account."""
    return f"player/{player}/{currency}"


def rollback_id(id: str) -> str:
    """The id of the request that undoes a transaction."""
    return f"rollback/{id}"


def name_proof(salt: bytes, name: str) -> str:
    """The digest of a name in the log; it means nothing without the salt."""
    return hashlib.sha256(salt + name.encode()).hexdigest()
