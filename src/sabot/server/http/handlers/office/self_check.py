"""The self-check (OFF-12)."""

from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order
from sabot.server.office.checking import SelfCheckState
from sabot.server.office.self_check import CheckResult


async def self_check(call: Call) -> SelfCheckState:
    """The recorded release beside what is there now, the games that are stopped, and the last checks (OFF-12)."""
    return await call.self_check.state()


async def check_now(call: Call) -> CheckResult:
    """Check the rules, the program and the settings of this node now (OFF-12)."""
    return await call.self_check.run("demand", call.login.player)


async def accept_release(call: Call, form: Order) -> CheckResult:
    """Record what differs as it is now; the games that were stopped for it are dealt again (OFF-12)."""
    return await call.self_check.accept(form.reason, call.login.player)
