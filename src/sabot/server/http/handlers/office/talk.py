"""What was said at live tables, for supervisors and auditors (OFF-15)."""

from functools import partial

from sabot.server.http.dispatch import Call
from sabot.server.office.talk import Talk, TalkQuery, read_talk


async def talk(call: Call, query: TalkQuery) -> Talk:
    """What was said in the last 90 days, newest first, with lines that were removed. Who said it is logged."""
    found = await call.house.read(partial(read_talk, query=query, muted=call.registry.chat.muted_until))
    await call.operators.look_at_list(call.login, (line.player for line in found.lines), "talk")
    return found
