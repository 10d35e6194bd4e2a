"""The commands: what they print, and how they fail."""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import pytest

import sabot
from sabot.games import CATALOGUE, find
from sabot.games.rules import Rules
from tests.cli.commands import fail, run


def test_version() -> None:
    assert run("--version") == f"sabot {sabot.__version__}\n"


@pytest.mark.parametrize("lang", ["it", "en"])
def test_games_lists_every_game_with_its_returns(lang: str) -> None:
    text = run("games", "--lang", lang)
    for game in CATALOGUE.values():
        assert game.name in text
        assert game.title in text
    assert ("99,66%" if lang == "it" else "99.66%") in text
    assert ("dal vivo, 8 mazzi" if lang == "it" else "live, 8 decks") in text


def test_rules_show_what_differs_prizes_weights_and_hash() -> None:
    text = run("rules", "link", "--lang", "en")
    flat = " ".join(text.split())
    assert "As the classic six-deck game, but:" in text
    assert "A blackjack against an ace may be taken at 1:1 (LNK-04)." in flat
    assert "straight flush 40 to 1" in flat
    assert "blackjack 3 to 2" in flat
    assert "X5 350 (35.0%)" in flat
    assert "blank 4700 (94.0%)" in flat
    assert "GRAND X2000 1 (1.0%)" in flat
    assert find("link").rules.sha256 in text


def test_rules_speak_italian() -> None:
    flat = " ".join(run("rules", "surrender").split())
    assert "Metà della puntata indietro, come prima azione di una mano." in flat
    assert "coppia del croupier, una per round coppia perfetta 25 a 1" in flat


def test_the_classic_game_differs_in_nothing() -> None:
    assert "It is the classic six-deck game." in run("rules", "classic-6", "--lang", "en")


@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_rules_as_json_are_the_rules(game: str) -> None:
    assert msgspec.json.decode(run("rules", game, "--json"), type=Rules) == find(game).rules


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("rules", "poker"), ("'poker'", "surrender", "link")),
        (("play", "poker"), ("'poker'", "surrender", "link")),
        (("play", "freebet"), ("freebet", "cashback, classic-6, classic-8, link, surrender")),
        (("play", "link", "--lang", "fr"), ("'fr'", "it, en")),
        (("games", "--lang", "fr"), ("'fr'", "it, en")),
        (("play", "link", "--balance", "lots"), ("'lots'", "1000")),
        (("play", "link", "--hands", "6"), ("6", "1", "5")),
        (("play", "link", "--client-seed", "a|b"), ("'|'",)),
        (("games", "--foo"), ("--foo", "--lang")),
        (("play",), ("GAME", "surrender")),
        (("shuffle",), ("'shuffle'", "games", "play")),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    parts: tuple[str, ...],
) -> None:
    line = fail(monkeypatch, capsys, *args)
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({}, "dal vivo"),
        ({"LANG": "it_IT.UTF-8"}, "dal vivo"),
        ({"LANG": "en_GB.UTF-8"}, "live"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "de_DE"}, "live"),
        ({"LANG": "C.UTF-8", "LC_MESSAGES": "it_CH"}, "dal vivo"),
    ],
)
def test_the_locale_chooses_the_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], says: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert says in run("games")


@pytest.mark.slow  # each game twice
@pytest.mark.parametrize("game", [name for name, game in CATALOGUE.items() if not game.live])
@pytest.mark.parametrize("lang", ["it", "en"])
def test_a_seeded_game_is_the_same_again(game: str, lang: str) -> None:
    stdin = "1 10\ndeal\n" + "n\nstand\n" * 3
    first = run("play", game, "--seed", "x", "--lang", lang, stdin=stdin)
    assert run("play", game, "--seed", "x", "--lang", lang, stdin=stdin) == first
    assert first != run("play", game, "--seed", "y", "--lang", lang, stdin=stdin)
    assert first != run("play", game, "--seed", "x", "--client-seed", "me", "--lang", lang, stdin=stdin)


def test_a_fresh_game_keeps_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    from hashlib import sha256

    # Whatever the cards, the first round is over after these: offers refused, every hand stands.
    text = run("play", "classic-6", "--lang", "en", stdin="10\ndeal\n" + "n\nstand\n" * 6)
    words = text.split()
    committed = words[words.index("Commitment") + 1]
    seed = words[words.index("Seed") + 1]
    assert sha256(bytes.fromhex(seed)).hexdigest() == committed


def test_the_command_runs_without_numpy_and_without_colour_in_a_pipe() -> None:
    code = (
        "import sys; sys.argv = ['sabot', 'games']\n"
        "from sabot.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        "assert 'numpy' not in sys.modules"
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout


def test_an_ascii_terminal_gets_letters_for_suits() -> None:
    code = "import sys; sys.argv = ['sabot', 'play', 'classic-6', '--seed', 'x']; from sabot.cli import main; main()"
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"1 10\ndeal\n\xff\xfe\nstai\n",
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"> Mano 1" in done.stdout or b">  Mano 1" in done.stdout
    assert b"??" in done.stdout
