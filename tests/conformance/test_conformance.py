"""The plugin in runs of its own, and the matrix printed from their results."""

import json
import re
from pathlib import Path

import pytest

from tests.conformance.__main__ import main, shortened
from tests.conformance.rules import PROVED, Carrier, Run, read_proved, titles, verdicts

ROOT = Path(__file__).parents[2]
#: The plugins of the inner tests, which need no other: hypothesis alone takes longer to load than they take.
PLUGIN = ("-p", "xdist", "-p", "tests.conformance.plugin", "--conformance", "out/results.json")
PROCESSES = pytest.mark.slow  # test runs in processes of their own


@pytest.fixture(autouse=True)
def _few_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def outcome_of(pytester: pytest.Pytester, source: str, *options: str) -> dict[str, Carrier]:
    """Run a test file under the plugin and return its carriers by bare test name."""
    pytester.makepyfile(f"import pytest\n{source}")
    pytester.runpytest(*PLUGIN, *options)
    return {name.partition("::")[2]: carrier for name, carrier in results(pytester).tests.items()}


def results(pytester: pytest.Pytester) -> Run:
    run = json.loads((pytester.path / "out" / "results.json").read_text())
    tests = {name: Carrier(**carrier) for name, carrier in run.pop("tests").items()}
    return Run(tests=tests, **run)


def states(pytester: pytest.Pytester) -> dict[str, str]:
    """The state of every id that is not simply untested."""
    return {verdict.rule: verdict.state for verdict in verdicts(results(pytester)) if verdict.state != "none"}


def matrix(pytester: pytest.Pytester, *options: str) -> int:
    return main(["--proved", str(pytester.path / "proved.txt"), *options, "out/results.json"])


def test_ids_are_well_formed_and_titles_short() -> None:
    rules = titles()
    assert all(
        re.fullmatch(r"(COM|SB|SUR|CSH|LNK|FRB|MAJ|RET|ASR|PLT|CLU|OFF|STU)-\d\d", rule) for rule in rules
    )
    assert all(0 < len(title.split()) <= 8 for title in rules.values())
    assert len(set(rules.values())) == len(rules)


def test_record_holds_known_ids_in_order() -> None:
    recorded = read_proved(PROVED)
    assert recorded == [rule for rule in titles() if rule in recorded]


def test_passing_tests_prove_their_ids(pytester: pytest.Pytester) -> None:
    carriers = outcome_of(
        pytester,
        """
        @pytest.mark.rule("COM-01", "SB-02")
        @pytest.mark.rule("COM-02")
        def test_stacked(): pass

        @pytest.mark.rule("COM-03")
        @pytest.mark.parametrize("n", [1, 2])
        def test_many(n): pass

        @pytest.mark.rule("COM-04")
        class TestGroup:
            @pytest.mark.rule("COM-04", "COM-05")
            def test_inside(self): pass

        def test_plain(): pass
        """.replace("\n        ", "\n"),
    )
    assert {name: set(carrier.rules) for name, carrier in carriers.items()} == {
        "test_stacked": {"COM-01", "SB-02", "COM-02"},
        "test_many[1]": {"COM-03"},
        "test_many[2]": {"COM-03"},
        "TestGroup::test_inside": {"COM-04", "COM-05"},
    }
    assert states(pytester) == dict.fromkeys(
        ["COM-01", "COM-02", "COM-03", "COM-04", "COM-05", "SB-02"], "proved"
    )
    assert results(pytester).whole
    assert results(pytester).finished


@pytest.mark.parametrize(
    "body",
    [
        "def test_bad(): assert False",
        "def test_bad(no_such_fixture): pass",
        "@pytest.fixture\ndef broken():\n    yield\n    raise OSError\n\n@pytest.mark.rule('COM-01')\ndef test_bad(broken): pass",
        "@pytest.mark.xfail(strict=True)\ndef test_bad(): pass",
    ],
    ids=["call", "setup", "teardown", "strict-xpass"],
)
def test_one_failure_spoils_an_id(pytester: pytest.Pytester, body: str) -> None:
    marked = "@pytest.mark.rule('COM-01')\n"
    source = f"{marked}def test_good(): pass\n\n"
    outcome_of(pytester, source + (body if marked in body else marked + body))
    assert states(pytester) == {"COM-01": "failed"}


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.skip\ndef test_it(): pass",
        "def test_it(): pytest.skip('not today')",
        "@pytest.mark.xfail\ndef test_it(): assert False",
        "@pytest.mark.xfail(strict=False)\ndef test_it(): pass",
    ],
    ids=["mark", "call", "xfail", "xpass"],
)
def test_a_skip_proves_nothing_and_spoils_nothing(pytester: pytest.Pytester, body: str) -> None:
    good = "@pytest.mark.rule('COM-02')\ndef test_good(): pass\n\n"
    outcome_of(pytester, good + "@pytest.mark.rule('COM-01', 'COM-02')\n" + body)
    assert states(pytester) == {"COM-01": "skipped", "COM-02": "proved"}


