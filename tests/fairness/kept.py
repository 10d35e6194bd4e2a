"""The run that docs/play/rng-test.txt keeps, made again: `python -m tests.fairness.kept`, a million shoes in about two minutes."""

from __future__ import annotations

import re
from pathlib import Path

from sabot.fairness.uniform import judge_pairs, judge_places, tally_shoes

KEPT = (Path(__file__).parents[2] / "docs" / "play" / "rng-test.txt").read_text("utf-8")


def main() -> None:
    """The shoes are uniform by both tests, with the very numbers kept beside the battery of the same stream."""
    tally = tally_shoes(1_000_000, 6, "sabot")
    for name, verdict in (("card by position", judge_places(tally)), ("neighbours", judge_pairs(tally))):
        assert 1e-6 < verdict.p < 1 - 1e-6
        assert re.search(rf"^{name} +{verdict.chi_square:.1f} +{verdict.freedom} ", KEPT, re.MULTILINE)
        print(f"{name}: chi-square {verdict.chi_square:.1f}, p {verdict.p:.4f}, as kept")


if __name__ == "__main__":
    main()
