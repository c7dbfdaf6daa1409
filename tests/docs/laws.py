"""Distributions for verdicts.py, from series and continued fractions (Numerical Recipes 6.2 and 6.4), so that what retrial
computed with Boost.Math is computed a second time by other code."""
import bisect
import functools
import itertools
import math


def beta_tail(a, b, x):
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_tail(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny, c, d = 1e-300, 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        for factor in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + factor * d or tiny)
            c = 1 + factor / c or tiny
            value *= c * d
    return front * value


def gamma_below(a, x):
    """The regularised lower incomplete gamma function P(a, x), by its series."""
    if x <= 0:
        return 0.0
    if x > a + 60 * math.sqrt(a + 1) + 60:
        return 1.0
    term = total = 1 / a
    k = a
    while abs(term) > 1e-17 * abs(total):
        k += 1
        term *= x / k
        total += term
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


def root(function, target, low, high):
    """Where an increasing function reaches the target, within 1e-11: kept numbers have ten digits."""
    while high - low > 1e-11:
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < target else (low, middle)
    return (low + high) / 2


@functools.cache
def t_above(t, df):
    """P(T > t)."""
    tail = beta_tail(df / 2, 0.5, df / (df + t * t)) / 2
    return tail if t > 0 else 1 - tail


@functools.cache
def t_quantile(level, df):
    return root(lambda t: 1 - t_above(t, df), level, -1e3, 1e3) if level < 1 - 1e-9 else math.nan


@functools.cache
def f_above(f, above, below):
    return beta_tail(below / 2, above / 2, below / (below + above * f))


@functools.cache
def chi_squared_quantile(level, df):
    return math.exp(root(lambda x: gamma_below(df / 2, math.exp(x) / 2), level, -60.0, 12.0))


@functools.cache
def binomial_at_least(wins, n, share):
    return sum(math.comb(n, k) * share**k * (1 - share)**(n - k) for k in range(wins, n + 1))


@functools.cache
def clopper_pearson(wins, n, level):
    tail = (1 - level) / 2
    low = 0.0 if wins == 0 else root(lambda p: binomial_at_least(wins, n, p), tail, 0.0, 1.0)
    high = 1.0 if wins == n else root(lambda p: binomial_at_least(wins + 1, n, p), 1 - tail, 0.0, 1.0)
    return low, high


@functools.cache
def tied_share(wins, ties, losses, level):
    """The interval of P(win) + P(tie) / 2 with the bounds of Clopper and Pearson: the Dirichlet law of three outcomes, by Simpson's rule
    over the share of ties, a beta law, within which the share of wins is another. From the share on at which x is reached whatever the
    wins, the integrand is the law of the ties alone; from 2 x on it is 0."""
    def at_most(x, won, lost):
        untied, steps = won + lost, 144
        front = math.exp(math.lgamma(untied + ties) - math.lgamma(ties) - math.lgamma(untied))
        cut, mean = min(2 * x, 2 * (1 - x)), ties / (untied + ties)
        around = 14 * math.sqrt(mean * (1 - mean) / (untied + ties + 1))
        low, high, total = max(0.0, mean - around), min(cut, mean + around), 0.0
        if high <= low:
            return 1 - beta_tail(ties, untied, cut) if x > 0.5 else 0.0
        for i in range(steps + 1):
            q = low + (high - low) * i / steps
            density = front * q**(ties - 1) * (1 - q)**(untied - 1)
            inner = beta_tail(won, lost, min(1.0, (x - q / 2) / (1 - q))) if q < 1 else 0.0
            total += density * inner * (1 if i in (0, steps) else 4 if i % 2 else 2)
        return total * (high - low) / steps / 3 + (1 - beta_tail(ties, untied, cut) if x > 0.5 else 0.0)

    tail = (1 - level) / 2
    return (root(lambda x: at_most(x, wins, losses + 1), tail, 0.0, 1.0),
            1 - root(lambda x: at_most(x, losses, wins + 1), tail, 0.0, 1.0))


@functools.cache
def few_signs():
    """(ratio, P(sum >= the observed one) under all signs) of every sample of up to 8 differences of one size, or of two of which one
    is 2 or 3 times the other; ratio: the sum, in roots of the sum of squares."""
    found = set()
    for size, one, other in ((s, k, m) for s in (2, 3) for k in range(9) for m in range(9 - k) if k + m > 0):
        laws = [(2 * i - one + size * (2 * j - other), math.comb(one, i) * math.comb(other, j) / 2**(one + other))
                for i in range(one + 1) for j in range(other + 1)]
        for total in {total for total, _ in laws}:
            found.add((total / math.sqrt(one + size * size * other), sum(weight for at, weight in laws if at >= total)))
    return sorted(found)


def sign_laws(ratio):
    """The exact p of each of these samples that has this ratio."""
    at = bisect.bisect(few_signs(), (ratio - 1e-6, 0.0))
    return [p for _, p in itertools.takewhile(lambda sample: sample[0] < ratio + 1e-6, few_signs()[at:])]


