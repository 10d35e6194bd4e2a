"""Every route of the house, in one table: dispatch, access, decoding, the OpenAPI document and the tests use it."""

from typing import Any

from sabot.protocol import schema
from sabot.server.http import openapi
from sabot.server.http.dispatch import Call, Route
from sabot.server.http.handlers import auth, cashier, games, history, live, me, rounds, studio, video
from sabot.server.http.handlers.office import (
    control,
    door,
    events,
    floor,
    monitoring,
    needed,
    nodes,
    overview,
    player_pages,
    reports,
    self_check,
    talk,
    users,
)
from sabot.server.http.handlers.office import players as office_players
from sabot.server.http.handlers.office import rounds as office_rounds

_PASSWORD = ("password/too-short", "password/too-long")
_REGISTERING = ("name/bad", "name/reserved", "birth/bad", "birth/too-young", "terms/version", "player/taken")
_PAYMENT = ("cashier/amount", "cashier/day", "command/reused", "transfer/rolled-back", "cashier/refused")
_DEPOSIT = ("cashier/demo", "terms/not-accepted", "protection/deposit-limit", "protection/time-out")
_ADJUSTING = ("command/reused", "funds/insufficient", "proposal/decided", "transfer/no-amount")
_PROVING = ("login/wrong", "login/locked", "factor/wrong")
_DEALT = ("table/not-open", "table/unreachable", "card/by-house", "studio/no-key")
_READ = (
    "card/not-due",
    "card/not-in-shoe",
    "card/not-the-hole",
    "scan/gap",
    "scan/other-device",
    "scan/reused",
    "scan/unknown",
    "studio/locked",
    "studio/no-presenter",
    "studio/not-presenter",
    "table/paused",
)
_STUDIO = (
    "card/acted-on",
    "card/none",
    "card/not-correctable",
    "card/not-due",
    "card/not-in-shoe",
    "card/supervisor",
    "device/none",
    "login/locked",
    "login/wrong",
    "round/not-dealt",
    "round/not-to-pay",
    "round/open",
    "round/over",
    "shoe/cut-seen",
    "shoe/none",
    "studio/locked",
    "studio/no-presenter",
    "studio/nobody",
    "studio/not-presenter",
    "table/not-now",
    "table/paused",
)
_RECORD = ("round/unknown", "round/not-over", "round/not-revealed", "round/refunded")

_CHANGE = (
    "change/bounds",
    "change/none",
    "change/unusable",
    "table/settings",
    "limits/settings",
    "player/none",
    "proposal/outdated",
)
_DECISION = ("proposal/unknown", "proposal/decided")


async def openapi_document(call: Call) -> dict[str, Any]:
    """This document."""
    return openapi.document(ROUTES)


async def socket_schema(call: Call) -> dict[str, Any]:
    """The messages of the socket, as JSON Schema."""
    return schema.schema()


