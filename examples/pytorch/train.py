#!/usr/bin/env python3
"""A small network on the 8x8 digits of scikit-learn (without it, on digits-like data drawn from the seed), on a CPU.

    python3 train.py --lr 0.05 --seed 1

Under one seed, one thread and deterministic algorithms it prints the same line every time.
"""

import argparse

import torch
from torch import nn


def load(generator):
    """Training and test images with labels; the division is drawn from the seed."""
    try:
        from sklearn.datasets import load_digits

        digits = load_digits()
        images = torch.tensor(digits.data.tolist()) / 16
        labels = torch.tensor(digits.target.tolist())
    except ImportError:
        prototypes = torch.rand(10, 64, generator=generator)
        labels = torch.randint(10, (1797,), generator=generator)
        images = prototypes[labels] + 0.7 * torch.randn(1797, 64, generator=generator)
    order = torch.randperm(len(labels), generator=generator)
    cut = 600
    return (images[order[:cut]], labels[order[:cut]]), (images[order[cut:]], labels[order[cut:]])


def train(model, images, labels, options, generator):
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9)
    for _ in range(options.epochs):
        for batch in torch.randperm(len(labels), generator=generator).split(32):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(options.seed)  # the initial weights
    generator = torch.Generator().manual_seed(options.seed)  # data and order

    (images, labels), (test_images, test_labels) = load(generator)
    model = nn.Sequential(nn.Linear(64, options.hidden), nn.ReLU(), nn.Linear(options.hidden, 10))
    train(model, images, labels, options, generator)

    with torch.no_grad():
        logits = model(test_images)
        loss = nn.functional.cross_entropy(logits, test_labels).item()
        right = (logits.argmax(1) == test_labels).sum().item()
    print(f"loss = {loss!r}")
    print(f"accuracy = {100 * right / len(test_labels)!r}")


if __name__ == "__main__":
    main()
