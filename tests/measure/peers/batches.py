#!/usr/bin/env python3
"""Steps per CPU-second of 1,024 CartPoles at a time: EnvPool with one thread, Gymnasium's own NumPy batch, and ours.
  batches.py BENCH [ROUNDS]     BENCH: the program retrial_bench; run by the environment `envpool` (environment.py envpool --make)
In turn, round by round; medians. The actions are the same throughout, and all three spend the step after an end on a reset.
CPU time is that of all threads of the process: EnvPool steps in a thread of its own.
"""
import json, os, statistics, subprocess, sys, time, warnings

warnings.filterwarnings("ignore")
os.environ["OMP_NUM_THREADS"] = "1"

import envpool, gymnasium, numpy as np

COUNT, SECONDS = 1024, 1.0
ACTIONS = np.arange(COUNT) % 2


def rate(step):
    """Steps per CPU-second of calls of `step`, each of which steps all."""
    for _ in range(50):
        step()
    calls, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        for _ in range(20):
            step()
        calls += 20
    return calls * COUNT / spent


def envpool_rate():
    batch = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=COUNT, num_threads=1)
    batch.reset()
    actions = ACTIONS.astype(np.int32)
    return rate(lambda: batch.step(actions))


def gymnasium_rate():
    batch = gymnasium.make_vec("CartPole-v1", num_envs=COUNT, vectorization_mode="vector_entry_point")
    batch.reset(seed=1)
    return rate(lambda: batch.step(ACTIONS))


def our_rate(program):
    run = subprocess.run([program, "--benchmark_filter=^batch/threads:1/", f"--benchmark_min_time={SECONDS}", "--benchmark_format=json"],
                         check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found, = json.loads(run.stdout)["benchmarks"]
    assert found["time_unit"] == "ns"
    return COUNT / (found["cpu_time"] * 1e-9)


def main(program, rounds="5"):
    print(f"EnvPool {envpool.__version__}, gymnasium {gymnasium.__version__}, numpy {np.__version__}")
    turns = [(our_rate(program), envpool_rate(), gymnasium_rate()) for _ in range(int(rounds))]
    medians = [statistics.median(side) for side in zip(*turns)]
    for place, name in enumerate(("ours", "EnvPool, one thread", "Gymnasium's NumPy batch")):
        ratios = [turn[0] / turn[place] for turn in turns]
        beside = f"  ours is {statistics.median(ratios):5.2f} x, of rounds {min(ratios):5.2f} to {max(ratios):5.2f}" if place else ""
        print(f"{name:24} {medians[place] / 1e6:7.2f} M steps per CPU-second{beside}")


if __name__ == "__main__":
    main(*sys.argv[1:])
