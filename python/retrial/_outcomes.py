"""The results that the statistics return: plain values that do not change. What does not exist is None, never NaN."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple


@dataclass(frozen=True)
class Estimate:
    """A point and an interval. A bound that does not exist is None."""

    point: float
    low: Optional[float]
    high: Optional[float]
    level: float
    method: str


@dataclass(frozen=True)
class Comparison:
    """The outcome of a test of two variants. What does not exist is None, never NaN."""

    test: str
    verdict: str
    """BETTER, WORSE, EQUIVALENT, NOT MEANINGFUL, INCONCLUSIVE or INVALID: the verdict on the candidate."""
    reason: Optional[str]
    """Why the verdict is INVALID."""
    p: Optional[float]
    """Two-sided."""
    p_better: Optional[float]
    p_worse: Optional[float]
    p_deciding: Optional[float]
    """Compared with alpha: one-sided for the nearer claim, twice that with sides="two"."""
    statistic: Optional[float]
    df: Optional[float]
    df_within: Optional[float]
    posterior: Optional[Dict[str, float]]
    """Probabilities of "worse", "rope" and "better"; Bayesian tests only."""
    estimand: str
    """What `estimate` estimates."""
    estimate: Optional[Estimate]
    method: str
    exact: bool
    drawn: bool
    """The result depends on the seed."""
    candidate_runs: int
    baseline_runs: int
    details: Dict[str, float]
    notes: List[str]


@dataclass(frozen=True)
class Power:
    """A plan: `n` pairs, or runs of each variant. What does not exist is None: `n` where a million are not enough.

    Sign rules have size, wins_needed and, for a given n, detectable_gamma; tests of normal scores an effect; tests of
    equivalence a margin, too.
    """

    test: str
    n: Optional[int]
    power: Optional[float]
    effect: Optional[float] = None
    size: Optional[float] = None
    """Probability of BETTER for equal variants."""
    wins_needed: Optional[int] = None
    """None: not even n wins are enough."""
    margin: Optional[float] = None
    detectable_gamma: Optional[float] = None
    """Least share of pairs won that n pairs find with power 1 - beta."""


@dataclass(frozen=True)
class PilotPower:
    """Power of studies of `n` pairs, or runs of each variant, whose runs are drawn from a pilot."""

    test: str
    claim: str
    """BETTER, WORSE or EQUIVALENT, as the pilot points."""
    n: int
    power: Estimate
    """Its interval is of the simulation alone."""
    effect: Estimate
    """Mean difference of the pilot, candidate - baseline."""
    power_at_low: Optional[float]
    """Power if the effect is at the low end of its interval; None for scores that are right or wrong."""
    power_at_high: Optional[float]


@dataclass(frozen=True)
class Audit:
    """Rates of every verdict, a row for each rule and cell; `passes`: every promise is kept and every exhibit fails."""

    passes: bool
    rows: List[Dict[str, Any]]


@dataclass(frozen=True)
class Test:
    """A test of two variants, as `retrial list tests` shows it."""

    name: str
    asks: str
    when: str
    paired: bool
    scores: str
    """"numbers"; "bits", 1 for right and 0 for wrong; "five_by_two", ten differences in the order of the folds."""
    min_runs: int
    reads: Tuple[str, ...]
    """The settings that it uses in addition to direction, alpha, sides and seed."""
    needs: Tuple[str, ...]
