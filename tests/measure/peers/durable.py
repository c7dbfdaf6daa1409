#!/usr/bin/env python3
"""What an evaluation costs until a killed process cannot lose it: ours with a state kept every second and the trial stored, Optuna's
with SQLite and with its journal file, on one disk.
  durable.py RETRIAL     run by the interpreter of Optuna's environment (environment.py optuna --make)
Wall-clock microseconds of an evaluation of a function in ten dimensions that costs nothing; three runs of each, in turn.
"""
import os, subprocess, sys, tempfile, time

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)
retrial = os.path.abspath(sys.argv[1])
FEW, MANY, PEER = 100, 20_100, 100


def theirs(storage):
    study = optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler(seed=1))
    before = time.perf_counter()
    study.optimize(lambda trial: sum(trial.suggest_float(f"x{i}", 0, 1) for i in range(10)), n_trials=PEER)
    return (time.perf_counter() - before) * 1e6 / PEER


def search(folder, evaluations):
    line = [retrial, "run", "automl", "--set", "searcher=flow2", "--set", "problem=function:ackley/10", "--set", "dead_region=0", "--set",
            f"budget_evaluations={evaluations}", "--pairs", "1", "--seed", "3", "--keep-every", "1", "--db", f"{evaluations}.db"]
    before = time.perf_counter()
    subprocess.run(line, cwd=folder, check=True, capture_output=True)
    return (time.perf_counter() - before) * 1e6


def ours(folder):
    """Two searches of a study, less the start of the program and of a worker."""
    return (search(folder, MANY) - search(folder, FEW)) / (2 * (MANY - FEW))


rows = {"retrial": [], "Optuna, SQLite": [], "Optuna, journal file": []}
for _ in range(3):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        rows["retrial"].append(ours(folder))
        rows["Optuna, SQLite"].append(theirs(f"sqlite:///{folder}/optuna.db"))
        journal = optuna.storages.journal.JournalFileBackend(f"{folder}/journal.log")
        rows["Optuna, journal file"].append(theirs(optuna.storages.JournalStorage(journal)))
mine = sorted(rows["retrial"])[1]
for name, times in rows.items():
    print(f"{name:22} {sorted(times)[1]:10.1f} us ({min(times):.1f} to {max(times):.1f})  {sorted(times)[1] / mine:8.1f} x")
