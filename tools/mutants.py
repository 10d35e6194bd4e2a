"""Mutation testing: `python -m tools.mutants`, with the arguments of `mutmut run`.

mutmut lets pytest collect the tests anew for each of thousands of mutants, which takes longer than the tests do. Here
they are collected once; each mutant is a fork that runs those that reach it, the quickest first, until one fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import pairwise

import pytest
from _pytest.config import _prepareconfig
from _pytest.runner import runtestprotocol
from mutmut import __main__ as mutmut
from mutmut.runners.harness import PytestRunner
from mutmut.utils.file_utils import change_cwd
from mutmut.workers.isolation import ForkRunner, MutantRunner


class CollectedTests(PytestRunner):
    """Tests that are collected once, when the unchanged code is tried."""

    _items: dict[str, pytest.Item] | None = None

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Run these tests, or all, until one fails; gives pytest's exit code."""
        with change_cwd("mutants"):
            if self._items is None:
                self._items = self._collect()
            chosen = [self._items[test] for test in tests or self._items]
            for item, after in pairwise([*chosen, None]):
                assert item is not None
                if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                    item.session._setupstate.teardown_exact(None)  # else no other test can begin after it
                    return int(pytest.ExitCode.TESTS_FAILED)
        return int(pytest.ExitCode.OK)

    def _collect(self) -> dict[str, pytest.Item]:
        """The tests by name, in a session that stays open."""
        arguments = ["--rootdir=.", *self._pytest_add_cli_args_test_selection, *self._pytest_add_cli_args]
        config = _prepareconfig(arguments)
        config._do_configure()
        session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=session)
        config.hook.pytest_collection(session=session)
        return {item.nodeid: item for item in session.items}


def _runner(children: int) -> MutantRunner:
    return ForkRunner(children, CollectedTests())


if __name__ == "__main__":
    vars(mutmut)["get_mutant_runner"] = _runner
    mutmut.cli(["run", *sys.argv[1:]])
