"""The statistics of retrial for Python: numbers in, plain results out. Called as retrial.compare and so on.

    import retrial
    result = retrial.compare(new, old, direction="higher", paired=True)
    result.verdict, result.p_deciding, result.estimate.low     # ("BETTER", 0.011, 0.62)

Scores are lists, NumPy arrays or anything else that yields numbers. Nothing is drawn without a `seed`. A value that is
not accepted is a ValueError of one line that names the field, the value and what is allowed. The numbers are those of
`retrial compare --scores`, `retrial power` and `retrial audit`, bit for bit.
"""

import difflib
import operator
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = [
    "Audit", "Comparison", "Estimate", "PilotPower", "Power", "Test", "aggregate", "audit", "compare", "pilot_power",
    "power", "tests",
]  # fmt: skip

Scores = Iterable[float]
TaskTable = Union[Mapping[Any, Scores], Sequence[Sequence[float]]]


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
    """BETTER, WORSE, EQUIVALENT, NOT MEANINGFUL, INCONCLUSIVE or INVALID, said of the candidate."""
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
    """The settings that it uses besides direction, alpha, sides and seed."""
    needs: Tuple[str, ...]


def tests() -> List[Test]:
    """All tests that `compare` takes."""
    return [
        Test(**{**row, "reads": tuple(row["reads"].split()), "needs": tuple(row["needs"].split())})
        for row in _native().tests()
    ]


def compare(
    candidate: Scores,
    baseline: Scores,
    *,
    direction: str,
    test: Optional[str] = None,
    paired: Optional[bool] = None,
    alpha: float = 0.05,
    sides: str = "one",
    seed: Optional[int] = None,
    beta: Optional[float] = None,
    gamma: Optional[float] = None,
    margin: Optional[float] = None,
    resolution: Optional[float] = None,
    overlap: Optional[float] = None,
    rho: Optional[float] = None,
    rope: Optional[float] = None,
    tau: Optional[float] = None,
    interval: Optional[str] = None,
    reps: Optional[int] = None,
    names: Tuple[str, str] = ("candidate", "baseline"),
) -> Comparison:
    """Compare the scores of two variants.

    `direction` is "higher" or "lower": which scores are better. With `paired`, score i of both belongs together (the
    same seed, split or item). Without `test` it is pab_exact for pairs and brunner_munzel for independent runs; with a
    test, `paired` may be left out. `alpha` is for each of BETTER and WORSE, with sides="two" for both together.
    Tests that draw need a `seed`, from which they draw as the program does for variants called `names`. All other
    settings are for some tests only (`retrial.tests()`), in the meaning of the options of `retrial compare`.
    """
    native = _native()
    chosen = _test_for(test, paired)
    settings = _settings(chosen, direction, alpha, sides, beta=beta, gamma=gamma, margin=margin, resolution=resolution,
                         overlap=overlap, rho=rho, rope=rope, tau=tau, interval=interval, reps=reps)  # fmt: skip
    return _comparison(
        native.compare(chosen.name, _numbers("candidate", candidate), _numbers("baseline", baseline), settings,
                       _seed(seed), _subject(names))
    )  # fmt: skip


