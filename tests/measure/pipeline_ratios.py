#!/usr/bin/env python3
"""Workload pipeline against itself and against a loop of LibTorch operators; ratios of one run, both sides in turn.
  pipeline_ratios.py BUILD [ROUNDS]   BUILD: a build folder with retrial, retrial-worker, retrial_pipeline, retrial_pipeline_loop
Threads are measured by wall time: on a busy machine two of them show nothing. Exit 1 if a row misses its target.
"""
import json, os, resource, statistics, subprocess, sys, tempfile

build = os.path.abspath(sys.argv[1]) + "/bin/"
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
missed = 0


def output(program, *words):
    return json.loads(subprocess.run([build + program, *map(str, words)], check=True, text=True, stdout=subprocess.PIPE).stdout)


def rate(**keys):
    return output("retrial_pipeline", "rate", "samples=16384", *(f"{key}={value}" for key, value in keys.items()))


def row(what, values, target, holds):
    global missed
    median = statistics.median(values)
    missed += not holds(median)
    spread = f"({min(values):.3g} to {max(values):.3g})" if len(values) > 1 else ""
    print(f"{'ok ' if holds(median) else 'BAD'}  {what:66} {median:8.3f} {spread:20} {target}", flush=True)
    return median


print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} CPUs")
pb = {"delay": "pb", "semantics": "inconsistent"}
one, two, guard = [], [], []
for _ in range(rounds):
    tick, single = rate(**pb), rate(**pb, executor="threads_fixed", workers=1)
    double, off = rate(**pb, executor="threads_fixed", workers=2), rate(**pb, guard="off")
    assert tick["digest"] == single["digest"] == double["digest"] == off["digest"]
    one.append(tick["wall_s"] / single["wall_s"])
    two.append(tick["wall_s"] / double["wall_s"])
    stashed, unguarded = (rate(delay="pb", semantics="stashed", guard=guard)["cpu_s"] for guard in ("version", "off"))
    guard.append(stashed / unguarded)
row("one worker of threads_fixed, speed against tick", one, ">= .9", lambda x: x >= .9)
row("two workers, speed against tick", two, ">= 1.5 on two idle cores", lambda x: x >= 1.5)
row("guard = version, CPU time against off (stashed)", guard, "<= 1.03", lambda x: x <= 1.03)

variants, pairs = ["seq", "pb", "pb-stash", "pb-sc", "pb-lwp", "pb-lwp-sc"], 32
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/six.toml", "w", encoding="utf-8") as file:
        file.write(f'schema = 1\nname = "six"\nworkload = "pipeline"\nseed = 1\npairs = {pairs}\n' +
                   "".join(f"[variant.{name}]\n" for name in variants) +
                   '[compare]\nmetric = "accuracy"\nbaseline = "seq"\ncandidate = "pb"\n')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([build + "retrial", "run", "six.toml"], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    study = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    loops = [output("retrial_pipeline_loop", 4096) for _ in range(3)]
    loop = statistics.median(one["cpu_s"] / one["samples"] for one in loops) * 16384 * len(variants) * pairs
    row(f"{len(variants)} variants x {pairs} pairs, CPU-seconds", [study], "< 60", lambda x: x < 60)
    row("the same in a loop of LibTorch operators, times the CPU time", [loop / study], ">= 8", lambda x: x >= 8)
sys.exit(missed > 0)
