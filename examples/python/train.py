#!/usr/bin/env python3
"""Logistic regression on points drawn from the seed; the Python standard library only.

    python3 train.py --lr 0.1 --seed 1
"""

import argparse
import math
import random


def points(draw, count):
    """Two classes around (+1, ..., +1) and (-1, ..., -1) in five dimensions."""
    drawn = []
    for _ in range(count):
        label = draw.randrange(2)
        centre = 0.45 if label else -0.45
        drawn.append(([draw.gauss(centre, 1) for _ in range(5)], label))
    return drawn


def margin(weights, bias, features):
    return bias + sum(w * x for w, x in zip(weights, features))


def probability(z):
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


def train(data, lr, epochs, draw):
    weights, bias = [draw.gauss(0, 0.5) for _ in range(5)], 0.0
    for _ in range(epochs):
        draw.shuffle(data)
        for features, label in data:
            step = lr * (label - probability(margin(weights, bias, features)))
            weights = [w + step * x for w, x in zip(weights, features)]
            bias += step
    return weights, bias


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lr", type=float, default=0.1)
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--seed", type=int, required=True)
    chosen = options.parse_args()

    draw = random.Random(chosen.seed)
    training, test = points(draw, 100), points(draw, 500)
    weights, bias = train(training, chosen.lr, chosen.epochs, draw)

    right, loss = 0, 0.0
    for features, label in test:
        p = probability(margin(weights, bias, features))
        right += (p > 0.5) == (label == 1)
        loss -= math.log(p if label else 1 - p) / len(test)
    print(f"loss = {loss!r}")
    print(f"accuracy = {100 * right / len(test)!r}")


if __name__ == "__main__":
    main()