def power(
    *,
    test: str = "pab_exact",
    gamma: Optional[float] = None,
    effect: Optional[float] = None,
    margin: Optional[float] = None,
    overlap: Optional[float] = None,
    n: Optional[int] = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    sides: str = "one",
) -> Power:
    """Plan a comparison: the runs that find an advantage with probability 1 - beta, or what `n` of them find.

    test="pab_exact": pairs, for a candidate that wins `gamma` of them (0.75 if left out, as in the program).
    test="paired_t", "corrected_t", "wilcoxon", "welch", "mann_whitney": pairs, or runs of each variant. `effect` is a
    difference of means over a standard deviation, of the paired differences or of the runs. With `n` alone: the smallest
    effect that n runs find. corrected_t needs `overlap`, test rows over training rows of the splits.
    test="tost", "welch_tost": the same for EQUIVALENT within `margin`, in the same standard deviations; `effect` is the
    true difference, 0 if left out.
    """
    native = _native()
    levels = {"alpha": _number("alpha", alpha), "beta": _number("beta", beta), "sides": str(sides)}
    runs = None if n is None else _integer("n", n)
    if test == "pab_exact":
        _refuse("pab_exact uses gamma", effect=effect, margin=margin, overlap=overlap)
        share = 0.75 if gamma is None else _number("gamma", gamma)
        return Power(test=test, **native.sign_power(gamma=share, n=runs, **levels))
    rows = {row["name"]: row for row in native.planned_tests()}
    if test not in rows:
        raise _unknown("test", test, ["pab_exact", *rows])
    _refuse(f"is for test pab_exact, not for {test}", gamma=gamma)
    equivalence, overlaps = rows[test]["equivalence"], rows[test]["overlap"]
    if equivalence and sides != "one":
        raise ValueError(f"sides = {sides}: does not apply to test {test}: both of its tests have alpha")
    if not equivalence:
        _refuse(f"is for tests of equivalence, not for {test}", margin=margin)
    if not overlaps:
        _refuse(f"is for test corrected_t, not for {test}", overlap=overlap)
    elif overlap is None:
        raise ValueError(f"overlap: must be given for test {test}: test rows over training rows of the splits")
    else:
        levels["overlap"] = _number("overlap", overlap)
    asked, given = ("margin", margin) if equivalence else ("effect", effect)
    if given is None and runs is None:
        raise ValueError(f"{asked} or n: one must be given for test {test}")
    difference = 0.0 if effect is None else _number("effect", effect)
    if equivalence:
        levels["difference"] = difference
    found = native.planned_power(test, levels, None if given is None else _number(asked, given), runs)
    return Power(test=test, n=found["n"], power=found["power"], effect=difference if equivalence else found["size"],
                 margin=found["size"] if equivalence else None)  # fmt: skip


def pilot_power(
    candidate: Scores,
    baseline: Scores,
    *,
    n: int,
    direction: str,
    seed: int,
    test: Optional[str] = None,
    paired: Optional[bool] = None,
    alpha: float = 0.05,
    sides: str = "one",
    studies: int = 1_000,
    threads: int = 1,
    names: Tuple[str, str] = ("candidate", "baseline"),
    **settings: Any,
) -> PilotPower:
    """Power of any test of two variants by simulation: `studies` studies of `n` runs are drawn, with replacement, from a
    pilot of at least five. No distribution is assumed, but the pilot's effect and spread are taken as true.

    The arguments are those of `compare`, with its further settings of the test (margin=0.5); tests that draw take 1,000
    `reps` if they are left out, as in the program. `threads` changes only the time.
    """
    native = _native()
    if seed is None:
        raise ValueError("seed: must be given: the studies are drawn from it")
    chosen = _test_for(test, paired)
    given = {"reps": 1_000, **settings} if "reps" in chosen.reads else settings
    runs = {"candidate": _numbers("candidate", candidate), "baseline": _numbers("baseline", baseline)}
    for field, scores in runs.items():
        if len(scores) < 5:
            raise ValueError(f"{field}: has {len(scores)} scores (allowed: at least 5, to draw from)")
    found = native.pilot_power(chosen.name, *runs.values(), _integer("n", n),
                               _settings(chosen, direction, alpha, sides, **given), _integer("studies", studies),
                               _integer("threads", threads, at_least=1), _seed(seed), _subject(names))  # fmt: skip
    effect, share = Estimate(**found.pop("effect")), Estimate(**found.pop("power"))
    return PilotPower(test=chosen.name, n=n, effect=effect, power=share, **found)


