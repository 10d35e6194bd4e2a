"""The Merkle tree of RFC 9162: one hash for many leaves, and a short proof that a leaf is at its place.

A leaf's hash is SHA-256 over the byte 00 and the leaf, a node's over the byte 01, the left and the right hash, so that
no node can pass as a leaf. Hashes are joined in pairs, level by level; the last of an odd number moves up unchanged. If
it were joined with itself, a list and the same list with its last leaf twice would have the same root.

>>> tree = MerkleTree([b"ace", b"king", b"ten"])
>>> king, ten = _leaf_hash(b"king"), _leaf_hash(b"ten")
>>> tree.proof(1) == (_leaf_hash(b"ace"), ten), tree.root == _node_hash(_node_hash(_leaf_hash(b"ace"), king), ten)
(True, True)
"""

from collections.abc import Sequence
from hashlib import sha256


class MerkleTree:
    """Every level of the tree over a list of leaves."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("a tree has one leaf or more")
        level = [_leaf_hash(leaf) for leaf in leaves]
        self._levels = [level]
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=False)
            level = [_node_hash(left, right) for left, right in pairs] + level[len(level) & ~1 :]
            self._levels.append(level)

    @property
    def root(self) -> bytes:
        """The hash at the top."""
        return self._levels[-1][0]

    def proof(self, k: int) -> tuple[bytes, ...]:
        """The hashes that leaf ``k`` is joined with, from the bottom up."""
        leaves = len(self._levels[0])
        if not 0 <= k < leaves:
            raise IndexError(f"there is no leaf {k}: the leaves are 0 to {leaves - 1}")
        path = []
        for level in self._levels[:-1]:
            beside = k ^ 1
            if beside < len(level):
                path.append(level[beside])
            k //= 2
        return tuple(path)


def _leaf_hash(leaf: bytes) -> bytes:
    return sha256(b"\x00" + leaf).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()
