"""Short forms for the examples: bets and commands in words, cards in their text form.

>>> command("hit 0.1")
{'type': 'hit', 'spot': 0, 'hand': 1}
>>> command("insure ann all yes")
{'type': 'insure', 'player': 'ann', 'spot': None, 'accept': True}
>>> command("ann: main 0 1000, 21+3 0 100+500g")["bets"][1]
{'spot': 0, 'kind': '21+3', 'stake': 100, 'golden': [500]}
"""

from __future__ import annotations

from tests.oracle.cards import parse
from tests.oracle.rounds import judge
from tests.oracle.state import Given, Verdict


def round_of(
    game: str,
    cards: str,
    *script: str,
    purses: dict[str, int] | None = None,
    golden: dict[str, dict[int, int]] | None = None,
    draws: list[int] | None = None,
    prices: list[int] | None = None,
    golden_rules: dict[str, object] | None = None,
    **options: object,
) -> Verdict:
    """The verdict on a round; everyone named brings 1,000.00 unless told otherwise."""
    commands = [command(line) for line in script]
    players = {str(one["player"]) for one in commands if "player" in one}
    return judge(
        Given(
            game=game,
            purses=dict.fromkeys(sorted(players), 100_000) | (purses or {}),
            golden=golden or {},
            options={**options, "golden": golden_rules or {}},
            cards=parse(cards),
            draws=draws or [],
            prices=prices or [],
            commands=commands,
        )
    )


def command(line: str) -> dict[str, object]:
    words = line.split()
    if words[0].endswith(":"):
        bets = [bet(part) for part in line.partition(":")[2].split(",") if part.strip()]
        return {"type": "place-bets", "player": words[0][:-1], "bets": bets}
    kind = words[0]
    match kind:
        case "deal":
            return {"type": kind, "insurance": words[1:] != ["uninsured"]}
        case "close-offers":
            return {"type": kind}
        case "void":
            return {"type": kind, "reason": "a test"}
        case "spin" | "continue":
            return {"type": kind, "spot": int(words[1])}
        case "even-money":
            return {"type": kind, "spot": int(words[1]), "accept": words[2] == "yes"}
        case "insure":
            spot = None if words[2] == "all" else int(words[2])
            return {"type": kind, "player": words[1], "spot": spot, "accept": words[3] == "yes"}
        case "consent":
            return {"type": kind, "player": words[1], "double": "double" in words, "split": "split" in words}
        case "add-money":
            return {"type": kind, "player": words[1], "amount": int(words[2])}
        case "vote":
            return {"type": kind, "player": words[1], **place(words[2]), "action": words[3]}
        case "cashback":
            return {"type": kind, **place(words[1]), "price": int(words[2])}
    return {"type": kind, **place(words[1])}


def place(word: str) -> dict[str, object]:
    spot, _, hand = word.partition(".")
    return {"spot": int(spot), "hand": int(hand or 0)}


def bet(text: str) -> dict[str, object]:
    kind, spot, amounts = text.split()
    parts = amounts.split("+")
    return {
        "spot": int(spot),
        "kind": kind,
        "stake": sum(int(part) for part in parts if not part.endswith("g")),
        "golden": [int(part[:-1]) for part in parts if part.endswith("g")],
    }
