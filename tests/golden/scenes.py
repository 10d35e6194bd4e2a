"""The rounds the golden files tell, chosen to show what is particular to each game."""

from __future__ import annotations

from sabot.engine import DEALER, Bet
from tests.golden.playthrough import Scene

MAIN = Bet(0, "main", 1_000)
THREE = {"ada": 100_000, "bob": 100_000, "cy": 1_500}

SCENES: dict[str, list[Scene]] = {
    "classic-6": [
        Scene(
            "a hand that hits and wins", "10 6 3 10 7 9", {"ada": [MAIN]}, ["deal", "0.0 hit", "0.0 stand"]
        ),
        Scene(
            "a split with a double on the left hand",
            "8 6 8 10 10 3 K 5",
            {"ada": [MAIN]},
            ["deal", "0.0 split", "0.0 stand", "0.1 double"],
        ),
    ],
    "classic-8": [
        Scene(
            "insurance under an ace, no blackjack",
            "9 A 9 7",
            {"ada": [MAIN]},
            ["deal", "all insure yes @ada", "0.0 stand"],
        ),
    ],
    "surrender": [
        Scene(
            "three hands: a blackjack, a surrender, a double; side bets",
            "A 10 5 9 K 6 6 K 10",
            {
                "ada": [
                    MAIN,
                    Bet(1, "main", 501),
                    Bet(2, "main", 200),
                    Bet(2, "player-pair", 100),
                    Bet(1, "21+3", 100),
                    Bet(DEALER, "dealer-pair", 100),
                ]
            },
            ["deal", "1.0 surrender", "2.0 double"],
        ),
        Scene(
            "two hands under an ace: one insures, the check finds a blackjack",
            "A 9 A K 9 K",
            {"ada": [MAIN, Bet(1, "main", 1_000)]},
            ["deal", "0 insure no @ada", "1 insure yes @ada"],
        ),
        Scene(
            "a split with side bets that win; one half doubles, one busts; the dealer draws to 21",
            "8s 7h 8d 9h 3c Kd 10h 10s 5d",
            {"ada": [MAIN, Bet(0, "player-pair", 200), Bet(0, "21+3", 100)]},
            ["deal", "0.0 split", "0.0 double", "0.1 hit"],
        ),
        Scene(
            "Charlie with seven cards",
            "2 10 2 9 2 2 3 3 4",
            {"ada": [MAIN]},
            ["deal", "0.0 hit", "0.0 hit", "0.0 hit", "0.0 hit", "0.0 hit"],
        ),
    ],
    "cashback": [
        Scene(
            "one half of a split is cashed back, the other doubles under a ten; dealer blackjack",
            "8 10 8 A 9 3 7",
            {"ada": [MAIN]},
            ["deal", "0.0 split", "0.0 cashback 841", "0.1 double"],
        ),
    ],
    "link": [
        Scene(
            "two blackjacks under an ace: even money, a cash wheel and a Link table",
            "A A A K Q 9",
            {"ada": [MAIN, Bet(0, "link", 100), Bet(1, "main", 1_000), Bet(1, "link", 100)]},
            [
                "deal",
                "0 even-money yes",
                "1 even-money no",
                "0 spin",
                "1 spin",
                "1 continue",
                "1 spin",
                "1 spin",
                "1 spin",
            ],
            # X10; LINK, tiles X2 diamond X5, prizes 1X on cell 0, 50X on cell 17, 5X on cell 1; three blank spins
            draws=[400, 900, 0, 85, 80, 0, 0, 16, 299, 0, 250] + [0] * 45,
        ),
        Scene(
            "a Mega Link table that fills up: multipliers, and a diamond prize for each of two blocks",
            "A 6 K 10",
            {"ada": [MAIN, Bet(0, "link", 200)]},
            ["deal", "0 spin", "0 continue", "0 spin"],
            # MEGA LINK; tiles X2 X3 diamond X5 diamond X2; six prizes, then 1X everywhere; MAJOR and GRAND
            draws=[990, 0, 50, 85, 75, 99, 10]
            + [0, 0, 5, 120, 9, 299, 12, 200, 20, 250, 25, 10]
            + [4700] * 30
            + [95, 99],
        ),
    ],
    "freebet": [
        Scene(
            "a free split, a free double, a bet behind that does not follow; dealer 22",
            "8 5 6 8 6 10 10 3 K 6",
            {
                "ada": [MAIN],
                "bob": [Bet(1, "main", 1_000), Bet(0, "behind", 500)],
            },
            ["deal", "0.0 split", "0.0 stand", "0.1 stand", "1.0 double"],
            purses={"ada": 100_000, "bob": 100_000},
        ),
        Scene(
            "a paid split of tens with and without a follower",
            "10 7 K 10 9 A",
            {"ada": [MAIN], "bob": [Bet(0, "behind", 500)], "cy": [Bet(0, "behind", 500)]},
            ["consent double split @bob", "deal", "0.0 split", "0.0 stand"],
            purses=THREE,
        ),
    ],
    "majority-eu": [
        Scene(
            "a vote for a double that one cannot pay; Buster keeps the dealer drawing",
            "6 10 4 5 7 10 10 10 2 9",
            {
                "ada": [MAIN, Bet(0, "buster", 100)],
                "bob": [MAIN, Bet(1, "main", 500)],
                "cy": [MAIN],
            },
            [
                "consent double split @bob",
                "deal",
                "0.0 vote double @ada",
                "0.0 vote double @cy",
                "0.0 vote hit @bob",
                "0.0 double",
                "1.0 hit",
            ],
            purses=THREE,
        ),
    ],
    "majority-us": [
        Scene(
            "golden and mixed stakes, one insurance answer for both boxes, no blackjack",
            "9 8 A 9 K 6 7 10",
            {
                "ada": [Bet(0, "main", 500, (500,)), Bet(1, "main", 1_000)],
                "bob": [Bet(0, "main", 0, (1_000,))],
                "cy": [Bet(0, "main", 300)],
            },
            ["deal", "all insure yes @ada", "close-offers", "0.0 vote stand @bob", "0.0 stand", "1.0 stand"],
            purses=THREE,
            golden={"ada": {500: 2}, "bob": {1_000: 1, 500: 1}},
        ),
    ],
}
