#!/usr/bin/env python3
"""What kernel mode `portable` costs against `deterministic`, as ratios of CPU times of one run, one thread.
  portable.py BUILD [ROUNDS]   BUILD: a build folder in which retrial_training and retrial_products are built
Both modes in turn, each in a process of its own, because their variables are read when a process starts; the order
within a round alternates. The spread is that of the ratios of rounds.
"""
import json, os, statistics, subprocess, sys

build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
training, products = (f"{build}/bin/retrial_{name}" for name in ("training", "products"))
networks = (("mlp:32", 1, 8, 32, 1000, 60, 2), ("cnn16", 1, 8, 32, 1000, 3, 1.25),
            ("resnet8b", 3, 16, 128, 512, 2, 1.25), ("resnet20b", 3, 16, 128, 512, 1, 1.25),
            ("resnet8b", 3, 32, 128, 256, 1, 1.25))


def told(mode, words):
    variables = json.loads(subprocess.run([training, "variables", mode], check=True, text=True,
                                          stdout=subprocess.PIPE).stdout)
    return json.loads(subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     env={**os.environ, **variables}).stdout)


def row(what, unit, portable, other, ratios, target):
    print(f"{what:38} {statistics.median(portable):10.2f} {statistics.median(other):13.2f} {unit:8} "
          f"{statistics.median(ratios):6.2f}  ({min(ratios):.2f} to {max(ratios):.2f})  {target}".rstrip())


def steps():
    for model, channels, side, batch, rows, epochs, target in networks:
        spent = {"portable": [], "deterministic": []}
        for turn in range(rounds):
            for mode in (list(spent) if turn % 2 else list(spent)[::-1]):
                run = told(mode, [training, "rate", model, *map(str, (channels, side, batch, rows, epochs)), mode])
                spent[mode].append(1e6 * run["cpu_s"] / run["images"] * batch)
        ratios = [a / b for a, b in zip(spent["portable"], spent["deterministic"])]
        row(f"step of {model}, {side}x{side}, batch {batch}", "us", *spent.values(), ratios, f"<= {target}")


def times(mode):
    found = told(mode, [products, "--benchmark_format=json"])["benchmarks"]
    return {one["name"].removesuffix("/min_time:0.050"): one["cpu_time"] / 1000 for one in found}


def matrix_products():
    runs = [(times("portable"), times("deterministic")) for _ in range(min(rounds, 3))]
    for name in [name.removesuffix("/own") for name in runs[0][0] if name.endswith("/own")]:
        own = [portable[name + "/own"] for portable, _ in runs]
        for branch, place in (("COMPATIBLE", 0), ("AVX2,STRICT", 1)):
            library = [run[place][name + "/library"] for run in runs]
            row(f"{name}, MKL {branch}", "us", own, library, [a / b for a, b in zip(own, library)], "")


print(f"{'':38} {'portable':>10} {'deterministic':>13} {'':8} {'ratio':>6}  (of rounds)  target")
steps()
print(f"{'matrix product':38} {'own':>10} {'library':>13}")
matrix_products()
