// Written by `python -m tools.web web/src`; a test compares. Do not edit.

export interface SideBet {
  readonly name: string;
  /** One bet for the whole round, beside the dealer. */
  readonly once: boolean;
  /** The categories from the highest, with what each pays to 1. */
  readonly prizes: readonly (readonly [string, number])[];
}

/** The Link bonus: sections of the wheel and prizes above the tables, with weights and multiples of the stake. */
export interface Bonus {
  readonly wheel: readonly (readonly [number | "link" | "mega-link", number])[];
  readonly cells: readonly number[];
  readonly pays: readonly (readonly [string, number])[];
  readonly columns: Readonly<Record<string, number>>;
  /** The least and the most that each table pays to 1 (LNK-30). */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
  readonly rows: number;
  readonly block: number;
  readonly spins: number;
  /** What its bet returns with these weights, in per cent (LNK-31). */
  readonly returns: string;
}

export interface Game {
  readonly name: string;
  readonly title: string;
  readonly live: boolean;
  readonly spots: number;
  readonly decks: number;
  readonly surrender: boolean;
  readonly cashback: boolean;
  readonly evenMoney: boolean;
  /** Whether a dealer total of 22 pushes (FRB-07). */
  readonly dealer22Pushes: boolean;
  readonly insuranceSwitch: boolean;
  /** Whether refusing insurance for all hands switches the offer off (CSH-12). */
  readonly refusalLasts: boolean;
  readonly pays: Readonly<Record<"wins" | "blackjack" | "insurance" | "evenMoney", readonly [number, number]>>;
  readonly sideBets: readonly SideBet[];
  readonly bonus: Bonus | null;
  /** Published returns in per cent, by bet. */
  readonly published: Readonly<Record<string, string>>;
}