def sizes(differences):
    """{size: (plus, minus)} of the differences that are not 0. Sizes within 1e-9 of the largest are one: rounding of decimal scores."""
    equal, groups, before = 1e-9 * max(map(abs, differences), default=0.0), [], 0.0
    for d in sorted((d for d in differences if abs(d) > equal), key=abs):
        if not groups or abs(d) - before > equal:
            groups.append([abs(d), 0, 0])
        before = abs(d)
        groups[-1][1 if d > 0 else 2] += 1
    return {size: (plus, minus) for size, plus, minus in groups}


def least_of_signs(differences):
    """(P(sum <= the observed one), P(sum >= it)) that no test of scores that repeat goes below. Of one or two sizes: the exact law of
    their signs. Of more: 2^-n, n differences that are not 0. Scores that do not repeat, and then 0: every size is one difference."""
    groups = sizes(differences)
    if len(groups) == len(differences):
        return 0.0, 0.0
    if not groups:
        return 1.0, 1.0
    if len(groups) > 2:
        least = 0.5**sum(plus + minus for plus, minus in groups.values())
        return least, least
    laws, observed = [(0.0, 1.0)], sum(size * (plus - minus) for size, (plus, minus) in groups.items())
    for size, (plus, minus) in groups.items():
        n = plus + minus
        laws = [(total + size * (2 * i - n), weight * math.comb(n, i) / 2**n) for total, weight in laws for i in range(n + 1)]
    slack = 1e-9 * max(groups)
    return (min(1.0, sum(weight for total, weight in laws if total <= observed + slack)),
            min(1.0, sum(weight for total, weight in laws if total >= observed - slack)))


def t_of_pairs(differences, overlap=0.0):
    """(p below, p above) of the paired t test, never below what the signs allow; with the overlap of divisions of Nadeau and Bengio 2003."""
    n, mean = len(differences), math.fsum(differences) / len(differences)
    squares = math.fsum((d - mean)**2 for d in differences)
    if squares == 0:
        return None
    t = mean / math.sqrt(squares / (n - 1) * (1 / n + overlap))
    return tuple(max(t_above(sign * t, n - 1), least) for sign, least in zip((-1, 1), least_of_signs(differences)))


def signed_sums(differences):
    sums = [0.0]
    for d in differences:
        sums = [total + signed for total in sums for signed in (d, -d)]
    return sorted(sums)


@functools.cache
def share_of_signs(differences):
    half = len(differences) // 2
    first, second = signed_sums(differences[:half]), signed_sums(differences[half:])
    observed, slack = sum(differences), 1e-11 * sum(map(abs, differences))
    below = sum(bisect.bisect_right(second, observed + slack - part) for part in first)
    above = sum(len(second) - bisect.bisect_left(second, observed - slack - part) for part in first)
    return below / 2**len(differences), above / 2**len(differences)


def all_signs(differences):
    """(share of all signs with a sum at most the observed one, share with at least it): the paired permutation test. Sums of one half
    are looked up among those of the other."""
    return share_of_signs(tuple(differences))


def t_power(n, effect, alpha, overlap=0.0):
    """The one-sided paired t test's power for a mean of `effect` standard deviations: Simpson's rule over the law of sd. An overlap of
    the divisions adds to 1 / n (Nadeau and Bengio 2003)."""
    df = n - 1
    critical, steps = t_quantile(1 - alpha, df), 400
    low, high = max(1e-9, 1 - 8 / math.sqrt(2 * df)), 1 + 8 / math.sqrt(2 * df)
    scale = math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
    total = 0.0
    for i in range(steps + 1):
        s = low + (high - low) * i / steps
        density = math.exp(scale + (df - 1) * math.log(s) - df * s * s / 2)
        above = math.erfc((critical * s - effect / math.sqrt(1 / n + overlap)) / math.sqrt(2)) / 2
        total += density * above * (1 if i in (0, steps) else 4 if i % 2 else 2)
    return total * (high - low) / steps / 3


@functools.cache
def t_pairs(effect, alpha, power, overlap=0.0):
    """The least number of pairs with that power; None where a million have not."""
    low, high = 2, 4
    while t_power(high, effect, alpha, overlap) < power:
        if high > 1_000_000:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if t_power(middle, effect, alpha, overlap) >= power else (middle, high)
    return high


def holm(p_values, compared=None):
    """Adjusted p values; one that does not exist counts as 1 in the family and stays missing. compared: how many the family has."""
    compared = compared or len(p_values)
    order = sorted(range(len(p_values)), key=lambda i: 1.0 if p_values[i] is None else p_values[i])
    adjusted, largest = [None] * len(p_values), 0.0
    for rank, i in enumerate(order):
        p = 1.0 if p_values[i] is None else p_values[i]
        largest = max(largest, min(1.0, (compared - rank) * p))
        adjusted[i] = None if p_values[i] is None else largest
    return adjusted
