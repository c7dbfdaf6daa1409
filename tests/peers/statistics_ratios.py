#!/usr/bin/env python3
"""What statistics cost beside other tools: CPU time, one thread, both sides in one run.
  statistics_ratios.py BUILD      BUILD: a build folder in which retrial_bench is built
The environments are made the first time (environment.py --make), from the pinned requirements.
"""
import json, os, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(sys.argv[1])


def peer_times(name, *words):
    python = subprocess.run([sys.executable, os.path.join(here, "environment.py"), name, "--make"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.strip()
    run = subprocess.run([python, os.path.join(here, "statistics_times.py"), *words], check=True, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout.splitlines()[-1])


def our_times():
    pattern = "iqm_interval|improvement_5x26|aso_1000|signed_rank_53|bootstrap_of|^test/|error_study|paired_interval"
    run = subprocess.run([os.path.join(build, "bin", "retrial_bench"), "--benchmark_filter=" + pattern,
                          "--benchmark_repetitions=5", "--benchmark_min_time=0.1", "--benchmark_format=json"],
                         check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    times = {}
    for row in json.loads(run.stdout)["benchmarks"]:
        if row.get("run_type") == "iteration":
            seconds = row["cpu_time"] * unit[row["time_unit"]]
            times[row["run_name"]] = min(seconds, times.get(row["run_name"], seconds))
    return times


def shown(seconds):
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


ours, theirs, older = our_times(), peer_times("statistics"), peer_times("scipy111", "rliable-only")
print("load", os.getloadavg(), " peers", theirs["versions"], " and", older["versions"])
rows = [
    ("IQM 5x26, 50,000 resamples", "iqm_interval", theirs["rliable iqm 50000"], "rliable", 100),
    ("the same", "iqm_interval", older["rliable iqm 50000"], "rliable, SciPy 1.11", 40),
    ("probability of improvement, 2,000", "improvement_5x26", theirs["rliable poi 2000"], "rliable", 10_000),
    ("almost stochastic order, n = 1,000", "aso_1000", theirs["deepsig aso 1000"], "deep-significance", 1_000),
    ("signed ranks, 53 x 50,000, rope", "signed_rank_53", theirs["baycomp signed rank, rope"], "baycomp", 10),
    ("percentile interval of a mean", "bootstrap_of_a_mean/0", theirs["scipy bootstrap mean percentile"], "SciPy", 2),
    ("BCa interval of a mean", "bootstrap_of_a_mean/1", theirs["scipy bootstrap mean BCa"], "SciPy", 2),
    ("bootstrap of one's own statistic, a mean", "bootstrap_of_own_mean", theirs["scipy bootstrap own mean"], "SciPy", 50),
    ("the same, a median", "bootstrap_of_a_median", theirs["scipy bootstrap own median"], "SciPy", 50),
]
for name in sorted(theirs):
    if name.startswith("scipy test/"):
        test = name.removeprefix("scipy ")
        rows.append((test.removeprefix("test/"), test, theirs[name], "SciPy", 100))
rows.append(("Mann-Whitney, exact, beside a normal law", "test/mann_whitney", theirs["scipy mann_whitney by a normal law"],
             "SciPy", 100))
print(f"{'what':44} {'retrial':>10} {'peer':>10} {'ratio':>9}  {'peer':22} target")
for what, mine, peer, tool, target in rows:
    print(f"{what:44} {shown(ours[mine]):>10} {shown(peer):>10} {peer / ours[mine]:9.1f}  {tool:22} >= {target:,}")
print(f"{'interval of P(A > B) of pairs':44} {shown(ours['paired_interval']):>10} {'':>10} {'':>9}  {'':22} <= 1 us")
print(f"{'error rates of the paper, 13 points':44} {shown(ours['error_study']):>10} {'':>10} {'':>9}  {'':22} <= 1 s")
