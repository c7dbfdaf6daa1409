#!/usr/bin/env python3
"""The same delayed trainings in PyTorch and in workload pipeline: equal weights, and samples per CPU-second at batch 1.
  pipeline.py BUILD [ROUNDS]     BUILD: a build folder in which retrial_pipeline is built; run by .deps/peers/bin/python
The peer simulates a pipeline by an optimizer: every stage keeps its last weights, the network computes a gradient on weights
that are D updates old, D one number per stage, and the optimizer moves the newest. Exit 1 if a row does not hold.
"""
import json, os, statistics, subprocess, sys, time
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
build = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
failures = 0


def ours(what, **keys):
    run = subprocess.run([build + "/bin/retrial_pipeline", what, *(f"{key}={value}" for key, value in keys.items())],
                         check=True, text=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


class Stage(nn.Module):
    def __init__(self, layer, values):
        super().__init__()
        self.linear, self.layer = nn.Linear(layer["in"], layer["out"], dtype=torch.float64), layer
        values = torch.tensor(values, dtype=torch.float64)
        with torch.no_grad():
            self.linear.weight.copy_(values[:layer["in"] * layer["out"]].view_as(self.linear.weight))
            self.linear.bias.copy_(values[layer["in"] * layer["out"]:])

    def forward(self, x):
        y = self.linear(x)
        y = torch.tanh(y) if self.layer["tanh"] else y
        return x + y if self.layer["residual"] else y


class DelayedSGD(torch.optim.Optimizer):
    """Momentum on gradients of weights that are `delay` updates old, a number for each group. Before `delay` updates have been
    made the oldest weights are the initial ones; zero_padding: these updates get a gradient of zero instead."""

    def __init__(self, groups, lr, momentum, zero_padding=False):
        super().__init__(groups, {"lr": lr, "momentum": momentum, "delay": 0})
        self.zero_padding, self.updates = zero_padding, 0
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p] = {"history": deque([p.detach().clone()], maxlen=group["delay"] + 1),
                                 "velocity": torch.zeros_like(p)}

    @torch.no_grad()
    def load(self):
        """The weights on which the next gradient is computed."""
        for p, state in self.state.items():
            p.copy_(state["history"][0])

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            lost = self.zero_padding and self.updates < group["delay"]
            for p in group["params"]:
                state = self.state[p]
                state["velocity"].mul_(group["momentum"])
                if not lost:
                    state["velocity"].add_(p.grad)
                state["history"].append(state["history"][-1] - group["lr"] * state["velocity"])
        self.updates += 1


def trained(run, dtype, zero_padding=False):
    """The weights of each stage after every number of updates, and the CPU time of the loop."""
    net = nn.Sequential(*(Stage(*one) for one in zip(run["layers"], run["initial"]))).to(dtype)
    optimizer = DelayedSGD([{"params": list(stage.parameters()), "delay": delay} for stage, delay in zip(net, run["delays"])],
                           run["lr"], run["momentum"], zero_padding)
    rows, labels = torch.tensor(run["rows"], dtype=torch.float32).to(dtype), torch.tensor(run["labels"])
    versions = []
    start = time.process_time()
    for i in range(len(labels)):
        optimizer.load()
        optimizer.zero_grad()
        F.cross_entropy(net(rows[i:i + 1]), labels[i:i + 1]).backward()
        optimizer.step()
        if dtype == torch.float64:
            versions.append([torch.cat([optimizer.state[p]["history"][-1].flatten() for p in stage.parameters()]) for stage in net])
    return versions, time.process_time() - start


def distance(run, versions):
    """The largest difference of a weight at the quarters of the run; a stage may have made fewer updates than samples passed."""
    return max((versions[made - 1][s] - torch.tensor(weights, dtype=torch.float64)).abs().max().item()
               for after in run["after"] for s, (made, weights) in enumerate(zip(after["updates"], after["weights"])))


def row(what, value, holds, target):
    global failures
    failures += not holds
    print(f"{'ok ' if holds else 'BAD'}  {what:62} {value:10.3g}  {target}", flush=True)


print("PyTorch", torch.__version__)
variants = {"stashed, delays of pb": {"delay": "pb", "semantics": "stashed"},
            "stashed, delays of one_f_one_b": {"delay": "one_f_one_b", "semantics": "stashed"},
            "uniform_delay = 5": {"delay": "uniform", "semantics": "uniform_delay", "uniform_delay": 5}}
for name, keys in variants.items():
    run = ours("trajectory", samples=1000, dtype="float64", **keys)
    mended = distance(run, trained(run, torch.float64)[0])
    row(f"{name}: largest difference of a weight", mended, mended <= 1e-9, "<= 1e-9")
    padded = distance(run, trained(run, torch.float64, zero_padding=True)[0])
    row(f"{name}: with gradients of zero at the start", padded, padded > 1e-6, "> 1e-6")

keys = variants["stashed, delays of pb"]
run = ours("trajectory", samples=500, **keys)
ratios = []
for _ in range(rounds):
    fast = ours("rate", samples=16384, **keys)
    ratios.append(fast["samples"] / fast["cpu_s"] / (len(run["labels"]) / trained(run, torch.float32)[1]))
row(f"samples per CPU-second at batch 1, {min(ratios):.0f} to {max(ratios):.0f}", statistics.median(ratios),
    statistics.median(ratios) >= 50, ">= 50")
sys.exit(failures > 0)
