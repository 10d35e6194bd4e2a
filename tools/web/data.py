"""Texts of both languages, and the games with their prizes and returns, for the web client.

Texts come from the catalogue, English refusals from the registry, games from their `Rules`: the page has the texts of the
terminal and the prizes of the engine.
"""

from __future__ import annotations

import json
from typing import Any, get_args

from sabot.cards import RANKS, Card, Hand
from sabot.games import CATALOGUE, Game
from sabot.games.bonus import BLOCK, FEATURES, ROWS, Bonus
from sabot.games.rules import EVEN_MONEY
from sabot.reports.signals import Thresholds
from sabot.server.office.settings import CAPS, FILE_ONLY
from sabot.store.kinds import EventKind, Severity
from sabot.texts import LANGUAGES
from sabot.texts import _load as load

#: Headings of the catalogue that the page uses, and single texts of others.
HEADINGS = (
    "acted",
    "action",
    "bonus",
    "card",
    "category",
    "count",
    "ending",
    "error",
    "key",
    "kind",
    "label",
    "language",
    "limits",
    "meaning",
    "money",
    "phase",
    "place",
    "rank",
    "result",
    "roles",
    "strategy",
    "suit",
    "table",
    "web",
)
#: The beginnings of texts that only operators load: the pages' own, and refusals of what only operators do.
OFFICE = (
    "office.",
    *(f"error.{group}/" for group in ("change", "check", "monitoring", "option", "proposal", "report")),
)
SINGLE = (
    "bonus.link",
    "bonus.mega-link",
    "rules.blackjack",
    "rules.even-money",
    "rules.insurance",
    "rules.wins",
)


def texts(language: str) -> dict[str, str]:
    """The page's texts in a language, by key."""
    return {key: text for key, text in sorted(load(language).items()) if _wanted(key)}


def _wanted(key: str) -> bool:
    return not key.startswith(OFFICE) and (key.partition(".")[0] in HEADINGS or key in SINGLE)


def office_texts(language: str) -> dict[str, str]:
    """The back office's texts in a language, by key."""
    return {key: text for key, text in sorted(load(language).items()) if key.startswith(OFFICE)}


def language_module(found: dict[str, str]) -> str:
    """The whole of a module of texts, such as `texts.it.ts`: a page loads those of the language it speaks."""
    return f"const texts = {_literal(found)} as const;\n\nexport default texts;\n"


_TEXTS = """\
/** A text that every language has: one that is missing is an error of the compiler. */
export type Key = %s;
/** The languages by their own names. */
export const LANGUAGES = %s as const;

/** A part of the texts, by key. */
export type Texts = Readonly<Record<string, string>>;
/** Loads a part of the texts of a language. */
export type Loaders = Readonly<Record<keyof typeof LANGUAGES, () => Promise<{ readonly default: Texts }>>>;

/** What every page says. */
export const LOADERS: Loaders = {
%s
};

/** What the back office says. */
export const OFFICE_LOADERS: Loaders = {
%s
};
"""


def texts_module() -> str:
    """The whole of `texts.ts`: what languages there are, and where their texts are."""
    types = [
        f'import type {name} from "./{file}";'
        for language in LANGUAGES
        for name, file in ((language, f"texts.{language}"), (f"{language}Office", f"texts.office.{language}"))
    ]
    names = {language: load(language)["language.name"] for language in LANGUAGES}
    keys = " & ".join(f"(keyof typeof {language} | keyof typeof {language}Office)" for language in LANGUAGES)
    return (
        "\n".join(types)
        + "\n\n"
        + _TEXTS % (keys, _literal(names), _loaders("texts"), _loaders("texts.office"))
    )


def _loaders(file: str) -> str:
    return "\n".join(f'  {language}: () => import("./{file}.{language}"),' for language in LANGUAGES)


def game(game: Game) -> dict[str, Any]:
    """A game as its page shows it."""
    rules = game.rules
    bets = [
        {"name": bet.name, "once": bet.once, "prizes": [list(prize) for prize in bet.prizes]}
        for bet in rules.side_bets
    ]
    return {
        "name": game.name,
        "title": game.title,
        "live": game.live,
        "spots": rules.spots,
        "decks": rules.decks,
        "surrender": rules.surrender,
        "cashback": rules.cashback,
        "evenMoney": rules.even_money,
        "dealer22Pushes": rules.dealer_22_pushes,
        "insuranceSwitch": game.insurance_switch,
        "refusalLasts": game.refusal_lasts,
        "pays": {
            "wins": list(rules.win_pays),
            "blackjack": list(rules.blackjack_pays),
            "insurance": list(rules.insurance_pays),
            "evenMoney": list(EVEN_MONEY),
        },
        "sideBets": bets,
        "bonus": rules.bonus and _bonus(rules.bonus, rules.decks),
        "published": game.published,
    }


def _bonus(bonus: Bonus, decks: int) -> dict[str, Any]:
    """The Link bonus as it is drawn; the wheel with its weights, so that its angles match them (LNK-38)."""
    from sabot.odds.bonus import link_return  # loads numpy, only when the files are written

    return {
        "wheel": [list(section) for section in bonus.wheel],
        "cells": [prize for prize, _ in bonus.cells if prize],
        "pays": [list(prize) for prize in bonus.pays],
        "columns": {"link": bonus.link.columns, "mega-link": bonus.mega_link.columns},
        "ranges": {feature: list(bonus.range(feature)) for feature in FEATURES},
        "rows": ROWS,
        "block": BLOCK,
        "spins": bonus.spins,
        "returns": f"{100 * link_return(bonus, decks):.2f}",
    }


_GAME = """\
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
"""

_ALONE = """\
/** What a card alone counts, by rank from the ace, and whether it counts 11: the total of a hand just split. */
export const ALONE: readonly (readonly [number, boolean])[] = \
"""


def games_module() -> str:
    """The whole of `games.ts`."""
    games = {name: game(found) for name, found in CATALOGUE.items()}
    return f"{_GAME}\nexport const GAMES: Readonly<Record<string, Game>> = {_literal(games)};\n\n{_ALONE}{_alone()};\n"


_OFFICE = """\
/** How grave a significant event is, and the kinds there are (OFF-11). */
export const SEVERITIES = %s as const;
export const KINDS = %s as const;

/** Settings of the office that belong to the file, those that administrators change, and those that are no amounts of money. */
export const FILE_ONLY: readonly string[] = %s;
export const CAPS: readonly string[] = %s;
export const COUNTED: readonly string[] = %s;
"""


def office_module() -> str:
    """The whole of `office/kinds.ts`: what there is to choose from in the back office."""
    severities, kinds = [*reversed(get_args(Severity))], get_args(EventKind)
    counted = [each.name for each in Thresholds().listed() if each.kind == "count"]
    return _OFFICE % tuple(map(_literal, (severities, kinds, FILE_ONLY, CAPS, counted)))


def _alone() -> str:
    hands = [Hand([Card(rank)]) for rank in range(len(RANKS))]
    return json.dumps([[hand.total, hand.soft] for hand in hands])


def _literal(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
