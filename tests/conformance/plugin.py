"""A pytest plugin that gathers, for each rule id, the tests that carry it and how they ended.

A test names its rules with ``@pytest.mark.rule("COM-01", "SB-02")``; ``--conformance FILE`` writes the results.
Under pytest-xdist the workers tell the controller, which alone writes.
"""

from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conformance.rules import Carrier, Outcome, Run, titles

PROPERTY = "rule"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("conformance", "rule ids and the tests that prove them")
    group.addoption("--conformance", metavar="FILE", type=Path, help="write the results by rule id as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(id, ...): the rules, by id, that this test proves")
    config.pluginmanager.register(Recorder(config), "conformance-recorder")


@cache
def known_rules() -> frozenset[str]:
    return frozenset(titles())


def rules_of(item: pytest.Item) -> list[str]:
    """The ids on a test, its class and its module, each once."""
    return list(dict.fromkeys(rule for mark in item.iter_markers("rule") for rule in mark.args))


def mistakes_of(item: pytest.Item) -> list[str]:
    """What is wrong with the rule marks of a test, a sentence each."""
    test = item.nodeid.partition("[")[0]
    empty = any(not mark.args or mark.kwargs for mark in item.iter_markers("rule"))
    unknown = [rule for rule in rules_of(item) if rule not in known_rules()]
    return [f"{test}: a rule mark takes one or more ids and nothing else"] * empty + [
        f"{test}: unknown rule id {rule!r}; the ids are in tests/conformance/ids.toml" for rule in unknown
    ]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a wrong rule mark into a collection error, which xdist carries to the controller like any other."""
    report = yield
    items = [node for node in report.result or [] if isinstance(node, pytest.Item)]
    mistakes = dict.fromkeys(mistake for item in items for mistake in mistakes_of(item))
    if mistakes:
        report.outcome = "failed"
        report.longrepr = "\n".join(mistakes)
        report.result = []
    return report


class Recorder:
    """Hears every report of a run and writes the results at its end."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.rules: dict[str, list[str]] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.deselected = False
        self.uncollected = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.uncollected |= report.failed

    def pytest_deselected(self) -> None:
        self.deselected = True

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            if rules := rules_of(item):
                self.rules[item.nodeid] = rules
                item.user_properties.extend((PROPERTY, rule) for rule in rules)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if rules := [str(value) for name, value in report.user_properties if name == PROPERTY]:
            self.rules[report.nodeid] = rules
        if report.failed:
            self.outcomes[report.nodeid] = "failed"
        elif report.skipped or hasattr(report, "wasxfail"):
            self.outcomes.setdefault(report.nodeid, "skipped")
        elif report.when == "call":
            self.outcomes.setdefault(report.nodeid, "passed")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Learn from a worker which tests it knew: one that killed its worker has no report of its own rules."""
        told = getattr(node, "workeroutput", {}).get("conformance")
        if told is not None:
            self.rules = told["rules"] | self.rules
            self.deselected |= told["deselected"]

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["conformance"] = {"rules": self.rules, "deselected": self.deselected}
            return
        target: Path | None = self.config.getoption("--conformance")
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(msgspec.json.format(msgspec.json.encode(self.run(exitstatus))) + b"\n")

    def run(self, exitstatus: int) -> Run:
        tests = {
            test: Carrier(rules, self.outcomes.get(test, "not run"))
            for test, rules in sorted(self.rules.items())
        }
        ran = all(carrier.outcome != "not run" for carrier in tests.values())
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        return Run(ran and not self.selective(), ended and not self.uncollected, tests)

    def selective(self) -> bool:
        options = ("lf", "ignore", "ignore_glob")
        chosen = self.config.args_source is pytest.Config.ArgsSource.ARGS
        return self.deselected or chosen or any(self.config.getoption(name, None) for name in options)
