"""Sealed seeds: they open with their key and context, and with nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.fairness import commitment, new_seed
from sabot.fairness.vault import SEAL_BYTES, Vault, VaultError, key_id, new_key, parse_keys

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
SEED = bytes(reversed(range(32)))
CONTEXT = commitment(SEED)


@given(seed=st.binary(max_size=80), context=st.text(st.characters(codec="utf-8"), max_size=80))
def test_what_is_sealed_opens(seed: bytes, context: str) -> None:
    sealed = Vault(OLD).seal(seed, context)
    assert len(sealed) == len(seed) + SEAL_BYTES
    assert Vault(OLD).open(sealed, context) == seed


def test_a_sealed_seed_names_its_key_and_hides_the_rest() -> None:
    sealed = Vault(NEW, OLD).seal(SEED, CONTEXT)
    assert sealed[:5] == b"\x01" + key_id(NEW)
    assert SEED not in sealed
    assert NEW not in sealed


def test_sealing_twice_is_never_the_same() -> None:
    vault = Vault(OLD)
    nonces = {vault.seal(SEED, CONTEXT)[5:17] for _ in range(200)}
    assert len(nonces) == 200


def test_a_ring_opens_what_its_older_keys_sealed() -> None:
    old = Vault(OLD).seal(SEED, CONTEXT)
    ring = Vault(NEW, OLD)
    assert ring.open(old, CONTEXT) == SEED
    with pytest.raises(VaultError, match="was sealed with key 72dbb733: the keys here are 630dcd29"):
        Vault(OLD).open(ring.seal(SEED, CONTEXT), CONTEXT)


def test_every_changed_byte_is_noticed() -> None:
    vault = Vault(NEW, OLD)
    sealed = vault.seal(SEED, CONTEXT)
    for at in range(len(sealed)):
        changed = bytearray(sealed)
        changed[at] ^= 1
        with pytest.raises(VaultError):
            vault.open(bytes(changed), CONTEXT)
    swapped = sealed[:1] + key_id(OLD) + sealed[5:]
    with pytest.raises(VaultError, match="does not open"):
        vault.open(swapped, CONTEXT)


def test_another_context_does_not_open_it_and_the_error_tells_no_secret() -> None:
    with pytest.raises(VaultError, match="it was changed, or it was not sealed for 'another'") as error:
        Vault(OLD).open(Vault(OLD).seal(SEED, CONTEXT), "another")
    assert error.value.__cause__ is None
    assert SEED.hex() not in str(error.value)


@pytest.mark.parametrize("sealed", [b"", b"\x01" * (SEAL_BYTES - 1), b"\x02" * 80])
def test_bytes_that_are_no_sealed_seed(sealed: bytes) -> None:
    with pytest.raises(VaultError, match=f"{len(sealed)} bytes are no sealed seed of version 1"):
        Vault(OLD).open(sealed, CONTEXT)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ((), "one key or more"),
        ((b"short",), "a key has 32 bytes, not 5"),
        ((OLD, NEW, OLD), "two keys of the ring are the same"),
    ],
)
def test_a_ring_that_is_none(keys: tuple[bytes, ...], reason: str) -> None:
    with pytest.raises(VaultError, match=reason):
        Vault(*keys)


def test_a_key_file_has_the_newest_key_first() -> None:
    text = f"# keys of the house\n\n{NEW.hex().upper()}  # since May\r\n  {OLD.hex()}\n"
    assert parse_keys(text) == (NEW, OLD)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no key"),
        ("# nothing\n", "there is no key"),
        (f"{OLD.hex()}\n{OLD.hex()}00", "line 2 is no key: a key is 64 hexadecimal digits"),
        (OLD.hex()[:-1] + "g", "line 1 is no key"),
        (OLD.hex(" "), "line 1 is no key"),
    ],
)
def test_a_key_file_that_is_none_says_where_and_tells_no_key(text: str, reason: str) -> None:
    with pytest.raises(VaultError, match=reason) as error:
        parse_keys(text)
    assert OLD.hex()[:8] not in str(error.value)


def test_keys_and_seeds_come_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are `secrets.token_bytes`, which is the operating system's generator and nothing else."""
    asked: list[int] = []

    def token(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    monkeypatch.setattr("sabot.fairness.stream.token_bytes", token)
    monkeypatch.setattr("sabot.fairness.vault.token_bytes", token)
    assert (new_seed(), new_key()) == (bytes(32), bytes(32))
    assert asked == [32, 32]
