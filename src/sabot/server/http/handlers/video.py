"""The video of live tables: its addresses with a token, and the keys that media servers check tokens with (STU-23)."""

from msgspec import Struct

from sabot.errors import Refusal
from sabot.protocol.fields import TableName
from sabot.server.http.dispatch import Call
from sabot.server.video_tokens import PublicKey


class VideoStream(Struct, frozen=True):
    """The addresses of one quality; an empty one is not there."""

    quality: str
    whep: str
    hls: str


class VideoAccess(Struct, frozen=True):
    """The video of a table, and the token that opens it until it expires."""

    streams: tuple[VideoStream, ...]
    token: str
    expires_at: int
    #: Milliseconds from the camera to the media server; and by which a card is read before the picture shows it (STU-24).
    latency: int
    lead: int


class PublicKeys(Struct, frozen=True):
    """The house's public keys, as JWKS."""

    keys: tuple[PublicKey, ...]


async def access(call: Call, table: TableName) -> VideoAccess:
    """The video of a live table, with a token of three minutes."""
    house = call.house
    section = next((section for section in house.config.table if section.name == table), None)
    if section is None:
        raise Refusal("table/not-open", table=table)
    if not section.video:
        raise Refusal("video/none", table=table)
    paths = tuple(f"{table}/{entry.quality}" for entry in section.video)
    assert call.video_tokens is not None
    token, expires_at = call.video_tokens.issue(call.login.token, paths, house.clock.wall_ms())
    streams = tuple(VideoStream(entry.quality, entry.whep, entry.hls) for entry in section.video)
    return VideoAccess(streams, token, expires_at, section.latency, section.lead)


async def keys(call: Call) -> PublicKeys:
    """The public keys of video tokens (JWKS)."""
    assert call.video_tokens is not None
    return PublicKeys(call.video_tokens.published)
