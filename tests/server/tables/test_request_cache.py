"""What a table remembers of requests is bounded, however many players come."""

from __future__ import annotations

from sabot.server.tables.request_handler import RequestCache


def test_requests_learned_from_the_log_are_bounded_too() -> None:
    cache = RequestCache(kept=3)
    for player in ("1", "2", "3"):
        cache.learn([((player, "a"), b"digest"), ((player, "b"), b"digest")])
    assert [(player, id) in cache for player in "123" for id in "ab"] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]
