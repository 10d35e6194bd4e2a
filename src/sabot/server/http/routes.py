"""Every route of the house, in one table: it drives dispatch, access, decoding, the OpenAPI document and the tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from aiohttp import web

from sabot.protocol.schema import schema
from sabot.rounds.history import RoundView
from sabot.server.http import models
from sabot.server.http.dispatch import Call, Route, Text
from sabot.server.http.handlers import auth, cashier, contact, games, history, live, me, office, search
from sabot.server.http.openapi import document

_PASSWORD = ("password/too-short", "password/too-long")
_PAYMENT = ("cashier/amount", "cashier/day", "command/reused", "transfer/rolled-back", "cashier/refused")


async def describe(call: Call) -> web.Response:
    """The OpenAPI document of these routes."""
    return web.Response(body=_document(), content_type="application/json")


async def describe_socket(call: Call) -> web.Response:
    """What can be asked over the socket, and all that is told there."""
    return web.Response(body=_socket_schema(), content_type="application/json")


ROUTES: tuple[Route, ...] = (
    Route(
        method="POST",
        path="/register",
        handle=auth.register,
        summary="Register a player and log in",
        access="anyone",
        body=models.Registering,
        answer=models.Admitted,
        errors=(
            "name/bad",
            "name/reserved",
            "birth/bad",
            "birth/too-young",
            "terms/version",
            *_PASSWORD,
            "player/taken",
            "login/required",
        ),
    ),
    Route(
        method="POST",
        path="/login",
        handle=auth.log_in,
        summary="Log in",
        access="anyone",
        body=models.LoggingIn,
        answer=models.Admitted,
        errors=("login/wrong", "login/required", "protection/excluded"),
    ),
    Route(
        method="GET",
        path="/operator",
        handle=contact.operator,
        summary="Whom players turn to, and what registering asks",
        access="anyone",
        answer=models.Operator,
    ),
    Route(
        method="GET",
        path="/terms",
        handle=contact.terms,
        summary="The terms and conditions in force",
        access="anyone",
        answer=models.Terms,
    ),
    Route(
        method="POST",
        path="/terms",
        handle=contact.accept,
        summary="Accept the terms and conditions in force",
        body=models.AcceptingTerms,
        errors=("terms/version",),
        excluded=True,
    ),
    Route(
        method="POST",
        path="/demo",
        handle=auth.demo,
        summary="Play with play money, without registering",
        access="anyone",
        body=models.Demo,
        answer=models.Admitted,
        errors=("login/required",),
    ),
    Route(
        method="POST",
        path="/logout",
        handle=auth.log_out,
        summary="End this login",
        excluded=True,
    ),
    Route(
        method="POST",
        path="/logout-everywhere",
        handle=auth.log_out_everywhere,
        summary="End every login of the player",
        excluded=True,
    ),
    Route(
        method="PUT",
        path="/password",
        handle=auth.change_password,
        summary="Change the password; every other login ends",
        body=models.NewPassword,
        answer=models.Admitted,
        errors=("login/wrong", "login/demo", "password/same", *_PASSWORD),
        excluded=True,
    ),
    Route(
        method="GET",
        path="/me",
        handle=me.me,
        summary="The player, where to go on, limits and session clock",
        answer=models.Me,
        excluded=True,
    ),
    Route(
        method="GET",
        path="/settings",
        handle=me.settings,
        summary="The settings that follow the player",
        answer=models.Settings,
        excluded=True,
    ),
    Route(
        method="PUT",
        path="/settings",
        handle=me.change_settings,
        summary="Change all settings",
        body=models.Settings,
        answer=models.Settings,
        excluded=True,
    ),
    Route(
        method="GET",
        path="/games",
        handle=games.games,
        summary="Every game of the house",
        access="anyone",
        answer=models.Games,
    ),
    Route(
        method="GET",
        path="/games/{game}",
        handle=games.game,
        summary="Rules, prizes, returns, best table and limits of a game",
        access="anyone",
        names=models.OfGame,
        query=models.GameQuery,
        answer=models.GamePage,
        errors=("game/unknown", "table/not-open"),
    ),
    Route(
        method="GET",
        path="/tables",
        handle=live.tables,
        summary="Every live table: game, currency, phase, seats, players, limits",
        access="anyone",
        answer=models.Tables,
    ),
    Route(
        method="GET",
        path="/tables/{table}/shoe",
        handle=live.shoe,
        summary="What is promised of a live table's shoe, and the shoe before with its seed",
        access="anyone",
        names=models.OfTable,
        answer=models.Shoes,
        errors=("table/not-open",),
    ),
    Route(
        method="GET",
        path="/tables/{table}/proofs",
        handle=live.proofs,
        summary="Cards of a live table's shoe that were turned, each with its proof",
        access="anyone",
        names=models.OfTable,
        query=models.ProofsQuery,
        answer=models.Proofs,
        errors=("table/not-open",),
    ),
    Route(
        method="GET",
        path="/history",
        handle=history.history_page,
        summary="The player's rounds, newest first",
        query=models.HistoryQuery,
        answer=models.HistoryPage,
        errors=("history/no-place",),
        excluded=True,
    ),
    Route(
        method="GET",
        path="/history/{code}",
        handle=history.history_round,
        summary="A round of the player's, opened",
        names=models.OfRound,
        answer=RoundView,
        errors=("round/unknown",),
        excluded=True,
    ),
    Route(
        method="GET",
        path="/records/{code}",
        handle=history.record,
        summary="The record of a round of the player's, as TOML; of a live one the own lines and the tallies",
        names=models.OfRound,
        answer=Text,
        errors=("round/unknown", "round/not-over", "round/not-revealed", "round/refunded"),
        excluded=True,
    ),
    Route(
        method="GET",
        path="/cashier",
        handle=cashier.cashier,
        summary="What can be paid in and out",
        answer=models.CashierPage,
        excluded=True,
    ),
    Route(
        method="GET",
        path="/cashier/movements",
        handle=cashier.movements,
        summary="Deposits and withdrawals of the player's own, newest first",
        query=models.MovementsQuery,
        answer=models.Movements,
        excluded=True,
    ),
    Route(
        method="POST",
        path="/cashier/deposit",
        handle=cashier.deposit,
        summary="Pay money in",
        body=models.Payment,
        answer=models.Balance,
        errors=(
            "cashier/demo",
            "terms/not-accepted",
            "protection/deposit-limit",
            "protection/time-out",
            *_PAYMENT,
        ),
    ),
    Route(
        method="POST",
        path="/cashier/withdraw",
        handle=cashier.withdraw,
        summary="Pay money out",
        body=models.Payment,
        answer=models.Balance,
        errors=("funds/insufficient", *_PAYMENT),
        excluded=True,
    ),
    Route(
        method="GET",
        path="/protections",
        handle=me.protections,
        summary="The player's own limits",
        answer=models.Protections,
        excluded=True,
    ),
    Route(
        method="PUT",
        path="/protections",
        handle=me.protect,
        summary="Set limits, a time-out or self-exclusion: stricter at once, looser later",
        body=models.Protecting,
        answer=models.Protections,
        errors=("protection/in-the-past", "protection/shorter"),
        excluded=True,
    ),
    Route(
        method="POST",
        path="/players/{name}/role",
        handle=office.give_role,
        summary="Give a player another role",
        access="administrator",
        names=models.OfPlayer,
        body=models.GivingRole,
        errors=("player/none",),
    ),
    Route(
        method="POST",
        path="/players/{name}/vip",
        handle=office.give_vip,
        summary="Give a player another VIP level",
        access="administrator",
        names=models.OfPlayer,
        body=models.GivingVip,
        errors=("player/none",),
    ),
    Route(
        method="POST",
        path="/players/{name}/golden",
        handle=office.grant_golden,
        summary="Grant a player golden chips",
        access="administrator",
        names=models.OfPlayer,
        body=models.GrantingGolden,
        errors=("player/none", "command/reused"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/pause",
        handle=office.pause_table,
        summary="Let a live table wait: everyone there is told that something is being looked at",
        access="supervisor",
        names=models.OfTable,
        body=models.Ordering,
        errors=("table/not-open", "table/paused"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/call",
        handle=office.call_supervisor,
        summary="Call the supervisor to a live table: it waits, and everyone there is told",
        access="presenter",
        names=models.OfTable,
        body=models.Ordering,
        errors=("table/not-open", "table/paused"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/resume",
        handle=office.resume_table,
        summary="Let a live table go on",
        access="supervisor",
        names=models.OfTable,
        body=models.Ordering,
        errors=("table/not-open", "table/not-paused"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/void",
        handle=office.void_table,
        summary="Void the round of a live table: every stake goes back",
        access="supervisor",
        names=models.OfTable,
        body=models.Voiding,
        errors=("table/not-open", "round/over"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/mute",
        handle=office.mute,
        summary="Let a player say nothing for some minutes, at any table",
        access="presenter",
        names=models.OfTable,
        body=models.Muting,
        errors=("table/not-open", "player/none"),
    ),
    Route(
        method="POST",
        path="/tables/{table}/unsay",
        handle=office.unsay,
        summary="Take a line away from every screen of a live table",
        access="presenter",
        names=models.OfTable,
        body=models.Unsaying,
        errors=("table/not-open", "chat/unknown"),
    ),
    Route(
        method="GET",
        path="/rounds/{code}",
        handle=search.house_round,
        summary="Any round: what was public, everyone's bets in sum, and single players' parts as asked for",
        access="supervisor",
        names=models.OfRound,
        query=models.HouseRoundQuery,
        answer=models.HouseRound,
        errors=("round/unknown", "player/none"),
    ),
    Route(
        method="POST",
        path="/rounds/{code}/void",
        handle=office.void_round,
        summary="Void an open round after a malfunction: every stake goes back",
        access="supervisor",
        names=models.OfRound,
        body=models.Voiding,
        errors=("round/unknown", "round/over", "round/live"),
    ),
    Route(
        method="GET",
        path="/openapi.json",
        handle=describe,
        summary="This document",
        access="anyone",
        answer=dict[str, Any],
    ),
    Route(
        method="GET",
        path="/socket.json",
        handle=describe_socket,
        summary="The messages of the socket, as JSON Schema",
        access="anyone",
        answer=dict[str, Any],
    ),
)


@cache
def _document() -> bytes:
    return msgspec.json.encode(document(ROUTES))


@cache
def _socket_schema() -> bytes:
    return msgspec.json.encode(schema())