def aggregate(
    scores: TaskTable,
    baseline: Optional[TaskTable] = None,
    *,
    how: str,
    seed: Optional[int] = None,
    alpha: float = 0.05,
    paired: Optional[bool] = None,
    target: Optional[float] = None,
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 50_000,
    names: Tuple[str, str] = ("candidate", "baseline"),
) -> Estimate:
    """One number for many tasks, with a stratified bootstrap interval; higher scores are better.

    `scores` is a table with a row for each run and a column for each task, or {task: scores of its runs}. `how` is
    "mean", "median", "iqm", "gap" (how far the scores stay below `target`, which must be given) or "poi", the
    probability of improvement over the baseline. With `baseline` the result is the difference, candidate - baseline:
    two intervals that overlap are no test. `paired` then says whether run i of both shares its seed. Where the distinct
    resamples cannot be counted, they are drawn, and a `seed` is needed.
    """
    native = _native()
    options: Dict[str, Any] = {"alpha": _number("alpha", alpha), "reps": _integer("reps", reps),
                               "method": str(method), "task_bootstrap": bool(task_bootstrap)}  # fmt: skip
    if how == "gap" and target is None:
        raise ValueError('target: must be given for how="gap", the score that would be enough')
    if target is not None:
        if how != "gap":
            raise ValueError(f'target = {target}: is for how="gap"')
        options["target"] = _number("target", target)
    if baseline is None:
        if how == "poi":
            raise ValueError('baseline: must be given for how="poi", the probability of improvement over it')
        if paired is not None:
            raise ValueError(f"paired = {paired}: is for two variants, and there is no baseline")
        of = _tasks("scores", scores)
        return Estimate(**native.aggregate(how, list(of.values()), None, options, _seed(seed), str(names[0])))
    if paired is None:
        raise ValueError("paired: must be given: whether run i of both variants shares its seed (True or False)")
    options["paired"] = bool(paired)
    ours, theirs = _tasks("scores", scores), _tasks("baseline", baseline)
    if set(ours) != set(theirs):
        alone = sorted(map(str, set(ours) ^ set(theirs)))
        raise ValueError(f"baseline: must have the same tasks as scores; only one of them has {', '.join(alone)}")
    found = native.aggregate(how, list(ours.values()), [theirs[task] for task in ours], options, _seed(seed),
                             _subject(names))  # fmt: skip
    return Estimate(**found)


def audit(
    *,
    seed: int,
    rules: Iterable[str] = (),
    models: Iterable[str] = (),
    truths: Iterable[str] = (),
    n: Iterable[int] = (),
    quick: bool = False,
    reps: int = 20_000,
    drawing_reps: Optional[int] = None,
    threads: int = 1,
) -> Audit:
    """Measure the error rates of decision rules on simulated scores with known truth.

    Empty choices mean all: rules, distributions of scores, truths ("null", "gamma") and runs of each variant `n`. All of
    it takes hours, `quick` about a minute. `reps` simulations are made of each rule in each cell, `drawing_reps` of rules
    that draw in each of them (as many, with `quick` 1,000). `threads` changes only the time.
    """
    if seed is None:
        raise ValueError("seed: must be given: the simulations are drawn from it")
    if drawing_reps is None:
        drawing_reps = 1_000 if quick else reps
    found = _native().audit(
        [str(rule) for rule in rules], [str(model) for model in models], [str(truth) for truth in truths],
        [_integer("n", runs) for runs in n], bool(quick),
        {"reps": _integer("reps", reps), "drawing_reps": _integer("drawing_reps", drawing_reps),
         "threads": _integer("threads", threads, at_least=1)}, _seed(seed),
    )  # fmt: skip
    return Audit(**found)


def _native():
    try:
        from . import _native as compiled
    except ImportError as problem:
        raise ImportError(
            "this installation of retrial has no compiled statistics for this Python; install the wheel of its version "
            "(retrial-*-cp3XX-*.whl of scripts/wheel), or run `pip install .` in the source tree with Python 3.10 or newer"
        ) from problem
    return compiled


def _test_for(name: Optional[str], paired: Optional[bool]) -> Test:
    if name is None:
        if paired is None:
            raise ValueError("paired: must be given without a test: whether score i of both variants belongs together")
        name = "pab_exact" if paired else "brunner_munzel"
    rows = {test.name: test for test in tests()}
    if name not in rows:
        raise _unknown("test", name, list(rows))
    if paired is not None and bool(paired) != rows[name].paired:
        takes = "pairs" if rows[name].paired else "independent runs"
        raise ValueError(f"paired = {paired}: test {name} takes {takes}")
    return rows[name]


