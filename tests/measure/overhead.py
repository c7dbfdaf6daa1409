#!/usr/bin/env python3
"""What the harness adds to a trial: `retrial run` beside `retrial_training trials`, which does the same training and
evaluation and nothing else, in CPU seconds of everything that was started. Both run at once on one core: the kernel
gives each some milliseconds in turn, so that what disturbs one disturbs the other (one after the other, the ratio went
from .90 to 1.19 on a shared machine). The bare loop beside itself shows what is left of the noise.
  overhead.py BIN OUT.json
"""
import json, os, sys, tempfile

bin_folder, out = os.path.abspath(sys.argv[1]), sys.argv[2]
trials, rounds = 4, 7
pins = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2,STRICT", "OMP_WAIT_POLICY": "passive"}
study_text = """schema = 1
workload = "distillation"
seed = 1
[set]
method = "ce"
student = "cnn16"
epochs = 12
[variant.scratch]
"""


def start(words):
    """CPU time of children reaches their parent when it waits for them, so `run` counts its worker."""
    child = os.fork()
    if child:
        return child
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.execve(words[0], words, {**os.environ, **pins})


def side_by_side(first, second):
    """CPU seconds of two commands started together; raises where one fails."""
    spent = {}
    order = [start(first), start(second)]
    for _ in order:
        child, status, usage = os.wait4(-1, 0)
        if status:
            sys.exit(f"overhead.py: a command ended with {os.waitstatus_to_exitcode(status)}")
        spent[child] = usage.ru_utime + usage.ru_stime
    return [spent[child] for child in order]


bare = [bin_folder + "/retrial_training", "trials", str(trials)]
pairs, null = [], []
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
    study = os.path.join(scratch, "study.toml")
    open(study, "w").write(study_text)
    for r in range(rounds):
        harness = [bin_folder + "/retrial", "run", study, "--pairs", str(trials), "--jobs", "1", "--db",
                   os.path.join(scratch, f"{r}.db")]
        # Who starts first is also who ends first: in turn.
        pairs.append(side_by_side(harness, bare) if r % 2 else side_by_side(bare, harness)[::-1])
        null.append(side_by_side(bare, bare))
json.dump({"trials": trials, "harness": [a for a, _ in pairs], "bare": [b for _, b in pairs],
           "null": [a / b for a, b in null]}, open(out, "w"))
