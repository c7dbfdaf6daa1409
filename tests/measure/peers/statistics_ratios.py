#!/usr/bin/env python3
"""What statistics cost beside other tools: CPU time, one thread, in turn round by round; the median of the ratios.
  statistics_ratios.py BUILD [ROUNDS]      BUILD: a build folder in which retrial_bench is built
The environments are made the first time (environment.py --make), from the pinned requirements.
"""
import json, os, statistics, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
slow_rounds = 2
unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def interpreter(name):
    return subprocess.run([sys.executable, os.path.join(here, "environment.py"), name, "--make"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def peer_times(python, part):
    run = subprocess.run([python, os.path.join(here, "statistics_times.py"), part], check=True, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout.splitlines()[-1])


def our_times(pattern):
    run = subprocess.run([os.path.join(build, "bin", "retrial_bench"), "--benchmark_filter=" + pattern,
                          "--benchmark_repetitions=3", "--benchmark_min_time=0.05", "--benchmark_format=json"],
                         check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    times = {}
    for row in json.loads(run.stdout)["benchmarks"]:
        if row.get("run_type") == "iteration":
            seconds = row["cpu_time"] * unit[row["time_unit"]]
            times[row["run_name"]] = min(seconds, times.get(row["run_name"], seconds))
    return times


def shown(seconds):
    for name, scale in reversed(unit.items()):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def in_turn(python, part, pattern, count):
    return [(our_times(pattern), peer_times(python, part)) for _ in range(count)]


def row(what, mine, their, turns, tool, target):
    ours, theirs = [a[mine] for a, _ in turns], [b[their] for _, b in turns]
    ratios = [y / x for x, y in zip(ours, theirs)]
    print(f"{what:42} {shown(statistics.median(ours)):>9} {shown(statistics.median(theirs)):>9} "
          f"{statistics.median(ratios):9.1f} {min(ratios):8.1f} to {max(ratios):7.1f}  {tool:18} {target}")


current, older = interpreter("statistics"), interpreter("scipy111")
slow = in_turn(current, "slow", "iqm_interval|improvement_5x26|aso_1000", slow_rounds)
old = in_turn(older, "rliable", "iqm_interval", slow_rounds)
quick = in_turn(current, "quick", "signed_rank_53|bootstrap_of|^test/|error_study|paired_interval", rounds)
print("load", os.getloadavg(), " peers", {**slow[0][1]["versions"], **quick[0][1]["versions"]}, " and", old[0][1]["versions"])
print(f"{'what':42} {'retrial':>9} {'peer':>9} {'ratio':>9} {'of rounds':>19}  {'peer':18} target")
row("IQM 5x26, 50,000 resamples", "iqm_interval", "rliable iqm 50000", slow, "rliable", ">= 100")
row("the same", "iqm_interval", "rliable iqm 50000", old, "rliable, SciPy 1.11", ">= 40")
row("probability of improvement, 2,000", "improvement_5x26", "rliable poi 2000", slow, "rliable", ">= 10,000")
row("almost stochastic order, n = 1,000", "aso_1000", "deepsig aso 1000", slow, "deep-significance", ">= 1,000")
row("signed ranks, 53 x 50,000, rope", "signed_rank_53", "baycomp signed rank, rope", quick, "baycomp", ">= 10, aim 20")
for name, method in (("percentile", "0"), ("BCa", "1")):
    row(f"{name} interval of a mean of 30, 10,000", f"bootstrap_of_a_mean/{method}", f"scipy bootstrap mean {name}", quick,
        "SciPy, vectorised", ">= 2, aim 4")
row("the same, a statistic of one's own: mean", "bootstrap_of_own_mean", "scipy bootstrap own mean", quick, "SciPy", ">= 50")
row("the same: median", "bootstrap_of_a_median", "scipy bootstrap own median", quick, "SciPy", ">= 50")
for name in sorted(quick[0][1]):
    if name.startswith("scipy test/"):
        test = name.removeprefix("scipy ")
        target = "" if test == "test/permutation" else ">= 100"
        row(test.removeprefix("test/") + (", 1,000 draws" if not target else ", 30 runs"), test, name, quick, "SciPy", target)
row("mann_whitney exact, theirs by a normal law", "test/mann_whitney", "scipy mann_whitney by a normal law", quick, "SciPy", "")
for what, name, target in (("interval of P(A > B) of pairs", "paired_interval", "<= 1 us"),
                           ("error rates of the paper, 13 points", "error_study", "<= 1 s")):
    print(f"{what:42} {shown(statistics.median(a[name] for a, _ in quick)):>9} {'':>9} {'':>9} {'':>19}  {'':18} {target}")
