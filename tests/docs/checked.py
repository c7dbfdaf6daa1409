"""Kept numbers beside computed ones, and what both are made of."""
import math

from laws import sign_laws, t_above, t_quantile

SLACK = 2e-6  # kept numbers have ten digits; a p from the ends of an interval has lost some of them


def near(kept, computed):
    if kept is None or computed is None or isinstance(kept, str) or isinstance(kept, bool):
        return kept == computed
    return abs(kept - computed) <= SLACK * max(abs(kept), abs(computed)) + 1e-9 * (abs(computed) > 0.5)


def bounded(kept, t, pairs, sides):
    """The p of a t test of scores that are not kept, from mean and interval: Student's, or the one that the signs of the differences
    allow where that is larger: 2^-n for each side. How many differ is not kept; the sum and the squares of the differences need a least
    number. Of few differences of one or two sizes the law of their signs is exact."""
    p = sides * t_above(abs(t) if sides == 2 else t, pairs - 1)
    ratio = t * (pairs / (pairs - 1 + t * t))**0.5  # sum of the differences over the root of their sum of squares
    counts = range(pairs, max(pairs // 2, math.ceil(ratio * ratio - 1e-4) - 1), -1)
    least = [sides * 0.5**n for n in counts]
    exact = [min(1.0, sides * law) for law in sign_laws(abs(ratio) if sides == 2 else ratio)]
    return next((bound for bound in least + exact if bound > p and kept is not None and near(kept, bound)), p)


def two_sided(less, greater):
    return min(1.0, 2 * min(less, greater))


def tables(columns, rows):
    return [dict(zip(columns, row)) for row in rows]


def interval(point, se, df, level):
    half = t_quantile((1 + level) / 2, df) * se
    return {"low": point - half, "high": point + half}


def mean_and_sd(values):
    mean = sum(values) / len(values)
    return mean, (sum((v - mean)**2 for v in values) / (len(values) - 1))**0.5


class Enough(Exception):
    """One complaint is found."""


class Checked:
    """What does not agree, as sentences; only_first: for a control, which asks whether there is any."""

    def __init__(self, only_first):
        self.wrong, self.only_first = [], only_first

    def add(self, complaint):
        self.wrong.append(complaint)
        if self.only_first:
            raise Enough

    def same(self, what, kept, computed):
        if not near(kept, computed):
            self.add(f"{what}: kept {kept}, computed {computed}")

    def all(self, what, kept, computed):
        for name, value in computed.items():
            self.same(f"{what}.{name}", kept[name], value)
