#!/usr/bin/env python3
"""What the harness adds to a trial: `retrial run` beside `retrial_training trials`, which does the same training and
evaluation and nothing else. CPU seconds of everything that was started, in turn, medians.
  overhead.py BIN OUT.json
"""
import json, os, resource, statistics, subprocess, sys, tempfile

bin_folder, out = os.path.abspath(sys.argv[1]), sys.argv[2]
trials, rounds = 4, 5
pins = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2,STRICT", "OMP_WAIT_POLICY": "passive"}


def cpu(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **pins})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


pairs = []
with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
    for r in range(rounds):
        study = os.path.join(scratch, "study.toml")
        open(study, "w").write('schema = 1\nworkload = "distillation"\nseed = 1\n'
                               '[set]\nmethod = "ce"\nstudent = "cnn16"\nepochs = 12\n[variant.scratch]\n')
        pairs.append((cpu([bin_folder + "/retrial", "run", study, "--pairs", str(trials), "--jobs", "1", "--db",
                           os.path.join(scratch, f"{r}.db")]),
                      cpu([bin_folder + "/retrial_training", "trials", str(trials)])))
json.dump({"trials": trials, "harness": [a for a, _ in pairs], "bare": [b for _, b in pairs]}, open(out, "w"))
