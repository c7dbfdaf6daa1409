#!/usr/bin/env python3
"""Differences that were measured by other means, beside those of the scores kept in docs/measurements/NAME.scores.csv.

    experiments.py ROOT RETRIAL             a mean that is outside: exit 1
    experiments.py ROOT RETRIAL --planted   the control: each mean moved by two points, and each must be outside

A and B were run before these studies, with 8 to 10 pairs each: A on 150 rows by a reimplementation in Python (PyTorch, NumPy), from
the specifications alone; the others by an earlier commit of this program with other root seeds (A) or the first pairs of the same (B).
The mean of a study is to be within their 95 % interval: mean -+ 2.26 standard errors where those were given.
"""
import csv
import sys
from pathlib import Path

EXPERIMENTS = [  # study, candidate, baseline, interval in percentage points
    ("distill-equal-150", "kd", "scratch", (1.10 - 0.78, 1.10 + 0.78)),
    ("distill-equal-500", "kd", "scratch", (0.34, 1.12)),
    ("distill-equal-1000", "kd", "scratch", (-0.47, 0.35)),
    ("distill-budget", "kd-aug", "kd", (1.54 - 2.26 * 0.22, 1.54 + 2.26 * 0.22)),
    ("distill-budget", "kd-80", "kd", (0.34 - 2.26 * 0.11, 0.34 + 2.26 * 0.11)),
    ("distill-budget", "kd-aug-1", "kd", (1.27 - 2.26 * 0.25, 1.27 + 2.26 * 0.25)),
]


def mean_difference(table, candidate, baseline):
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "accuracy"]
    scores = {(row["variant"], row["pair"]): float(row["score"]) for row in rows}
    pairs = sorted({row["pair"] for row in rows})
    return sum(scores[candidate, pair] - scores[baseline, pair] for pair in pairs) / len(pairs)


def main(root, _, *options):
    planted, wrong = options == ("--planted",), 0
    for study, candidate, baseline, (low, high) in EXPERIMENTS:
        mean = mean_difference(Path(root) / "docs" / "measurements" / f"{study}.scores.csv", candidate, baseline) + 2 * planted
        inside = low <= mean <= high
        wrong += inside == planted
        print(f"{study}: {candidate} - {baseline} {mean:+.2f}, elsewhere [{low:.2f}, {high:.2f}]{'' if inside else ': outside'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
