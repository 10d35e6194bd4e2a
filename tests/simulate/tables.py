"""Ways to play, for tests: the ordinary Strip table, and tables by chance that use every move the rules know."""

from __future__ import annotations

from random import Random

from sabot.games.strategy import BestTable

STRIP = BestTable(
    hard={
        9: "HDDDDHHHHH",
        10: "DDDDDDDDHH",
        11: "DDDDDDDDDH",
        12: "HHSSSHHHHH",
        13: "SSSSSHHHHH",
        14: "SSSSSHHHHH",
        15: "SSSSSHHHRH",
        16: "SSSSSHHRRR",
    },
    soft={
        13: "HHHDDHHHHH",
        14: "HHHDDHHHHH",
        15: "HHDDDHHHHH",
        16: "HHDDDHHHHH",
        17: "HDDDDHHHHH",
        18: "SDDDDSSHHS",
    },
    pairs={
        1: "PPPPPPPPPP",
        2: "PPPPPPHHHH",
        3: "PPPPPPHHHH",
        4: "HHHPPHHHHH",
        6: "PPPPPHHHHH",
        7: "PPPPPPHHHH",
        8: "PPPPPPPPPP",
        9: "PPPPPSPPSS",
        10: "SSSSSSSSSS",
    },
)


def random_table(rng: Random) -> BestTable:
    """A table of random letters, with rows missing here and there; it likes to draw, double and split."""

    def rows(totals: range, letters: str) -> dict[int, str]:
        return {total: "".join(rng.choices(letters, k=10)) for total in totals if rng.random() < 0.9}

    return BestTable(
        hard=rows(range(4, 21), "HHHHSSDdRr"),
        soft=rows(range(12, 21), "HHHHSDdRr"),
        pairs=rows(range(1, 11), "PPPPHSDdR"),
    )
