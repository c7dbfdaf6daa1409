"""The statistics of retrial for Python: numbers in, plain results out. Called as retrial.compare and so on.

    import retrial
    result = retrial.compare(new, old, direction="higher", paired=True)
    result.verdict, result.p_deciding, result.estimate.low     # ("BETTER", 0.011, 0.62)

Scores are lists, NumPy arrays or anything else that yields numbers. Nothing is drawn without a `seed`. A value that is
not accepted is a ValueError of one line that names the field, the value and what is allowed. The numbers are those of
`retrial compare --scores`, `retrial power` and `retrial audit`, bit for bit.
"""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from ._arguments import Scores, TaskTable, integer, number, numbers, refuse, seed_number, tasks, unknown
from ._outcomes import Audit, Comparison, Estimate, PilotPower, Power, Test

__all__ = [
    "Audit", "Comparison", "Estimate", "PilotPower", "Power", "Test", "aggregate", "audit", "compare", "pilot_power",
    "power", "tests",
]  # fmt: skip

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
        native.compare(chosen.name, numbers("candidate", candidate), numbers("baseline", baseline), settings,
                       seed_number(seed), _subject(names))
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
    levels = {"alpha": number("alpha", alpha), "beta": number("beta", beta), "sides": str(sides)}
    runs = None if n is None else integer("n", n)
    if test == "pab_exact":
        refuse("pab_exact uses gamma", effect=effect, margin=margin, overlap=overlap)
        share = 0.75 if gamma is None else number("gamma", gamma)
        return Power(test=test, **native.sign_power(gamma=share, n=runs, **levels))
    rows = {row["name"]: row for row in native.planned_tests()}
    if test not in rows:
        raise unknown("test", test, ["pab_exact", *rows])
    refuse(f"is for test pab_exact, not for {test}", gamma=gamma)
    equivalence, overlaps = rows[test]["equivalence"], rows[test]["overlap"]
    if equivalence and sides != "one":
        raise ValueError(f"sides = {sides}: does not apply to test {test}: both of its tests have alpha")
    if not equivalence:
        refuse(f"is for tests of equivalence, not for {test}", margin=margin)
    if not overlaps:
        refuse(f"is for test corrected_t, not for {test}", overlap=overlap)
    elif overlap is None:
        raise ValueError(f"overlap: must be given for test {test}: test rows over training rows of the splits")
    else:
        levels["overlap"] = number("overlap", overlap)
    asked, given = ("margin", margin) if equivalence else ("effect", effect)
    if given is None and runs is None:
        raise ValueError(f"{asked} or n: one must be given for test {test}")
    difference = 0.0 if effect is None else number("effect", effect)
    if equivalence:
        levels["difference"] = difference
    found = native.planned_power(test, levels, None if given is None else number(asked, given), runs)
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
    runs = {"candidate": numbers("candidate", candidate), "baseline": numbers("baseline", baseline)}
    for field, scores in runs.items():
        if len(scores) < 5:
            raise ValueError(f"{field}: has {len(scores)} scores (allowed: at least 5, to draw from)")
    found = native.pilot_power(chosen.name, *runs.values(), integer("n", n),
                               _settings(chosen, direction, alpha, sides, **given), integer("studies", studies),
                               integer("threads", threads, at_least=1), seed_number(seed), _subject(names))  # fmt: skip
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
    options: Dict[str, Any] = {"alpha": number("alpha", alpha), "reps": integer("reps", reps),
                               "method": str(method), "task_bootstrap": bool(task_bootstrap)}  # fmt: skip
    if how == "gap" and target is None:
        raise ValueError('target: must be given for how="gap", the score that would be enough')
    if target is not None:
        if how != "gap":
            raise ValueError(f'target = {target}: is for how="gap"')
        options["target"] = number("target", target)
    if baseline is None:
        if how == "poi":
            raise ValueError('baseline: must be given for how="poi", the probability of improvement over it')
        if paired is not None:
            raise ValueError(f"paired = {paired}: is for two variants, and there is no baseline")
        of = tasks("scores", scores)
        return Estimate(**native.aggregate(how, list(of.values()), None, options, seed_number(seed), str(names[0])))
    if paired is None:
        raise ValueError("paired: must be given: whether run i of both variants shares its seed (True or False)")
    options["paired"] = bool(paired)
    ours, theirs = tasks("scores", scores), tasks("baseline", baseline)
    if set(ours) != set(theirs):
        alone = sorted(map(str, set(ours) ^ set(theirs)))
        raise ValueError(f"baseline: must have the same tasks as scores; only one of them has {', '.join(alone)}")
    found = native.aggregate(how, list(ours.values()), [theirs[task] for task in ours], options, seed_number(seed),
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
        [integer("n", runs) for runs in n], bool(quick),
        {"reps": integer("reps", reps), "drawing_reps": integer("drawing_reps", drawing_reps),
         "threads": integer("threads", threads, at_least=1)}, seed_number(seed),
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
        raise unknown("test", name, list(rows))
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
            settings[name] = number(name, value)
        elif name == "reps":
            settings[name] = integer(name, value)
        elif name == "interval":
            settings[name] = str(value)
        else:
            raise unknown("setting", name, [*_NUMBERS, "interval", "reps"])
    _require_used(settings, test)
    return {"direction": str(direction), "sides": str(sides), "alpha": number("alpha", alpha), **settings}


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