_NUMBERS = ("beta", "gamma", "margin", "resolution", "overlap", "rho", "rope", "tau")


def _settings(test: Test, direction: str, alpha: float, sides: str, **given: Any) -> Dict[str, Any]:
    """The settings of a test; those that are None keep the defaults of the library."""
    settings = {name: value for name, value in given.items() if value is not None}
    for name, value in settings.items():
        if name in _NUMBERS:
            settings[name] = _number(name, value)
        elif name == "reps":
            settings[name] = _integer(name, value)
        elif name == "interval":
            settings[name] = str(value)
        else:
            raise _unknown("setting", name, [*_NUMBERS, "interval", "reps"])
    _require_used(settings, test)
    return {"direction": str(direction), "sides": str(sides), "alpha": _number("alpha", alpha), **settings}


def _refuse(problem: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} = {value}: {problem}")


def _require_used(settings: Mapping[str, Any], test: Test) -> None:
    for name in settings:
        if name not in test.reads:
            readers = ", ".join(row.name for row in tests() if name in row.reads)
            raise ValueError(f"{name} = {settings[name]}: is not used by test {test.name} (allowed: {readers})")
    if "beta" in settings and "gamma" not in settings:
        raise ValueError("beta: is the rate of missed advantages of gamma, and no gamma is given: add gamma=0.75")
    for name in test.needs:
        if name not in settings:
            raise ValueError(f"{name}: must be given for test {test.name}")


def _comparison(found: Dict[str, Any]) -> Comparison:
    estimate = found.pop("estimate")
    return Comparison(estimate=None if estimate is None else Estimate(**estimate), **found)


def _subject(names: Tuple[str, str]) -> str:
    candidate, baseline = names
    return f"{candidate}|{baseline}"


def _unknown(field: str, value: Any, allowed: List[str]) -> ValueError:
    near = difflib.get_close_matches(str(value), allowed, n=1)
    return ValueError(f"{field} = {value}: is unknown (allowed: {', '.join(allowed)})"
                      + (f"; did you mean {near[0]}?" if near else ""))  # fmt: skip


def _number(field: str, value: Any) -> float:
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise ValueError(f"{field} = {value!r}: is not a number")


def _integer(field: str, value: Any, at_least: int = -(2**63)) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{field} = {value!r}: is not an integer") from None
    if not at_least <= number < 2**63:
        raise ValueError(f"{field} = {number}: out of range (allowed: {at_least} to 2^63 - 1)")
    return number


def _seed(seed: Optional[int]) -> Optional[int]:
    if seed is None:
        return None
    try:
        number = operator.index(seed)
    except TypeError:
        raise ValueError(f"seed = {seed!r}: is not an integer") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"seed = {number}: out of range (allowed: 0 to 2^64 - 1)")
    return number


def _numbers(field: str, values: Scores) -> List[float]:
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        raise ValueError(f"{field}: has {dimensions} dimensions (allowed: one, with a score for each run)")
    if isinstance(values, (str, bytes, Mapping)):
        raise ValueError(f"{field}: is not a list of numbers")
    try:
        listed = list(values)
    except TypeError:
        raise ValueError(f"{field} = {values!r}: is not a list of numbers") from None
    return [_number(f"{field}[{i}]", value) for i, value in enumerate(listed)]


def _tasks(field: str, table: TaskTable) -> Dict[Any, List[float]]:
    """The scores of each task by its name, or by the number of its column."""
    if isinstance(table, Mapping):
        return {task: _numbers(f"{field}[{task!r}]", scores) for task, scores in table.items()}
    if getattr(table, "ndim", 2) != 2:
        raise ValueError(f"{field}: has {table.ndim} dimensions (allowed: two, a row for each run, a column for each task)")
    rows = [_numbers(f"{field}[{run}]", row) for run, row in enumerate(table)]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"{field}: has rows of different lengths; give tasks with unequal runs as {{task: scores}}")
    return dict(enumerate(map(list, zip(*rows))))
