"""Print the matrix of a run: ``python -m tests.conformance build/conformance.json``."""

import argparse
import sys
from collections import Counter
from pathlib import Path

import msgspec

from tests.conformance.rules import PROVED, Run, Verdict, add_proved, read_proved, verdicts


def shortened(tests: list[str], most: int = 2) -> str:
    """Node ids without the folder, the parameters and the tail of a long list.

    >>> shortened(["tests/test_cards.py::test_soft[A6]", "tests/test_cards.py::test_soft[A7]"])
    'test_cards::test_soft x2'
    """
    names = Counter(test.partition("[")[0].removeprefix("tests/").replace(".py::", "::", 1) for test in tests)
    shown = [name if times == 1 else f"{name} x{times}" for name, times in names.most_common(most)]
    return ", ".join(shown) + (f", {len(names) - most} more" if len(names) > most else "")


def line(verdict: Verdict) -> str:
    return f"{verdict.rule:7} {verdict.title:54} {shortened(verdict.tests) or '-':60} {verdict.state}"


def lost(found: list[Verdict], recorded: list[str]) -> list[str]:
    """The recorded ids that this run does not prove, each as a sentence."""
    known = {verdict.rule: verdict for verdict in found}
    gone = [f"{rule} is recorded as proved but is no rule id" for rule in recorded if rule not in known]
    return gone + [
        f"{rule} ({known[rule].title}) was proved before, now: {known[rule].state}"
        + (f" in {shortened(known[rule].tests)}" if known[rule].tests else "")
        for rule in recorded
        if rule in known and known[rule].state != "proved"
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("results", type=Path, help="the file written by pytest --conformance")
    parser.add_argument("--quiet", action="store_true", help="print only what was lost and the last line")
    parser.add_argument("--update", action="store_true", help="record the newly proved ids")
    parser.add_argument("--proved", type=Path, default=PROVED, help="the record of proved ids")
    options = parser.parse_args(arguments)
    if not options.results.exists():
        print(f"No results in {options.results}: pytest --conformance {options.results} writes them.")
        return 1

    run = msgspec.json.decode(options.results.read_bytes(), type=Run)
    found = verdicts(run)
    proved = [verdict.rule for verdict in found if verdict.state == "proved"]
    if not options.quiet:
        print("\n".join(map(line, found)))

    status = 0
    if not run.finished:
        print("The run was broken off: it proves nothing and loses nothing.")
        status = 1
    elif not run.whole:
        print("Only part of the tests ran: nothing is recorded and no rule is called lost.")
    else:
        losses = lost(found, read_proved(options.proved))
        print("".join(f"LOST {loss}\n" for loss in losses), end="")
        status = 1 if losses else 0
        if options.update and not losses:
            new = add_proved(options.proved, proved)
            print(f"Newly recorded: {', '.join(new) or 'none'}")
    print(f"{len(proved)} of {len(found)} ids proved")
    return status


if __name__ == "__main__":
    sys.exit(main())
