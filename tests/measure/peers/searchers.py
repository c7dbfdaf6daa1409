#!/usr/bin/env python3
"""Searches of FLAML and Optuna beside ours: the same walk step by step, the same densities, and the time of an evaluation.
  searchers.py flaml|optuna SEARCHERS     run by the interpreter of that peer's environment (environment.py flaml --make)
SEARCHERS is the program retrial_searchers (ninja retrial_searchers). Times are CPU microseconds of a proposal and its
result in ten dimensions, peer and ours in turn. Exit 1 when a row does not agree.
"""
import json, math, os, random, subprocess, sys, time, warnings

warnings.filterwarnings("ignore")
peer, program = sys.argv[1], os.path.abspath(sys.argv[2])
failures = 0


def ours(what, **asked):
    run = subprocess.run([program, what], input=json.dumps(asked), text=True, capture_output=True, check=True)
    return json.loads(run.stdout)


def row(what, difference, allowed):
    global failures
    failures += not difference <= allowed
    print(f"{'ok  ' if difference <= allowed else 'FAIL'} {peer:8} {what:60} {difference:9.2g} <= {allowed:7.1g}")


def ratio(what, theirs, mine):
    print(f"     {peer:8} {what:44} {theirs:10.1f} us, ours {mine:8.2f} us: {theirs / mine:8.1f} x")


def cpu():
    return time.process_time() * 1e6


def sphere(config, center=0.0):
    return sum((x - center) ** 2 for x in config.values())


def flaml():
    from flaml import tune
    from flaml.tune.searcher.flow2 import FLOW2
    import numpy as np

    class Injected(FLOW2):
        given = iter(())

        def rand_vector_unit_sphere(self, dim, trunc=0):
            return np.array(next(Injected.given))

    def searcher(kind, d, seed):
        space = {f"x{i:02}": tune.uniform(-5, 5) for i in range(d)}
        first = {name: 4.0 for name in space}
        made = kind(first, metric="loss", mode="min", space=space, seed=seed)
        made.set_search_properties(metric="loss", mode="min", config=space)
        return made.create(first, sphere(first), 1, space)

    for d, evaluations in ((2, 200), (3, 300), (5, 400)):
        drawn = random.Random(d)
        directions = []
        for _ in range(evaluations):
            vector = [drawn.gauss(0, 1) for _ in range(d)]
            norm = math.sqrt(sum(v * v for v in vector))
            directions.append([v / norm for v in vector])
        Injected.given = iter(directions)
        theirs = searcher(Injected, d, 1)
        steps, points = [], []
        for t in range(evaluations):
            config = theirs.suggest(str(t))
            if config is None:
                break
            points.append([config[name] for name in sorted(config)])
            theirs.on_trial_complete(str(t), {"loss": sphere(config), "config": config, "time_total_s": 1})
            steps.append(theirs.step)
        mine = ours("walk", directions=directions, evaluations=len(points))[1:]
        row(f"FLOW2 in {d} dimensions, points of {len(points)} evaluations",
            max(abs(a - b) for p, m in zip(points, mine) for a, b in zip(p, m["x"])), 1e-8)
        row(f"FLOW2 in {d} dimensions, steps",
            max(abs(a - m["step"]) for a, m in zip(steps, mine)), 1e-8)

    n = 1000
    theirs = searcher(FLOW2, 10, 1)
    start = cpu()
    for t in range(n):
        config = theirs.suggest(str(t))
        theirs.on_trial_complete(str(t), {"loss": sphere(config, 1.2345), "config": config, "time_total_s": 1})
    direct = (cpu() - start) / n
    start = cpu()
    tune.run(lambda config: {"loss": sphere(config, 1.2345)}, {f"x{i}": tune.uniform(-5, 5) for i in range(10)},
             low_cost_partial_config={f"x{i}": 4.0 for i in range(10)}, metric="loss", mode="min", num_samples=n,
             verbose=0)
    run = (cpu() - start) / n
    mine = ours("times", dimensions=10, evaluations=20000, samplers=["flow2", "flaml26"])
    ratio("FLOW2, suggest and on_trial_complete", direct, mine["flow2"]["mean"])
    ratio("the same against its own machine", direct, mine["flaml26"]["mean"])
    ratio("through tune.run", run, mine["flow2"]["mean"])


def optuna():
    import numpy as np
    import optuna as o
    from optuna.distributions import FloatDistribution
    from optuna.samplers._tpe.parzen_estimator import _ParzenEstimator, _ParzenEstimatorParameters
    from optuna.samplers._tpe.sampler import default_weights

    o.logging.set_verbosity(o.logging.ERROR)
    rng = np.random.default_rng(1)
    for d, n, logs in ((1, 4, [False]), (1, 60, [True]), (4, 30, [False, True, False, True]), (10, 400, [False] * 10)):
        low, high = [1e-3 if log else -2.0 for log in logs], [10.0 if log else 3.0 for log in logs]

        def drawn(count):
            u = rng.random((count, d))
            return [[math.exp(math.log(a) + x * math.log(b / a)) if log else a + x * (b - a)
                     for x, a, b, log in zip(one, low, high, logs)] for one in u]

        seen, at = drawn(n), drawn(50)
        names = [f"x{i}" for i in range(d)]
        space = {name: FloatDistribution(a, b, log=log) for name, a, b, log in zip(names, low, high, logs)}
        made = _ParzenEstimator({name: np.array([p[i] for p in seen]) for i, name in enumerate(names)}, space,
                                _ParzenEstimatorParameters(1.0, True, False, default_weights, True))
        theirs = made.log_pdf({name: np.array([p[i] for p in at]) for i, name in enumerate(names)})
        mine = ours("density", width="gaps", low=low, high=high, log=logs, seen=seen, at=at)
        row(f"log density of {n} kernels in {d} dimensions", max(abs(a - b) for a, b in zip(theirs, mine)), 1e-6)

    def timed(sampler, n, storage=None):
        study = o.create_study(sampler=sampler, storage=storage)
        late, start = 0.0, cpu()
        for t in range(n):
            if t == n - n // 10:
                late = cpu()
            trial = study.ask()
            study.tell(trial, sphere({i: trial.suggest_float(f"x{i}", -5, 5) for i in range(10)}, 1.2345))
        end = cpu()
        return (end - start) / n, (end - late) / (n // 10)

    n = 1000
    tpe, late = timed(o.samplers.TPESampler(seed=1), n)
    cma, _ = timed(o.samplers.CmaEsSampler(seed=1), n)
    drawn, _ = timed(o.samplers.RandomSampler(seed=1), n)
    mine = ours("times", dimensions=10, evaluations=n, samplers=["tpe", "cma", "random"])
    ratio(f"TPE over {n} evaluations", tpe, mine["tpe"]["mean"])
    ratio("TPE, the last hundred of them", late, mine["tpe"]["late"])
    ratio("CMA-ES", cma, mine["cma"]["mean"])
    ratio("random", drawn, mine["random"]["mean"])


{"flaml": flaml, "optuna": optuna}[peer]()
sys.exit(1 if failures else 0)
