"""The facts of each game and the options of a table, as the rules and the brief for these tests state them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Facts:
    """What a rule set says. Each field names the rule it comes from."""

    solo: bool = True
    #: A second dealer card is dealt with the others (not in EU dealing, MAJ-02).
    hole_card: bool = True
    #: The dealer looks for a blackjack under an ace (SUR-02, FRB-02, MAJ-03) and under a ten-value card (SUR-02).
    checks_ace: bool = False
    checks_ten: bool = False
    #: The number of cards that wins (COM-46); 0 is none.
    charlie: int = 0
    surrender: bool = False
    cashback: bool = False
    even_money: bool = False
    double_after_split: bool = True
    #: Free doubles and splits, dealer 22, owners and bets behind (FRB).
    free_bets: bool = False
    #: Boxes whose players follow or not (MAJ).
    boxes: bool = False
    #: COM-47: the stake added by a double comes back against a blackjack with a ten-value card up.
    returns_doubles: bool = False


FACTS = {
    "surrender": Facts(checks_ace=True, checks_ten=True, charlie=7, surrender=True),
    "cashback": Facts(charlie=10, cashback=True, returns_doubles=True),
    "link": Facts(charlie=10, even_money=True, returns_doubles=True),
    "freebet": Facts(solo=False, checks_ace=True, double_after_split=False, free_bets=True),
    "majority-eu": Facts(solo=False, hole_card=False, charlie=10, boxes=True, returns_doubles=True),
    "majority-us": Facts(solo=False, checks_ace=True, charlie=10, boxes=True, returns_doubles=True),
    "classic-6": Facts(checks_ace=True, checks_ten=True),
    "classic-8": Facts(checks_ace=True, checks_ten=True),
}


@dataclass
class Golden:
    """What the operator allows of golden chips (MAJ-51, MAJ-52)."""

    mixing: bool = True
    extra: bool = True
    blind: bool = True
    cap: int | None = None


@dataclass
class Options:
    """The options of a table that change what a round pays."""

    minimum_main: int = 100
    minimum_behind: int = 100
    minimum_side: int = 100
    insurance: bool = True
    max_win: int | None = None
    cashback_margin: int = 100
    golden: Golden = field(default_factory=Golden)
    burn: bool = False
    buster_keeps_dealer: bool = True


def as_int(value: object) -> int:
    assert isinstance(value, int)
    return value


def as_list(value: object) -> list[object]:
    assert isinstance(value, (list, tuple))
    return list(value)


def read_options(game: str, given: dict[str, object]) -> Options:
    """Limits are [minimum, maximum]; the maxima only refuse bets, and what is refused never comes here."""
    options = Options()
    if game == "link":
        options.max_win = 50_000_000
    if "main" in given:
        options.minimum_main = as_int(as_list(given["main"])[0])
    if "behind" in given:
        options.minimum_behind = as_int(as_list(given["behind"])[0])
    if "side" in given:
        options.minimum_side = as_int(as_list(given["side"])[0])
    if "insurance" in given:
        options.insurance = bool(given["insurance"])
    if "max_win" in given:
        options.max_win = None if given["max_win"] is None else as_int(given["max_win"])
    if "cashback_margin" in given:
        options.cashback_margin = as_int(given["cashback_margin"])
    if "burn" in given:
        options.burn = bool(given["burn"])
    if "buster_keeps_dealer" in given:
        options.buster_keeps_dealer = bool(given["buster_keeps_dealer"])
    golden = given.get("golden")
    if isinstance(golden, dict):
        options.golden = Golden(**golden)
    return options
