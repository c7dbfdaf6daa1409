#!/usr/bin/env python3
"""Differences that were measured by other means, beside those of the scores kept in docs/measurements/NAME.scores.csv.

    experiments.py ROOT RETRIAL             a mean that differs: exit 1
    experiments.py ROOT RETRIAL --planted   the control: each mean moved by two points, and each must differ

A and B were run before these studies, with 8 to 10 pairs each: A on 150 rows by a reimplementation in Python (PyTorch, NumPy), from
the specifications alone; on 500 rows by an earlier commit of this program with other divisions (permuted, half of the rows for
validation), and the others with the first pairs of the same seeds. Both means have errors, so they agree where their difference is
within 1.96 of its standard errors; the half width of a 95 % interval of 10 pairs is 2.26 standard errors, of 8 pairs 2.36.
"""
import csv
import statistics
import sys
from pathlib import Path

EXPERIMENTS = [  # study, candidate, baseline, mean and standard error in percentage points
    ("distill-equal-150", "kd", "scratch", 1.10, 0.78 / 2.26),
    ("distill-equal-500", "kd", "scratch", 0.73, 0.39 / 2.26),
    ("distill-equal-1000", "kd", "scratch", -0.06, 0.41 / 2.36),
    ("distill-budget", "kd-aug", "kd", 1.54, 0.22),
    ("distill-budget", "kd-80", "kd", 0.34, 0.11),
    ("distill-budget", "kd-aug-1", "kd", 1.27, 0.25),
]


def mean_difference(table, candidate, baseline):
    """Mean of the pairs and its standard error."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "accuracy"]
    scores = {(row["variant"], row["pair"]): float(row["score"]) for row in rows}
    pairs = sorted({row["pair"] for row in rows})
    differences = [scores[candidate, pair] - scores[baseline, pair] for pair in pairs]
    return statistics.fmean(differences), statistics.stdev(differences) / len(pairs)**0.5


def main(root, _, *options):
    planted, wrong = options == ("--planted",), 0
    for study, candidate, baseline, elsewhere, error in EXPERIMENTS:
        mean, own_error = mean_difference(Path(root) / "docs" / "measurements" / f"{study}.scores.csv", candidate, baseline)
        mean += 2 * planted
        agrees = abs(mean - elsewhere) <= 1.96 * (error**2 + own_error**2)**0.5
        wrong += agrees == planted
        print(f"{study}: {candidate} - {baseline} {mean:+.2f} (se {own_error:.2f}), elsewhere {elsewhere:+.2f} (se {error:.2f})"
              + ("" if agrees else ": they differ"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