export const GAMES: Readonly<Record<string, Game>> = {
  "cashback": {
    "name": "cashback",
    "title": "Cashback Blackjack",
    "live": false,
    "spots": 5,
    "decks": 6,
    "surrender": false,
    "cashback": true,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": true,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      },
      {
        "name": "dealer-pair",
        "once": true,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      }
    ],
    "bonus": null,
    "published": {
      "main": "99.55",
      "21+3": "95.38",
      "player-pair": "93.89",
      "dealer-pair": "93.89"
    }
  },
  "classic-6": {
    "name": "classic-6",
    "title": "Classic Blackjack, 6 decks",
    "live": false,
    "spots": 1,
    "decks": 6,
    "surrender": false,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [],
    "bonus": null,
    "published": {}
  },
  "classic-8": {
    "name": "classic-8",
    "title": "Classic Blackjack, 8 decks",
    "live": false,
    "spots": 1,
    "decks": 8,
    "surrender": false,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [],
    "bonus": null,
    "published": {}
  },
  "freebet": {
    "name": "freebet",
    "title": "Classic Free Bet Blackjack",
    "live": true,
    "spots": 7,
    "decks": 8,
    "surrender": false,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": true,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      }
    ],
    "bonus": null,
    "published": {
      "main": "98.26",
      "player-pair": "95.90",
      "21+3": "96.30"
    }
  },
  "link": {
    "name": "link",
    "title": "Blackjack Link",
    "live": false,
    "spots": 5,
    "decks": 6,
    "surrender": false,
    "cashback": false,
    "evenMoney": true,
    "dealer22Pushes": false,
    "insuranceSwitch": false,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      },
      {
        "name": "link",
        "once": false,
        "prizes": []
      },
      {
        "name": "dealer-pair",
        "once": true,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      }
    ],
    "bonus": {
      "wheel": [
        [
          5,
          350
        ],
        [
          10,
          260
        ],
        [
          15,
          160
        ],
        [
          25,
          80
        ],
        [
          50,
          25
        ],
        [
          "link",
          90
        ],
        [
          "mega-link",
          35
        ]
      ],
      "cells": [
        1,
        2,
        3,
        4,
        5,
        10,
        15,
        50
      ],
      "pays": [
        [
          "mini",
          20
        ],
        [
          "minor",
          100
        ],
        [
          "major",
          500
        ],
        [
          "grand",
          2000
        ]
      ],
      "columns": {
        "link": 6,
        "mega-link": 12
      },
      "ranges": {
        "link": [
          3,
          6900
        ],
        "mega-link": [
          6,
          13800
        ]
      },
      "rows": 3,
      "block": 6,
      "spins": 3,
      "returns": "95.00"
    },
    "published": {
      "main": "99.57",
      "21+3": "95.38",
      "player-pair": "93.89",
      "dealer-pair": "93.89"
    }
  },
  "majority-eu": {
    "name": "majority-eu",
    "title": "Majority Rules Speed Blackjack Live (EU)",
    "live": true,
    "spots": 2,
    "decks": 8,
    "surrender": false,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      },
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "dealer-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "top-3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            270
          ],
          [
            "straight-flush",
            180
          ],
          [
            "three",
            90
          ]
        ]
      },
      {
        "name": "buster",
        "once": false,
        "prizes": [
          [
            "8+-blackjack",
            2000
          ],
          [
            "7-blackjack",
            800
          ],
          [
            "8+",
            250
          ],
          [
            "7",
            50
          ],
          [
            "6",
            18
          ],
          [
            "5",
            4
          ],
          [
            "3-4",
            2
          ]
        ]
      },
      {
        "name": "lucky-lucky",
        "once": false,
        "prizes": [
          [
            "suited-777",
            200
          ],
          [
            "suited-678",
            100
          ],
          [
            "777",
            50
          ],
          [
            "678",
            25
          ],
          [
            "suited-21",
            15
          ],
          [
            "21",
            3
          ],
          [
            "20",
            2
          ],
          [
            "19",
            2
          ]
        ]
      }
    ],
    "bonus": null,
    "published": {
      "main": "99.54",
      "21+3": "96.30",
      "player-pair": "95.90",
      "dealer-pair": "95.90",
      "top-3": "91.00",
      "buster": "93.87",
      "lucky-lucky": "96.10"
    }
  },
  "majority-us": {
    "name": "majority-us",
    "title": "Majority Rules Speed Blackjack Live (US)",
    "live": true,
    "spots": 2,
    "decks": 8,
    "surrender": false,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      },
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "dealer-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "top-3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            270
          ],
          [
            "straight-flush",
            180
          ],
          [
            "three",
            90
          ]
        ]
      },
      {
        "name": "buster",
        "once": false,
        "prizes": [
          [
            "8+-blackjack",
            2000
          ],
          [
            "7-blackjack",
            800
          ],
          [
            "8+",
            250
          ],
          [
            "7",
            50
          ],
          [
            "6",
            18
          ],
          [
            "5",
            4
          ],
          [
            "3-4",
            2
          ]
        ]
      },
      {
        "name": "lucky-lucky",
        "once": false,
        "prizes": [
          [
            "suited-777",
            200
          ],
          [
            "suited-678",
            100
          ],
          [
            "777",
            50
          ],
          [
            "678",
            25
          ],
          [
            "suited-21",
            15
          ],
          [
            "21",
            3
          ],
          [
            "20",
            2
          ],
          [
            "19",
            2
          ]
        ]
      }
    ],
    "bonus": null,
    "published": {
      "main": "99.54",
      "21+3": "96.30",
      "player-pair": "95.90",
      "dealer-pair": "95.90",
      "top-3": "91.00",
      "buster": "93.87",
      "lucky-lucky": "96.10"
    }
  },
  "surrender": {
    "name": "surrender",
    "title": "Blackjack Surrender Multihand",
    "live": false,
    "spots": 5,
    "decks": 6,
    "surrender": true,
    "cashback": false,
    "evenMoney": false,
    "dealer22Pushes": false,
    "insuranceSwitch": true,
    "refusalLasts": false,
    "pays": {
      "wins": [
        1,
        1
      ],
      "blackjack": [
        3,
        2
      ],
      "insurance": [
        2,
        1
      ],
      "evenMoney": [
        1,
        1
      ]
    },
    "sideBets": [
      {
        "name": "player-pair",
        "once": false,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      },
      {
        "name": "21+3",
        "once": false,
        "prizes": [
          [
            "suited-three",
            100
          ],
          [
            "straight-flush",
            40
          ],
          [
            "three",
            30
          ],
          [
            "straight",
            10
          ],
          [
            "flush",
            5
          ]
        ]
      },
      {
        "name": "dealer-pair",
        "once": true,
        "prizes": [
          [
            "perfect",
            25
          ],
          [
            "coloured",
            12
          ],
          [
            "mixed",
            6
          ]
        ]
      }
    ],
    "bonus": null,
    "published": {
      "main": "99.66",
      "21+3": "95.38",
      "player-pair": "93.89",
      "dealer-pair": "93.89"
    }
  }
};

/** What a card alone counts, by rank from the ace, and whether it counts 11: the total of a hand just split. */
export const ALONE: readonly (readonly [number, boolean])[] = [[11, true], [2, false], [3, false], [4, false], [5, false], [6, false], [7, false], [8, false], [9, false], [10, false], [10, false], [10, false], [10, false]];
