"""NATS that is encrypted, or asks for credentials (CLU-25)."""

from __future__ import annotations

import asyncio
import json
import sys
from base64 import b32encode, urlsafe_b64encode
from binascii import crc_hqx
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from sabot.errors import Refusal
from sabot.server.cluster.nats_bus import NatsBus
from sabot.server.config import BusConfig
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tools.cluster.processes import Process, free_port

pytestmark = [pytest.mark.slow, pytest.mark.rule("CLU-25")]  # servers

OPERATOR, ACCOUNT, USER = 14 << 3, 0, 20 << 3


@contextmanager
def nats(folder: Path, settings: str) -> Iterator[Process]:
    """A server with these settings."""
    address, file = ("127.0.0.1", free_port()), folder / "nats.conf"
    file.write_text(f'listen: "{address[0]}:{address[1]}"\n{settings}')
    program = str(Path(sys.executable).parent / "nats-server")
    server = Process([program, "-c", str(file)], folder / "nats.log", address=address)
    server.start()
    try:
        yield server
    finally:
        server.kill()


async def talk(config: BusConfig) -> None:
    """Two nodes of a house hear each other."""
    heard: list[bytes] = []
    one, two = NatsBus(config, "house", b"key"), NatsBus(config, "house", b"key")
    async with asyncio.timeout(PATIENCE):
        await one.open(1, lambda packed: None)
        await two.open(2, heard.append)
        one.post(2, b"hello")
        await until(lambda: heard == [b"hello"])
        await one.close()
        await two.close()


class Key:
    """A key as NATS writes it."""

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.pair = Ed25519PrivateKey.generate()
        self.public = _checked(bytes([kind]) + self.pair.public_key().public_bytes_raw())

    @property
    def seed(self) -> str:
        """The secret part."""
        return _checked(bytes([144 | self.kind >> 5, (self.kind & 31) << 3]) + self.pair.private_bytes_raw())

    def tell(self, of: Key, **about: Any) -> str:
        """A token in which this key says something of another."""
        claims = {"jti": "1", "iat": 1, "iss": self.public, "sub": of.public, "name": "x"}
        parts = ({"typ": "JWT", "alg": "ed25519-nkey"}, claims | {"nats": {"version": 2, **about}})
        said = ".".join(_plain(json.dumps(part).encode()) for part in parts)
        return f"{said}.{_plain(self.pair.sign(said.encode()))}"


def _checked(raw: bytes) -> str:
    return b32encode(raw + crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")


def _plain(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


async def test_nodes_with_credentials_are_let_in_and_others_are_not(tmp_path: Path) -> None:
    operator, account, user = map(Key, (OPERATOR, ACCOUNT, USER))
    unbound = dict.fromkeys(("subs", "data", "payload"), -1)
    limits = unbound | dict.fromkeys(("imports", "exports", "conn", "leaf"), -1) | {"wildcards": True}
    accounts = f'{account.public}: "{operator.tell(account, type="account", limits=limits)}"'
    settings = f'operator: "{operator.tell(operator, type="operator")}"\nresolver: MEMORY\n'
    own, guessed = tmp_path / "own.creds", tmp_path / "guessed.creds"
    for file, key in ((own, user), (guessed, Key(USER))):
        file.write_text(
            f"-----BEGIN NATS USER JWT-----\n{account.tell(user, type='user', **unbound)}\n"
            "------END NATS USER JWT------\n\nkeep it secret\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{key.seed}\n------END USER NKEY SEED------\n"
        )
    with nats(tmp_path, f"{settings}resolver_preload {{ {accounts} }}\n") as server:
        url = (f"nats://{server.host}:{server.port}",)
        await talk(BusConfig(url=url, credentials=str(own)))
        for strange in (str(guessed), str(tmp_path / "none"), __file__, ""):
            with pytest.raises(Refusal, match="cannot be reached"):
                await NatsBus(BusConfig(url=url, credentials=strange), "house", b"key").open(1, print)


async def test_a_bus_that_is_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only with a certificate that this machine trusts."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bus")]),
    )
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    own = tmp_path / "own.pem"
    own.write_bytes(certificate.public_bytes(pem))
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    settings = (
        f'authorization {{ token: "geheim" }}\ntls {{ cert_file: "{own}", key_file: "{tmp_path}/key.pem" }}\n'
    )
    with nats(tmp_path, settings) as server:
        config = BusConfig(url=(f"tls://{server.host}:{server.port}",), token="geheim")
        with pytest.raises(Refusal, match="cannot be reached"):
            await NatsBus(config, "house", b"key").open(1, print)
        monkeypatch.setenv("SSL_CERT_FILE", str(own))
        await talk(config)
