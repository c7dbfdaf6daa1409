#!/usr/bin/env python3
"""Differences that were measured by other means, beside those of the scores kept in docs/measurements/NAME.scores.csv.

    experiments.py ROOT RETRIAL             a mean outside of the interval that was measured before: exit 1
    experiments.py ROOT RETRIAL --planted   the control: each mean moved by two points, and each must be outside

They were measured before these studies, with 8 to 10 pairs each: 150 rows by a reimplementation in Python (PyTorch, NumPy), from the
specifications alone; the others by an earlier commit of this program, with the first pairs of the same seeds. Budgets were kept as
standard errors: the half width of a 95 % interval of 10 pairs is 2.26 of them.
"""
import csv
import statistics
import sys
from pathlib import Path

EXPERIMENTS = [  # study, candidate, baseline, 95 % interval in percentage points
    ("distill-equal-150", "kd", "scratch", 1.10 - 0.78, 1.10 + 0.78),
    ("distill-half", "kd", "scratch", 0.34, 1.12),
    ("distill-equal-1000", "kd", "scratch", -0.47, 0.35),
    ("distill-budget", "kd-aug", "kd", 1.54 - 2.26 * 0.22, 1.54 + 2.26 * 0.22),
    ("distill-budget", "kd-80", "kd", 0.34 - 2.26 * 0.11, 0.34 + 2.26 * 0.11),
    ("distill-budget", "kd-aug-1", "kd", 1.27 - 2.26 * 0.25, 1.27 + 2.26 * 0.25),
]


def mean_difference(table, candidate, baseline):
    """Mean over the pairs of a table of scores."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "accuracy"]
    scores = {(row["variant"], row["pair"]): float(row["score"]) for row in rows}
    return statistics.fmean(scores[candidate, pair] - scores[baseline, pair] for pair in sorted({row["pair"] for row in rows}))


def main(root, _, *options):
    planted, wrong = options == ("--planted",), 0
    for study, candidate, baseline, low, high in EXPERIMENTS:
        mean = mean_difference(Path(root) / "docs" / "measurements" / f"{study}.scores.csv", candidate, baseline) + 2 * planted
        inside = low <= mean <= high
        wrong += inside == planted
        print(f"{study}: {candidate} - {baseline} {mean:+.2f}, measured before [{low:.2f}, {high:.2f}]" + ("" if inside else ": outside"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
