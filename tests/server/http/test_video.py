"""The video's token: who gets one, what it says, and that the published keys check it (STU-23)."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec.structs import replace

from sabot.fairness.vault import Vault
from sabot.server.config import VideoSection
from sabot.server.video_tokens import VideoTokens
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, open_hall
from tests.support.shoes import StackedShoes

WITH_VIDEO = replace(
    FREEBET,
    latency=120,
    lead=300,
    video=(
        VideoSection(
            quality="720", whep="https://v.example/one/720/whep", hls="https://v.example/one/720.m3u8"
        ),
        VideoSection(quality="360", whep="https://v.example/one/360/whep"),
    ),
)


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def checked(token: str, keys: list[dict[str, str]]) -> dict[str, Any]:
    """The claims of a token, by RFC 7515 and 7518: the signature is r and s, 32 bytes each."""
    head, claims, signature = token.split(".")
    key = next(key for key in keys if key["kid"] == json.loads(_bytes(head))["kid"])
    x, y = (int.from_bytes(_bytes(key[name])) for name in ("x", "y"))
    raw = _bytes(signature)
    assert len(raw) == 64
    pair = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    public.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(_bytes(claims))
    return found


@pytest.mark.rule("STU-23")
async def test_a_login_gets_the_addresses_with_a_token_that_the_published_keys_check(
    database: Database,
) -> None:
    async with open_hall(database, StackedShoes(""), WITH_VIDEO, MAJORITY) as hall:
        ada, bob = await hall.member("ada"), await hall.member("bob")
        keys = (await hall.nobody.get("/video/keys")).body["keys"]
        told = (await ada.get("/tables/one/video")).body
        assert [stream["quality"] for stream in told["streams"]] == ["720", "360"]
        assert told["streams"][0]["whep"] == "https://v.example/one/720/whep"
        assert (told["latency"], told["lead"]) == (120, 300)
        claims = checked(told["token"], keys)
        seconds = hall.clock.wall_ms() // 1000
        assert (claims["exp"], told["expires_at"]) == (seconds + 180, 1000 * (seconds + 180))
        assert (claims["iss"], claims["aud"]) == ("sabot", "sabot-video")
        assert claims["mediamtx_permissions"] == [
            {"action": "read", "path": "one/720"},
            {"action": "read", "path": "one/360"},
        ]
        again = checked((await ada.get("/tables/one/video")).body["token"], keys)
        other = checked((await bob.get("/tables/one/video")).body["token"], keys)
        assert claims["sub"] == again["sub"] != other["sub"]
        head, body, signature = told["token"].split(".")
        with pytest.raises(InvalidSignature):
            checked(f"{head}.{body[:-2]}{'AA' if body[-2:] != 'AA' else 'BB'}.{signature}", keys)

        assert (await hall.nobody.get("/tables/one/video")).code == "login/required"
        assert (await ada.get("/tables/none/video")).code == "table/not-open"
        assert (await ada.get("/tables/two/video")).code == "video/none"
        assert (await ada.post("/logout")).status == 204
        assert (await ada.get("/tables/one/video")).code == "login/required"


@pytest.mark.rule("STU-23")
async def test_an_excluded_player_gets_no_token(database: Database) -> None:
    async with open_hall(database, StackedShoes(""), WITH_VIDEO) as hall:
        ada = await hall.member("ada")
        until = hall.clock.wall_ms() + 40 * 24 * 3_600_000
        answer = await ada.put("/protections", {"self_exclusion": until})
        assert answer.status == 200, answer.text
        assert (await ada.get("/tables/one/video")).code in ("protection/excluded", "login/required")


def test_keys_can_be_exchanged_node_by_node() -> None:
    """A node with the new key and the old one signs with the old one, which a node without the new key shows too."""
    old, new = bytes(32), bytes([1] * 32)
    before, between, after = (VideoTokens(Vault(*keys), "x") for keys in ((old,), (new, old), (new,)))
    for signer, others in ((before, (between,)), (between, (before,)), (after, (between,))):
        token, _ = signer.issue(b"login", ("one/720",), 0)
        for other in others:
            keys = [{"kid": key.kid, "x": key.x, "y": key.y} for key in other.published]
            assert checked(token, keys)["exp"] == 180


@pytest.mark.rule("STU-20", "STU-21")
async def test_pages_may_load_the_video_and_the_choice_of_its_quality_is_kept(database: Database) -> None:
    async with open_hall(database, StackedShoes(""), WITH_VIDEO) as hall:
        ada = await hall.member("ada")
        head = (await ada.get("/tables")).body["tables"][0]
        assert head["video"] == ["720", "360"]
        answer = await ada.get("/settings")
        policy = answer.headers["Content-Security-Policy"]
        assert "connect-src 'self' https://v.example;" in policy
        assert "media-src 'self' blob: https://v.example;" in policy
        assert answer.body["video_quality"] == "auto"
        for chosen in ("360", "off"):
            assert (await ada.put("/settings", answer.body | {"video_quality": chosen})).status == 200
            assert (await ada.get("/settings")).body["video_quality"] == chosen
        assert (await ada.put("/settings", answer.body | {"video_quality": "HD!"})).status == 400
