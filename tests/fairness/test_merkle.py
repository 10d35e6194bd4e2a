"""The tree of RFC 9162: known roots, every proof of every size, and nothing else that passes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.fairness.merkle import MerkleTree
from tests.fairness.independent import Refused, path_root

#: The leaves and roots that implementations of Certificate Transparency (the same tree) test themselves with.
KNOWN_LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
KNOWN_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def leaves_of(count: int) -> list[bytes]:
    return [bytes([number]) * 3 for number in range(count)]


def proves(root: bytes, leaves: int, k: int, leaf: bytes, path: Sequence[bytes]) -> bool:
    try:
        return path_root(hashlib.sha256(b"\x00" + leaf).digest(), k, leaves, path) == root
    except Refused:
        return False


@pytest.mark.parametrize(("count", "expected"), KNOWN_ROOTS.items())
def test_known_roots(count: int, expected: str) -> None:
    assert MerkleTree(KNOWN_LEAVES[:count]).root.hex() == expected


@pytest.mark.parametrize("count", range(1, 34))
def test_every_leaf_is_proved_at_its_place_only(count: int) -> None:
    leaves = leaves_of(count)
    tree = MerkleTree(leaves)
    top = tree.root
    for k, leaf in enumerate(leaves):
        path = tree.proof(k)
        assert [place for place in range(-1, count + 2) if proves(top, count, place, leaf, path)] == [k]


@given(count=st.integers(1, 40), k=st.integers(0, 39), data=st.data())
def test_a_changed_proof_fails(count: int, k: int, data: st.DataObject) -> None:
    k %= count
    leaves = leaves_of(count)
    tree = MerkleTree(leaves)
    top, path = tree.root, list(tree.proof(k))
    assert not proves(top, count, k, leaves[k] + b"!", path)
    assert not proves(top[::-1], count, k, leaves[k], path)
    assert not proves(top, count, k, leaves[k], [*path, bytes(32)])
    if path:
        at = data.draw(st.integers(0, len(path) - 1))
        assert not proves(top, count, k, leaves[k], path[:at] + path[at + 1 :])
        path[at] = hashlib.sha256(path[at]).digest()
        assert not proves(top, count, k, leaves[k], path)


def test_a_node_is_no_leaf() -> None:
    """The two hashes below the root, put together, would be the leaf of a tree of one without the prefixes."""
    leaves = leaves_of(2)
    below = b"".join(hashlib.sha256(b"\x00" + leaf).digest() for leaf in leaves)
    assert not proves(MerkleTree(leaves).root, 1, 0, below, ())


@pytest.mark.parametrize("count", range(1, 20))
def test_a_last_leaf_twice_is_another_list(count: int) -> None:
    leaves = leaves_of(count)
    assert MerkleTree(leaves).root != MerkleTree([*leaves, leaves[-1]]).root


def test_no_leaf_or_a_leaf_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="a tree has one leaf or more"):
        MerkleTree([])
    for k in (-1, 3):
        with pytest.raises(IndexError, match=f"there is no leaf {k}: the leaves are 0 to 2"):
            MerkleTree(leaves_of(3)).proof(k)
