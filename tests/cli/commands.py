"""Commands of `sabot` as a person gives them: run, or refused."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from sabot.cli import app, main


def run(*args: str, stdin: str = "") -> str:
    """What a command writes to its standard output alone."""
    result = CliRunner().invoke(app, list(args), input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line of a command that is refused."""
    monkeypatch.setattr(sys, "argv", ["sabot", *args])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sabot: ")
    assert err.count("\n") == 1
    return err
