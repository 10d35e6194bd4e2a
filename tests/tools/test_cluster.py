"""The cluster of this machine: what is said where it cannot start."""

from __future__ import annotations

import socket
import sys

import pytest

from tools.cluster.__main__ import main


def test_a_port_that_is_taken_is_told_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(sys, "argv", ["cluster", "--port", str(port)])
        with pytest.raises(SystemExit):
            main()
    assert f"port {port} is taken: choose another one with --port\n" in capsys.readouterr().err
