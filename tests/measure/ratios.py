#!/usr/bin/env python3
"""Reads Google Benchmark's JSON and prints the rows of docs/performance.md: ours, the peer, their ratio, the target.
  ratios.py BENCH.json OVERHEAD.json DISTILLATION.json PRUNING.json
"""
import json, statistics, sys

bench = json.load(open(sys.argv[1]))
overhead = json.load(open(sys.argv[2]))
distillation = json.load(open(sys.argv[3]))
pruning = json.load(open(sys.argv[4]))
seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def medians():
    found = {}
    for row in bench["benchmarks"]:
        if row.get("run_type") == "aggregate" and row["aggregate_name"] == "median":
            found[row["run_name"].removesuffix("/real_time").removesuffix("/iterations:1")
                  .removesuffix("/iterations:1/real_time")] = row
    return found


rows = medians()


def value(name, key):
    row = rows.get(name)
    if row is None:
        return None
    return row["real_time"] * seconds[row["time_unit"]] if key == "s" else row[key]


def line(what, ours, theirs, unit, ratio, target):
    shown = lambda x: "-" if x is None else f"{x:.4g}"
    print(f"{what:52} {shown(ours):>11} {shown(theirs):>11} {unit:10} {shown(ratio):>9}  {target}")


def against(what, ours, theirs, key, unit, scale, target, inverse=False, difference=False):
    a, b = value(ours, key), value(theirs, key) if theirs else None
    if a is None:
        return line(what, None, None, unit, None, "not measured")
    ratio = None if b is None else (a - b) * scale if difference else b / a if inverse else a / b
    line(what, a * scale, None if b is None else b * scale, unit, ratio, target)


context = bench["context"]
print(f"{context['date']}  {context['num_cpus']} CPUs at {context['mhz_per_cpu']} MHz, load {context['load_avg']}, "
      f"benchmark {context['library_build_type']}")
print(f"{'':52} {'retrial':>11} {'peer':>11} {'unit':10} {'ratio':>9}  target")
empty = "start of an empty program"
for name in ("--version", "list", "list models", "list data", "plan"):
    against(f"start: retrial {name} / empty program", f"start of retrial {name}", empty, "s", "ms", 1e3, "< 50 ms")
against("null trial (fsync excluded)", "null trials", None, "s/trial", "ms", 1e3, "< 1 ms")
against("command trial - bare program (ratio: difference)", "command trials", "bare commands", "s/trial", "ms", 1e3,
        "< 5 ms more", difference=True)
against("show of 100,000 trials / bare SQL", "retrial show of 100,000 trials", "bare SQL over 100,000 trials", "s", "s",
        1, "< 0.2 s")
against("status of 100,000 trials", "retrial status of 100,000 trials", None, "s", "s", 1, "")
ratios = [a / b for a, b in zip(overhead["harness"], overhead["bare"])]
line("training trial of the harness / bare loop", statistics.median(overhead["harness"]) / overhead["trials"],
     statistics.median(overhead["bare"]) / overhead["trials"], "CPU-s", statistics.median(ratios),
     f"< 1.01  ({min(ratios):.4f} to {max(ratios):.4f}; "
     f"bare beside bare {min(overhead['null']):.4f} to {max(overhead['null']):.4f})")
for group in (1, 64, 1000):
    against(f"store rows / raw SQLite loop, commit of {group}", f"store_append/{group}", f"raw_loop/{group}", "rows/s",
            "rows/s", 1, ">= 0.6")
against("psum2, 256 MiB / plain sum", "psum2/268435456", "plain sum/268435456", "bytes_per_second", "B/s", 1, ">= 0.35")
against("Philox block / Random123", "philox_block", "random123_block", "items_per_second", "blocks/s", 1, ">= 0.9")
against("paired P(A>B) interval", "paired_interval", None, "s", "us", 1e6, "<= 1 us")
loaded, hashed, copied, program = (value(name, "s") for name in ("load/hash:0", "load/hash:1", "copy", "sha256sum"))
if loaded and copied:
    line("CIFAR-10, verify = size / a copy of the bytes", loaded * 1e3, copied * 1e3, "ms", loaded / copied, "<= 2")
if hashed and program:
    line("what verify = full adds / sha256sum", (hashed - loaded) * 1e3, program * 1e3, "ms",
         (hashed - loaded) / program, "<= 3")
targets = {"training": ">= 0.95", "soft": "<= 1.10", "dkd": "<= 2", "rkd": "<= 0.25", "crop_flip": "<= 0.05",
           "autoaugment": "<= 0.30"}
for what, row in distillation.items():
    training = what.startswith("training")
    ratios = [b / a if training else a / b for a, b in zip(row["ours"], row["peer"])]
    line(what + (" / bare LibTorch" if training else ""), statistics.median(row["ours"]) * 1e6,
         statistics.median(row["peer"]) * 1e6, "CPU-us", statistics.median(ratios),
         f"{targets[what.split()[0]]}  ({min(ratios):.3g} to {max(ratios):.3g})")


def in_turn(what, row, unit, scale, target, excess=False):
    line(what, row["ours_s"] * scale, row["peer_s"] * scale, unit, row["ratio"] - (1 if excess else 0), target)


in_turn("pruning: panel of tier 0 / bare LibTorch loop", pruning["panel"], "CPU-s", 1, "<= 1.25")
in_turn("pruning: masks, more of an mlp:128,64 step", pruning["masks"]["mlp"], "CPU-s", 1, "<= .08", excess=True)
in_turn("pruning: masks, more of a resnet8b step", pruning["masks"]["resnet8b"], "CPU-s", 1, "<= .02", excess=True)
against("pruning: best of a million / nth_element", "best_of_a_million", "nth_element_of_a_million", "s", "ms", 1e3,
        "<= 1.5")
one, two = value("portable_set/threads:1", "s"), value("portable_set/threads:2", "s")
line("corruptions: efficiency of 2 threads", two, one, "s", one / two / 2 if one and two else None, ">= .85")
against("corruptions: Poisson by adding up / by tables", "poisson_by_tables", "poisson_sequential", "s", "ns", 1e9,
        ">= 20", inverse=True)
for name, row in pruning["shrunken"].items():
    line(f"pruning: dense / shrunken {name}, PR {row['pr']:.3f}", row["pruned_ms"], row["dense_ms"], "ms",
         row["latency_ratio"], f">= 1.5 (MACs {row['macs_ratio']:.2f})")
in_turn(f"pruning: {pruning['denormals']['subnormal']} subnormal weights kept / flushed", pruning["denormals"], "CPU-s", 1,
        "shown")
