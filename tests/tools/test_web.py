"""What the client is compiled from is what the house says: its messages, its texts, its games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from sabot.errors import NAMES, REFUSALS
from sabot.protocol import codec, messages, requests
from sabot.protocol.schema import schema
from sabot.texts import LANGUAGES
from tools.web import data
from tools.web.typescript import modules

WEB = Path(__file__).resolve().parents[2] / "web"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return modules()


def test_generated_files_are_up_to_date(made: dict[str, str]) -> None:
    stale = [name for name, text in made.items() if (WEB / "src" / name).read_text("utf-8") != text]
    assert not stale, "make generated writes them again"


def test_the_schema_has_all_messages() -> None:
    described = schema()
    assert described["title"] == codec.SUBPROTOCOL
    assert {"Request", "Message", "Frame", "TableEvent"} <= described["$defs"].keys()


def test_every_message_is_in_the_schema_with_all_it_is_made_of() -> None:
    told = schema()["$defs"]
    for name, union in (
        ("Request", requests.AnyRequest),
        ("Message", messages.AnyMessage),
        ("TableEvent", messages.TableEvent),
    ):
        members = {member["$ref"].rpartition("/")[2] for member in told[name]["anyOf"]}
        assert members == {kind.__name__ for kind in get_args(union)}
        assert members <= told.keys()
    named = re.findall(r'"\$ref": "#/\$defs/([^"]+)"', json.dumps(told))
    assert set(named) <= told.keys()


def test_what_a_player_may_leave_out_is_optional_and_what_the_house_sends_is_whole(
    made: dict[str, str],
) -> None:
    written = made["wire.ts"]
    assert "readonly insurance?: boolean;" in written
    assert 'readonly part: components["schemas"]["PlayerView"] | null;' in written
    assert 'readonly events: readonly components["schemas"]["TableEvent"][];' in written
    assert "readonly params: Record<string, unknown>;" in written


def test_every_name_in_a_sentence_is_known_to_the_page() -> None:
    assert set(NAMES) <= set(data.HEADINGS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_sentence_on_the_page(language: str) -> None:
    """Those of what only operators do are loaded by operators."""
    of_all, of_office = data.texts(language).keys(), data.office_texts(language).keys()
    assert not {f"error.{code}" for code in REFUSALS} - (of_all | of_office)
    assert not of_all & of_office


def test_the_page_shows_no_text_of_its_own() -> None:
    """Words between tags stand in the catalogue; `sabot` is a name."""
    for file in sorted((WEB / "src").rglob("*.svelte")):
        markup = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", "", file.read_text("utf-8"), flags=re.S)
        markup = re.sub(r"\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", "", markup)
        words = re.findall(r">[^<>]*?([A-Za-zÀ-ú]{2,})[^<>]*?<", markup)
        assert set(words) <= {"sabot"}, file.name


def test_the_locks_name_no_host_to_download_from() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    wanted = json.loads((WEB / "package.json").read_text("utf-8"))
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted["devDependencies"].values())
    assert "dependencies" not in wanted
