"""A second verifier, written from docs/play/fairness.md. It imports nothing of sabot: only hashes and a TOML reader."""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
NAMES = [rank + suit for suit in "shdc" for rank in RANKS]
DECKS = {
    "surrender": 6,
    "cashback": 6,
    "link": 6,
    "classic-6": 6,
    "freebet": 8,
    "majority-eu": 8,
    "majority-us": 8,
    "classic-8": 8,
}
WITHOUT_HOLE_CARD = {"majority-eu"}

Outcome = int | str
Weights = list[tuple[Outcome, int]]
WHEEL: Weights = [(5, 350), (10, 260), (15, 160), (25, 80), (50, 25), ("link", 90), ("mega-link", 35)]
CELLS: Weights = [(0, 4700), (1, 100), (2, 70), (3, 45), (4, 30), (5, 25), (10, 18), (15, 9), (50, 3)]
TILES: Weights = [(2, 50), (3, 25), (5, 10), ("diamond", 15)]
DIAMONDS: Weights = [(20, 70), (100, 24), (500, 5), (2000, 1)]
BONUS_TABLES = {"link": (6, 3), "mega-link": (12, 6)}
SPINS = 3


class Refused(Exception):  # noqa: N818  # the verdict, not a fault
    """What was published does not hold together."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(what)


# The stream and the shoe


class Numbers:
    """The numbers of a stream."""

    def __init__(self, server_seed: bytes, client_seed: str, purpose: str) -> None:
        self.server_seed = server_seed
        self.text = f"sabot/1|{purpose}|{client_seed}|{hashlib.sha256(server_seed).hexdigest()}|"
        self.words = self._words()

    def block(self, i: int) -> bytes:
        return hmac.new(self.server_seed, f"{self.text}{i}".encode(), hashlib.sha256).digest()

    def _words(self) -> Iterator[int]:
        for i in count():
            block = self.block(i)
            for at in range(0, 32, 4):
                yield int.from_bytes(block[at : at + 4], "big")

    def below(self, n: int) -> int:
        return next(word % n for word in self.words if word < 2**32 - 2**32 % n)

    def pick(self, weights: Weights) -> Outcome:
        number = self.below(sum(weight for _, weight in weights))
        sums = [sum(weight for _, weight in weights[: i + 1]) for i in range(len(weights))]
        return next(outcome for (outcome, _), total in zip(weights, sums, strict=True) if number < total)


def shoe_order(server_seed: bytes, client_seed: str, decks: int) -> list[str]:
    """Every card of the shoe, in the order it is dealt."""
    numbers, cards = Numbers(server_seed, client_seed, "shoe"), NAMES * decks
    for k in range(len(cards)):
        j = k + numbers.below(len(cards) - k)
        cards[k], cards[j] = cards[j], cards[k]
    return cards


# A record


def check_record(text: str) -> int:
    """Check a record that has seeds; the number of cards it dealt, or `Refused`."""
    record = tomllib.loads(text)
    shoe = record["shoe"]
    seed = bytes.fromhex(shoe.get("seed", ""))
    require(len(seed) == 32, "no server seed")
    require(hashlib.sha256(seed).hexdigest() == shoe["commitment"], "commitment")
    client_seed, game = shoe.get("client_seed", ""), record["round"]["game"]
    cards = shoe_order(seed, client_seed, DECKS[game])[shoe.get("start", 0) :]
    dealt = check_hands(record, iter(cards))
    if game == "link":
        check_bonus(record, Numbers(seed, client_seed, "bonus"))
    return dealt


def check_hands(record: dict[str, Any], shoe: Iterator[str]) -> int:
    """Deal the round again by its commands and compare every hand; the number of cards dealt."""
    recorded = {(hand["spot"], hand["hand"]): hand for hand in record["hand"]}
    names = {place: hand["cards"].split() for place, hand in recorded.items()}
    commands = [command.split() for command in record["commands"]]
    dealer, spots = names.pop((-1, 0)), sorted({spot for spot, _ in names} - {-1})
    dealt: list[str] = []

    def draw() -> str:
        dealt.append(next(shoe))
        return dealt[-1]

    if record["options"]["burn"]:
        draw()
    if not spots:
        require(not dealer, "cards without a deal")
        return len(dealt)
    hands = {(spot, 0): [draw()] for spot in spots}
    mine = [draw()]
    for spot in spots:
        hands[spot, 0].append(draw())
    hole = [] if record["round"]["game"] in WITHOUT_HOLE_CARD else [draw()]
    for place, word, *_ in (command for command in commands if len(command) > 1 and "." in command[0]):
        spot, hand = map(int, place.split("."))
        if word in ("hit", "double"):
            hands[spot, hand].append(draw())
        elif word == "split":
            right, left = hands[spot, 0]
            hands[spot, 0], hands[spot, 1] = [right, draw()], [left]
            if recorded[spot, 1]["ended"] != "unstaked":
                hands[spot, 1].append(draw())
    if len(dealer) > 1:  # else the hole card was never turned
        mine += hole
    while len(mine) < len(dealer):
        mine.append(draw())
    require(names == hands, "hands")
    require(dealer == mine, "dealer")
    return len(dealt)


def check_bonus(record: dict[str, Any], numbers: Numbers) -> None:
    """Play every bonus again and compare what it paid."""
    games: dict[int, Iterator[int]] = {}
    paid: dict[int, int] = {}
    for command in record["commands"]:
        place, _, word = command.partition(" ")
        if word == "spin":
            spot = int(place)
            games.setdefault(spot, bonus_spins(numbers))
            paid[spot] = next(games[spot])
    if record["round"]["end"] != "settled":
        return
    rows = {row["spot"]: row for row in record["paid"] if row["why"] == "link" and row["result"] == "win"}
    require(set(rows) == set(paid), "bonus")
    for spot, row in rows.items():
        require(row["paid"] == row["stake"] * (1 + paid[spot]), f"bonus of spot {spot}")


def bonus_spins(numbers: Numbers) -> Iterator[int]:
    """Spin after spin; the last value is what the bonus pays to 1."""
    section = numbers.pick(WHEEL)
    if isinstance(section, int):
        yield section
        return
    columns, first = BONUS_TABLES[section]
    tiles = [numbers.pick(TILES) for _ in range(columns // 2)]
    table: dict[int, int] = {}
    for _ in range(first):
        empty = [cell for cell in range(3 * columns) if cell not in table]
        cell = empty[numbers.below(len(empty))]
        table[cell] = int(numbers.pick(CELLS[1:]))
    yield 0
    left = SPINS
    while left and len(table) < 3 * columns:
        turned = {cell: int(numbers.pick(CELLS)) for cell in range(3 * columns) if cell not in table}
        found = {cell: prize for cell, prize in turned.items() if prize}
        table.update(found)
        left = SPINS if found else left - 1
        if left and len(table) < 3 * columns:
            yield 0
    total = 0
    for block, tile in enumerate(tiles):
        prizes = [table[cell] for cell in range(6 * block, 6 * block + 6) if cell in table]
        if len(prizes) < 6:
            total += sum(prizes)
        elif tile == "diamond":
            total += sum(prizes) + int(numbers.pick(DIAMONDS))
        else:
            total += sum(prizes) * int(tile)
    yield total


# A live shoe


def seed_list_digest(seeds: Sequence[str]) -> str:
    return hashlib.sha256("".join(seed + "\n" for seed in seeds).encode()).hexdigest()


def leaf_hash(position: int, card: str, salt: bytes) -> bytes:
    leaf = salt + position.to_bytes(2, "big") + bytes([NAMES.index(card)])
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_root(level: list[bytes]) -> bytes:
    """The root over leaf hashes, by halves: the left half is the greatest power of two there is room for."""
    if len(level) == 1:
        return level[0]
    half = 1 << (len(level) - 1).bit_length() - 1
    return node_hash(tree_root(level[:half]), tree_root(level[half:]))


def path_root(found: bytes, at: int, width: int, path: Sequence[bytes]) -> bytes:
    """The root that the hash of a leaf and the hashes beside it lead to."""
    require(0 <= at < width, "position")
    rest = list(path)
    while width > 1:
        if at % 2 or at + 1 < width:
            require(bool(rest), "length of a path")
            beside = rest.pop(0)
            found = node_hash(beside, found) if at % 2 else node_hash(found, beside)
        at, width = at // 2, (width + 1) // 2
    require(not rest, "length of a path")
    return found


def check_opening(root: str, cards: int, position: int, card: str, salt: str, path: Sequence[str]) -> None:
    """Check one card against the root."""
    require(len(salt) == 32, "salt")
    leaf = leaf_hash(position, card, bytes.fromhex(salt))
    found = path_root(leaf, position, cards, [bytes.fromhex(part) for part in path])
    require(found.hex() == root, f"opening of position {position}")


def check_live_shoe(published: dict[str, Any]) -> list[str]:
    """Check all that was published of a shoe that is done; its order, or `Refused`."""
    seed, client_seed = bytes.fromhex(published["server_seed"]), published["client_seed"]
    require(hashlib.sha256(seed).hexdigest() == published["commitment"], "commitment")
    require(seed_list_digest(published["seeds"]) == client_seed, "digest")
    order = shoe_order(seed, client_seed, published["decks"])
    salts = Numbers(seed, client_seed, "salt")
    leaves = [leaf_hash(k, card, salts.block(k)[:16]) for k, card in enumerate(order)]
    require(tree_root(leaves).hex() == published["root"], "root")
    return order
