#!/usr/bin/env python3
"""Runs retrial and its peers in turn, in one run, and prints the ratios of their medians.
  run.py BUILD [ROUNDS]      BUILD: a build folder in which retrial_training and retrial_store_runs are built
A Python environment with the peers, pinned in requirements/peers.txt, is made under .deps/peers the first time (several GB).
"""
import json, os, statistics, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(os.path.dirname(here)))
build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
python = os.path.join(root, ".deps", "peers", "bin", "python")
# The pins of kernel mode `deterministic`, for both sides.
pins = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2,STRICT", "OMP_WAIT_POLICY": "passive"}


def environment():
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", os.path.join(root, ".deps", "peers")], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", os.path.join(here, "requirements", "peers.txt")], check=True)
    versions = "import torch, numpy, mlflow, sqlalchemy; " \
               "print('PyTorch', torch.__version__, ' MLflow', mlflow.__version__, ' SQLAlchemy', sqlalchemy.__version__)"
    print(subprocess.run([python, "-c", versions], check=True, text=True, stdout=subprocess.PIPE).stdout.strip())


def told(words):
    run = subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         env={**os.environ, **pins})
    return json.loads(run.stdout.splitlines()[-1])


def in_turn(ours, theirs):
    """Both sides, round by round, so that a busy machine is busy for both."""
    pairs = [(told(ours()), told(theirs())) for _ in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def row(what, unit, ours, theirs, ratios, target):
    ratio = statistics.median(ratios)
    print(f"{what:34} {ours:12.1f} {theirs:12.1f} {unit:14} {ratio:8.2f}  {min(ratios):7.2f} to {max(ratios):6.2f}  {target}")


def training():
    for model, channels, side, batch, rows, epochs, target in (
            ("mlp:32", 1, 8, 32, 1000, 60, ">= 1.8"), ("cnn16", 1, 8, 32, 1000, 5, ">= 1"),
            ("resnet8b", 3, 16, 128, 1024, 3, ">= 1"), ("resnet20b", 3, 16, 128, 1024, 2, ">= 1"),
            ("resnet8b", 3, 32, 128, 512, 2, ">= 1")):
        words = [model, *map(str, (channels, side, batch, rows, epochs))]
        ours, theirs = in_turn(lambda: [build + "/bin/retrial_training", "rate", *words],
                               lambda: [python, here + "/training.py", *words])
        a, b = ([one["images"] / one["cpu_s"] for one in side_] for side_ in (ours, theirs))
        row(f"train {model} {side}x{side}, batch {batch}", "images/CPU-s", statistics.median(a), statistics.median(b),
            [x / y for x, y in zip(a, b)], target)


def store(rounds):
    """1,000 runs of ten metrics: ours one by one and 64 to a commit, MLflow's; wall time on a file system in memory."""
    def ours(group):
        return told([build + "/bin/retrial_store_runs", "1000", tempfile.mkdtemp(dir=scratch), str(group)])

    turns = [(ours(1), ours(64), told([python, here + "/mlflow_runs.py", "1000", tempfile.mkdtemp(dir=scratch)]))
             for _ in range(rounds)]
    for place, group in ((0, 1), (1, 64)):
        for key, name in (("wall_s", "wall"), ("cpu_s", "CPU")):
            row(f"1,000 runs, {group} a commit, {name}", "runs/s",
                statistics.median(1000 / turn[place][key] for turn in turns),
                statistics.median(1000 / turn[2][key] for turn in turns),
                [turn[2][key] / turn[place][key] for turn in turns], ">= 50")


environment()
print(f"{'':34} {'retrial':>12} {'peer':>12} {'':14} {'ratio':>8}  {'of rounds':>17}  target")
training()
# In memory, so that neither side waits for a disk: MLflow syncs several times a run, the store once.
with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
    store(min(rounds, 3))
