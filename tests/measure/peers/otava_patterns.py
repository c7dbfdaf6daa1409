#!/usr/bin/env python3
"""Change points of retrial history beside those of Apache Otava, on Otava's own patterns of test data.

    otava_patterns.py RETRIAL_PROGRAM        (environment.py otava --make)

Both run the windowed recipe; ours divides by n - 1 and tests both neighbors again after a removal (docs/history.md), so the
points may differ by design. Agreement is asserted where theory has an answer: none in a constant, the step in a step.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

from otava.analysis import compute_change_points
from otava_test_data import generators

retrial = os.path.abspath(sys.argv[1])
seed = 7
patterns = {
    "constant": generators.constant(120, seed=seed),
    "normal noise": generators.noise_normal(120, seed=seed),
    "uniform noise": generators.noise_uniform(120, seed=seed),
    "one outlier": generators.outlier(120, seed=seed),
    "step": generators.step_function(120, seed=seed),
    "regression and fix": generators.regression_fix(120, seed=seed),
    "banding": generators.banding(120, seed=seed),
    "variance change": generators.variance_change(120, seed=seed),
    "phase change": generators.phase_change(120, seed=seed),
    "several changes": generators.multiple_changes(120, seed=seed),
}


def ours(values, folder):
    path = os.path.join(folder, "h.csv")
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["commit", "time"])
        rows.writerows([f"c{i}", repr(float(v))] for i, v in enumerate(values))
    done = subprocess.run([retrial, "history", "--scores", path, "--columns", "variant=commit,score=time", "--lower", "--json"],
                          capture_output=True, text=True, check=True)
    points = json.loads(done.stdout)["series"][0]["points"]
    return [i for i, p in enumerate(points) if p["change_point"]], [i for i, p in enumerate(points) if p["stands_out"]]


failures = 0
print(f"{'pattern':20} {'true':>18} {'Otava':>18} {'change points':>18} {'stands out':>18}")
with tempfile.TemporaryDirectory() as scratch:
    for name, series in patterns.items():
        true = series.get_change_point_indices()
        theirs = [p.index for p in compute_change_points(list(map(float, series.data)))[0]]
        mine, steps = ours(series.data, scratch)
        show = [str(x).strip("[]").replace(" ", "") or "-" for x in (true, theirs, mine, steps)]
        print(f"{name:20} " + " ".join(f"{x:>18}" for x in show))
        if name == "constant" and (mine or steps or theirs):
            failures += 1
        if name == "step" and not (mine and abs(mine[0] - true[0]) <= 2):
            failures += 1
print(f"{failures} failed")
sys.exit(1 if failures else 0)
