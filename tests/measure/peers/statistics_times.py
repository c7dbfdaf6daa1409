#!/usr/bin/env python3
"""CPU seconds of the statistics of other tools, one thread, as one JSON object; run by the peers' own interpreter.
  statistics_times.py slow|quick|rliable      slow: what takes minutes; quick: the rest; rliable: its IQM alone
Each figure is the least of a few rounds: what a call takes when nothing else is in its way.
"""
import json, os, sys, time, warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
warnings.filterwarnings("ignore")
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(1)
part = sys.argv[1]
times = {"versions": {"scipy": scipy.__version__, "numpy": np.__version__}}


def least(name, call, rounds=3, repeats=1):
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeats):
            call()
        best = min(best, (time.process_time() - start) / repeats)
    times[name] = best


def of_rliable():
    import rliable
    from rliable import library, metrics
    times["versions"]["rliable"] = "1.2.0"
    x = rng.normal(0, 1, (5, 26))
    y = rng.normal(0, 1, (5, 26))
    least("rliable iqm 50000", lambda: library.get_interval_estimates(
        {"a": x}, lambda s: np.array([metrics.aggregate_iqm(s)]), reps=50_000), rounds=2)
    if part == "rliable":
        return
    least("rliable poi 2000", lambda: library.get_interval_estimates(
        {"a,b": (x, y)}, metrics.probability_of_improvement, reps=2_000), rounds=1)


def of_scipy():
    a, b = rng.normal(0, 1, 30), rng.normal(0, 1, 30)
    mean = lambda s, axis: s.mean(axis=axis)
    for method in ("percentile", "BCa"):
        least("scipy bootstrap mean " + method,
              lambda: stats.bootstrap((a,), mean, n_resamples=10_000, method=method, vectorized=True), rounds=5, repeats=3)
    least("scipy bootstrap own median", lambda: stats.bootstrap(
        (a,), lambda s: np.median(s), n_resamples=10_000, method="percentile", vectorized=False), rounds=2)
    least("scipy bootstrap own mean", lambda: stats.bootstrap(
        (a,), lambda s: s.mean(), n_resamples=10_000, method="percentile", vectorized=False), rounds=2)
    calls = {"test/paired_t": lambda: stats.ttest_rel(a, b), "test/welch": lambda: stats.ttest_ind(a, b, equal_var=False),
             "test/wilcoxon": lambda: stats.wilcoxon(a, b),
             "test/mann_whitney": lambda: stats.mannwhitneyu(a, b, method="exact"),
             "mann_whitney by a normal law": lambda: stats.mannwhitneyu(a, b),
             "test/brunner_munzel": lambda: stats.brunnermunzel(a, b), "test/sign": lambda: stats.binomtest(19, 30),
             "test/permutation": lambda: stats.permutation_test(
                 (a, b), lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis), n_resamples=1000, vectorized=True)}
    for name, call in calls.items():
        call()  # tables that are kept between calls
        least("scipy " + name, call, rounds=5, repeats=20)


def of_baycomp():
    from baycomp.multiple import SignedRankTest, SignTest
    times["versions"]["baycomp"] = "1.0.3"
    d, zero = rng.normal(.2, 1, 53), np.zeros(53)
    least("baycomp signed rank, rope", lambda: SignedRankTest.probs(d, zero, rope=.1), rounds=3)
    least("baycomp signed rank", lambda: SignedRankTest.probs(d, zero), rounds=3)


def of_deepsig():
    import deepsig
    times["versions"]["deepsig"] = "1.2.8"
    a, b = rng.normal(0, 1, 1000), rng.normal(0, 1, 1000)
    least("deepsig aso 1000", lambda: deepsig.aso(a, b, num_bootstrap_iterations=1000, show_progress=False, seed=1), rounds=1)


if part == "quick":
    of_scipy(), of_baycomp()
else:
    of_rliable()
if part == "slow":
    of_deepsig()
print(json.dumps(times))
