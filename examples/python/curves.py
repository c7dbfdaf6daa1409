#!/usr/bin/env python3
"""A line fitted by gradient descent; its error after every epoch is a learning curve. The standard library only.

    PYTHONPATH=python python3 examples/python/curves.py --lr 0.1

Two lines are for retrial: the seed, and the log. Outside of retrial the seed is 0 and the log does nothing;
TRIAL_LOG=- in the environment prints it.
"""

import argparse
import random

import retrial


def error(weights, data):
    slope, start = weights
    return sum((slope * x + start - y) ** 2 for x, y in data) / len(data)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lr", type=float, default=0.1)
    options.add_argument("--epochs", type=int, default=10)
    chosen = options.parse_args()

    draw = random.Random(retrial.seed())
    data = [(x, 2 * x - 1 + draw.gauss(0, 0.3)) for x in (draw.uniform(-1, 1) for _ in range(200))]
    training, test = data[:100], data[100:]
    slope, start = draw.gauss(0, 1), draw.gauss(0, 1)
    for epoch in range(1, chosen.epochs + 1):
        draw.shuffle(training)
        for x, y in training:
            miss = slope * x + start - y
            slope, start = slope - chosen.lr * miss * x, start - chosen.lr * miss
        retrial.log(epoch=epoch, test_error=error((slope, start), test))


if __name__ == "__main__":
    main()