@pytest.mark.parametrize(
    ("mark", "complaint", "workers"),
    [
        ("'COM-99'", "*test_it: unknown rule id 'COM-99'*", ()),
        pytest.param("'COM-99'", "*test_it: unknown rule id 'COM-99'*", ("-n", "2"), marks=PROCESSES),
        ("", "*takes one or more ids*", ()),
    ],
    ids=["unknown", "unknown-xdist", "empty"],
)
def test_a_wrong_mark_fails_the_collection(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    complaint: str,
    workers: tuple[str, ...],
) -> None:
    pytester.makepyfile(
        f"import pytest\n@pytest.mark.rule({mark})\n@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n): pass"
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    run = pytester.runpytest(*PLUGIN, *workers)
    assert run.ret != 0
    run.stdout.fnmatch_lines([complaint])
    run.assert_outcomes(errors=1)
    assert not results(pytester).finished


@PROCESSES
def test_xdist_tells_the_controller(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makepyfile(
        """
        import os
        import pytest

        @pytest.mark.rule("COM-01")
        @pytest.mark.parametrize("n", range(6))
        def test_good(n): pass

        @pytest.mark.rule("COM-02")
        def test_bad(): assert False

        @pytest.fixture
        def deadly(): os._exit(1)

        @pytest.mark.rule("COM-01", "COM-03")
        def test_kills_its_worker(deadly): pass
        """
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.runpytest_subprocess(*PLUGIN, "-n", "2")
    assert states(pytester) == {"COM-01": "failed", "COM-02": "failed", "COM-03": "failed"}
    assert len(results(pytester).tests) == 8


@pytest.mark.parametrize(
    "selection",
    ["-k one", pytest.param("-k one -n 2", marks=PROCESSES), "test_a_selection_is_no_whole_run.py", "-x"],
    ids=["some", "some-xdist", "file", "stopped"],
)
def test_a_selection_is_no_whole_run(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    selection: str,
) -> None:
    record = pytester.path / "proved.txt"
    record.write_text("COM-07\n")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    outcome_of(
        pytester,
        f"@pytest.mark.rule('COM-01')\ndef test_one(): assert {selection != '-x'}\n"
        "@pytest.mark.rule('COM-02')\ndef test_two(): pass",
        *selection.split(),
    )
    capsys.readouterr()
    assert not results(pytester).whole
    assert matrix(pytester, "--quiet", "--update") == 0
    assert "LOST" not in capsys.readouterr().out
    assert read_proved(record) == ["COM-07"]


def test_the_matrix_names_every_id(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    outcome_of(pytester, "@pytest.mark.rule('SB-10')\ndef test_pairs(): pass")
    capsys.readouterr()
    assert matrix(pytester) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == list(titles())
    assert [line.split()[-2:] for line in lines if line.startswith("SB-10")] == [
        ["test_the_matrix_names_every_id::test_pairs", "proved"]
    ]
    assert lines[-1] == f"1 of {len(titles())} ids proved"


def test_a_lost_rule_fails_and_is_named(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    record = pytester.path / "proved.txt"
    record.write_text("COM-01\nCOM-02\nCOM-03\n")
    outcome_of(
        pytester,
        "@pytest.mark.rule('COM-01')\ndef test_good(): pass\n@pytest.mark.rule('COM-02')\ndef test_bad(): assert False",
    )
    capsys.readouterr()
    assert matrix(pytester, "--quiet", "--update") == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in told[:-1]] == [["LOST", "COM-02"], ["LOST", "COM-03"]]
    assert told[0].endswith("now: failed in test_a_lost_rule_fails_and_is_named::test_bad")
    assert told[-1] == f"1 of {len(titles())} ids proved"
    assert read_proved(record) == ["COM-01", "COM-02", "COM-03"]


def test_the_record_grows_in_order(pytester: pytest.Pytester) -> None:
    record = pytester.path / "proved.txt"
    record.write_text("# kept\nCOM-02\n")
    outcome_of(
        pytester,
        "@pytest.mark.rule('SB-01', 'COM-01', 'COM-02')\ndef test_good(): pass\n@pytest.mark.rule('COM-03')\ndef test_bad(): assert False",
    )
    assert matrix(pytester, "--update") == 0
    assert record.read_text() == "# kept\nCOM-01\nCOM-02\nSB-01\n"


def test_no_results_is_an_error(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    assert matrix(pytester) == 1
    assert "No results" in capsys.readouterr().out


def test_long_lists_are_shortened() -> None:
    tests = [f"tests/engine/test_deal.py::test_{n}" for n in range(5)]
    assert shortened(tests) == "engine/test_deal::test_0, engine/test_deal::test_1, 3 more"