# fmt: off
ROUTES: tuple[Route, ...] = (
    Route("POST", "/register", auth.register, *_REGISTERING, *_PASSWORD, "login/required", access="anyone"),
    Route("POST", "/login", auth.log_in, "login/wrong", "login/required", "login/locked", "player/locked", "protection/excluded", access="anyone", withdrawing=True),
    Route("POST", "/demo", auth.demo, "login/required", access="anyone"),
    Route("POST", "/logout", auth.log_out, withdrawing=True),
    Route("POST", "/logout-everywhere", auth.log_out_everywhere, withdrawing=True),
    Route("PUT", "/password", auth.change_password, "login/wrong", "login/locked", "login/demo", "password/same", *_PASSWORD),
    Route("GET", "/operator", auth.operator, access="anyone", shared=True),
    Route("GET", "/terms", auth.terms, access="anyone", shared=True),
    Route("POST", "/terms", auth.accept_terms, "terms/version"),

    Route("GET", "/me", me.me, withdrawing=True),
    Route("POST", "/reality-check", me.answer_reality_check),
    Route("GET", "/settings", me.settings, withdrawing=True),
    Route("PUT", "/settings", me.change_settings),
    Route("GET", "/protections", me.protections, withdrawing=True),
    Route("PUT", "/protections", me.protect, "protection/in-the-past", "protection/shorter"),

    Route("GET", "/games", games.games, access="anyone", shared=True),
    Route("GET", "/games/{game}", games.game, "game/unknown", "table/not-open", access="anyone", shared=True),
    Route("GET", "/tables", live.tables, access="anyone"),
    Route("GET", "/tables/{table}/shoe", live.shoe, "table/not-open", access="anyone"),
    Route("GET", "/tables/{table}/proofs", live.proofs, "table/not-open", access="anyone"),

    Route("GET", "/tables/{table}/video", video.access, "table/not-open", "video/none"),
    Route("GET", "/video/keys", video.keys, access="anyone"),

    Route("GET", "/studio/{table}", studio.console, *_DEALT, access="staff", polled=True),
    Route("POST", "/studio/{table}/orders", studio.order, *_DEALT, *_STUDIO, access="presenter"),
    Route("POST", "/studio/{table}/cards", studio.read_card, *_DEALT, *_READ, "card/by-hand", access="presenter"),
    Route("POST", "/studio/{table}/scans", studio.scan, *_DEALT, *_READ, access="device"),
    Route("GET", "/studio/{table}/scans", studio.last_scan, *_DEALT, access="device"),

    Route("GET", "/history", history.history_page, "history/no-place", withdrawing=True),
    Route("GET", "/history/{code}", history.history_round, "round/unknown", withdrawing=True),
    Route("GET", "/records/{code}", history.record, *_RECORD, withdrawing=True),

    Route("GET", "/cashier", cashier.cashier, withdrawing=True),
    Route("GET", "/cashier/movements", cashier.movements, withdrawing=True),
    Route("POST", "/cashier/deposit", cashier.deposit, *_DEPOSIT, *_PAYMENT),
    Route("POST", "/cashier/withdraw", cashier.withdraw, "funds/insufficient", *_PAYMENT, withdrawing=True),

    Route("POST", "/players/{name}/role", office_players.give_role, "player/none", "change/none", "proposal/outdated", access="administrator"),
    Route("POST", "/players/{name}/vip", office_players.give_vip, "player/none", access="administrator"),
    Route("POST", "/players/{name}/golden", office_players.grant_golden, "player/none", "command/reused", "proposal/decided", access="administrator"),
    Route("POST", "/tables/{table}/pause", floor.pause_table, "table/not-open", "table/paused", access="supervisor"),
    Route("POST", "/tables/{table}/call", floor.call_supervisor, "table/not-open", "table/paused", "studio/locked", access="presenter"),
    Route("POST", "/tables/{table}/resume", floor.resume_table, "table/not-open", "table/not-paused", access="supervisor"),
    Route("POST", "/tables/{table}/void", floor.void_table, "table/not-open", "round/over", access="supervisor"),
    Route("POST", "/tables/{table}/mute", floor.mute, "table/not-open", "player/none", "operator/rank", "studio/locked", access="presenter"),
    Route("POST", "/tables/{table}/unsay", floor.unsay, "table/not-open", "chat/unknown", "studio/locked", access="presenter"),
    Route("GET", "/office/monitoring", monitoring.monitoring, access="office"),
    Route("GET", "/office/monitoring/days", monitoring.monitoring_days, "monitoring/unknown", access="office"),
    Route("POST", "/office/monitoring/seen", monitoring.alarm_seen, "monitoring/no-alarm", access="supervisor"),
    Route("GET", "/office/access", door.access, access="staff", at_the_door=True),
    Route("POST", "/office/prove", door.prove, "factor/enrol", *_PROVING, access="staff", at_the_door=True),
    Route("POST", "/office/second-factor", door.enrol, "factor/needed", *_PROVING, access="staff", at_the_door=True),
    Route("POST", "/office/second-factor/confirm", door.confirm, "factor/not-begun", *_PROVING, access="staff", at_the_door=True),
    Route("POST", "/office/recovery-codes", door.renew_codes, *_PROVING, access="staff"),
    Route("GET", "/office/players", player_pages.find_players, access="office"),
    Route("GET", "/office/players/{player}", player_pages.one_player, "player/none", access="office"),
    Route("GET", "/office/players/{player}/rounds", player_pages.player_rounds, "player/none", "history/no-place", access="office"),
    Route("POST", "/office/players/{player}/lock", player_pages.lock_player, "player/none", "operator/rank", access="supervisor"),
    Route("POST", "/office/players/{player}/unlock", player_pages.unlock_player, "player/none", "operator/rank", access="supervisor"),
    Route("POST", "/office/players/{player}/notes", player_pages.note, "player/none", access="supervisor"),
    Route("POST", "/office/players/{player}/adjust", player_pages.adjust, "player/none", *_ADJUSTING, access="administrator"),
    Route("GET", "/office/users", users.users, access="office"),
    Route("POST", "/office/users/{name}/reset-second-factor", users.reset_factor, "player/none", access="administrator"),
    Route("POST", "/office/users/{name}/unlock", users.unlock, "player/none", access="administrator"),
    Route("GET", "/office/control", control.control, access="office"),
    Route("GET", "/office/proposals", control.proposals, access="office"),
    Route("GET", "/office/proposals/{id}", control.proposal, "proposal/unknown", access="office"),
    Route("POST", "/office/proposals", control.propose, *_CHANGE, access="supervisor"),
    Route("POST", "/office/proposals/{id}/approve", control.approve, *_CHANGE, *_DECISION, "proposal/own", access="supervisor"),
    Route("POST", "/office/proposals/{id}/reject", control.reject, *_DECISION, access="supervisor"),
    Route("GET", "/office/floor", floor.floor, access="staff", polled=True),
    Route("GET", "/office/needed", needed.needed, access="office", polled=True),
    Route("GET", "/office/talk", talk.talk, access="office"),
    Route("GET", "/office/self-check", self_check.self_check, access="office"),
    Route("POST", "/office/self-check", self_check.check_now, access="supervisor"),
    Route("POST", "/office/self-check/accept", self_check.accept_release, "check/no-difference", access="administrator"),
    Route("GET", "/office/nodes", nodes.nodes, access="office"),
    Route("GET", "/office/events", events.events, access="office"),
    Route("GET", "/office/events.csv", events.events_file, "report/too-long", access="office"),
    Route("GET", "/office/overview", overview.overview, access="office", polled=True),
    Route("GET", "/office/reports/{name}", reports.report, "report/backwards", "report/too-long", access="office"),
    Route("GET", "/office/reports/{name}/file", reports.report_file, "report/backwards", "report/too-long", access="office"),
    Route("GET", "/office/figures/rounds", reports.rounds_of, "report/backwards", "history/no-place", access="office"),
    Route("GET", "/office/figures/movements", reports.moves_of, "report/backwards", "history/no-place", access="office"),
    Route("GET", "/office/rounds", office_rounds.rounds, "history/no-place", access="office"),
    Route("GET", "/office/rounds/{code}/steps", office_rounds.steps, "round/unknown", access="office"),
    Route("GET", "/office/rounds/{code}/record", office_rounds.record, *_RECORD, access="office"),
    Route("GET", "/rounds/{code}", rounds.house_round, "round/unknown", "player/none", access="office"),
    Route("POST", "/rounds/{code}/void", office_rounds.void_round, "round/unknown", "round/over", "round/live", access="supervisor"),

    Route("GET", "/openapi.json", openapi_document, access="anyone", shared=True),
    Route("GET", "/socket.json", socket_schema, access="anyone", shared=True),
)
# fmt: on
