#!/usr/bin/env python3
"""Agents of Stable-Baselines3 beside ours: mean returns after trainings with the same settings, and steps per CPU-second.
  agents.py RETRIAL [options]     RETRIAL: the program; run by the environment `sb3` (environment.py sb3 --make)
Both sides train with the defaults of Stable-Baselines3 (ours: settings = "sb3"), or with settings of rl-baselines3-zoo (--settings
zoo, DQN alone), one thread, for as many seeds, and are judged
without draws on reset seeds 0 to 99, one episode each. A row agrees when the Welch interval of the difference of the means over
seeds, 95 %, covers 0; of twenty rows without a difference one disagrees by chance. Exit 1 where a row disagrees.
CPU time is that of learn() there and that of the whole trial, with start and evaluation, here; medians over seeds.
Its actions are single precision, ours double. Trainings are stored in --cache as they finish, and ours beside it.
"""
import argparse, json, math, os, sqlite3, statistics, subprocess, sys, tempfile, time
from multiprocessing import get_context

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

NAMES = {"cartpole": "CartPole-v1", "pendulum": "Pendulum-v1", "acrobot": "Acrobot-v1", "mountaincar": "MountainCar-v0"}
# Environment and steps of each algorithm, as in workloads/rl/settings/published.cpp.
CELLS = {"ppo": ("cartpole", 100_000), "a2c": ("cartpole", 500_000), "dqn": ("cartpole", 50_000),
         "sac": ("pendulum", 20_000), "td3": ("pendulum", 20_000), "ddpg": ("pendulum", 20_000)}
# hyperparams/dqn.yml of rl-baselines3-zoo: steps, and what differs from the defaults.
WIDE = {"policy_kwargs": {"net_arch": [256, 256]}}
ZOO = {("dqn", "cartpole"): (50_000, {"learning_rate": 2.3e-3, "batch_size": 64, "buffer_size": 100_000, "learning_starts": 1000,
                                      "target_update_interval": 10, "train_freq": 256, "gradient_steps": 128,
                                      "exploration_fraction": .16, "exploration_final_eps": .04, **WIDE}),
       ("dqn", "mountaincar"): (120_000, {"learning_rate": 4e-3, "batch_size": 128, "buffer_size": 10_000, "learning_starts": 1000,
                                          "gamma": .98, "target_update_interval": 600, "train_freq": 16, "gradient_steps": 8,
                                          "exploration_fraction": .2, "exploration_final_eps": .07, **WIDE}),
       ("dqn", "acrobot"): (100_000, {"learning_rate": 6.3e-4, "batch_size": 128, "buffer_size": 50_000, "learning_starts": 0,
                                      "target_update_interval": 250, "gradient_steps": -1, "exploration_fraction": .12,
                                      "exploration_final_eps": .1, **WIDE})}
STARTS = 100


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="RETRIAL")
    parser.add_argument("--algorithms", default=",".join(CELLS), help="some of " + ",".join(CELLS))
    parser.add_argument("--settings", choices=["sb3", "zoo"], default="sb3")
    parser.add_argument("--environment", choices=sorted(NAMES), help="in place of those of the cells")
    parser.add_argument("--seeds", type=int, default=10, help="trainings of each side")
    parser.add_argument("--seed", type=int, default=1, help="root seed of our study, and first seed of theirs")
    parser.add_argument("--steps", type=int, help="steps of every training, in place of those of the cell")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a key of ours, to look for a reason")
    parser.add_argument("--jobs", type=int, default=1, help="trainings at a time")
    parser.add_argument("--store", metavar="DB", help="take ours from variants ALGORITHM-ENVIRONMENT-sb3 of this store, where it has them")
    parser.add_argument("--cache", metavar="FILE", help="trainings of theirs, a line of JSON each; ours are in FILE.ours")
    parser.add_argument("--cached", action="store_true", help="train nothing of theirs; compare what the cache has")
    parser.add_argument("--json", metavar="FILE", help="write the rows")
    return parser.parse_args()


def judged(model, name):
    """Mean return of the deterministic policy, every start once."""
    import gymnasium, numpy as np
    environments = [gymnasium.make(name) for _ in range(STARTS)]
    observations = np.array([env.reset(seed=seed)[0] for seed, env in enumerate(environments)])
    returns, under_way = [0.0] * STARTS, list(range(STARTS))
    while under_way:
        actions, _ = model.predict(observations[under_way], deterministic=True)
        left = []
        for place, action in zip(under_way, actions):
            observations[place], reward, terminated, truncated, _ = environments[place].step(action)
            returns[place] += float(reward)
            if not (terminated or truncated):
                left.append(place)
        under_way = left
    return sum(returns) / STARTS


def trained(task):
    """One training of theirs."""
    settings, algorithm, environment, steps, seed = task
    import stable_baselines3, torch
    torch.set_num_threads(1)
    more = ZOO[algorithm, environment][1] if settings == "zoo" else {}
    model = getattr(stable_baselines3, algorithm.upper())("MlpPolicy", NAMES[environment], seed=seed, device="cpu", **more)
    begin = time.process_time()
    model.learn(steps)
    spent = time.process_time() - begin
    return {"settings": settings, "algorithm": algorithm, "environment": environment, "steps": steps, "seed": seed, "cpu_s": spent,
            "return": judged(model, NAMES[environment]), "sb3": stable_baselines3.__version__, "torch": torch.__version__}


def cached(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path) as file:
        lines = [json.loads(line) for line in file if line.endswith("\n")]
    return {(one.get("settings", "sb3"), one["algorithm"], one["environment"], one["steps"], one["seed"]): one for one in lines}


def theirs(asked, algorithm, environment, steps):
    """Pairs of a mean return and steps per CPU-second."""
    tasks = [(asked.settings, algorithm, environment, steps, asked.seed + i) for i in range(asked.seeds)]
    known = cached(asked.cache)
    missing = [] if asked.cached else [task for task in tasks if task not in known]
    with get_context("spawn").Pool(asked.jobs) as pool:
        for task, found in zip(missing, pool.imap(trained, missing)):
            known[task] = found
            print(f"{algorithm} of Stable-Baselines3, seed {task[4]}: {found['return']:.2f}, {found['cpu_s']:.0f} CPU-s",
                  file=sys.stderr, flush=True)
            if asked.cache:
                with open(asked.cache, "a") as file:
                    file.write(json.dumps(found) + "\n")
    return [(known[task]["return"], steps / known[task]["cpu_s"]) for task in tasks if task in known]


def stored(path, variant, steps, seeds):
    """The same of a variant in a store."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = store.execute("SELECT m.value, t.cpu_s FROM v_summary m JOIN v_trial t USING(study, variant, pair_index, replicate, identity, "
                         "status) WHERE variant = ? AND m.metric = 'return' AND replicate = 0 AND status IN ('ok', 'diverged') "
                         "ORDER BY pair_index LIMIT ?", (variant, seeds)).fetchall()
    store.close()
    return [(math.nan if value is None else value, steps / cpu_s) for value, cpu_s in rows]


def study_of(asked, algorithm, environment):
    keys = {"settings": asked.settings, "env": environment, "steps": asked.steps or -1}
    lines = ["schema = 1", f'name = "agents-{algorithm}"', 'workload = "rl"', f"seed = {asked.seed}", f"pairs = {asked.seeds}",
             'vary = "all"', "[set]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items()),
             f"[variant.{algorithm}-{environment}-{asked.settings}]", f'preset = "{algorithm}"']
    return "\n".join(lines) + "\n"


def ours(asked, algorithm, environment, steps, folder):
    variant = f"{algorithm}-{environment}-{asked.settings}"
    if asked.store and not asked.steps and not asked.set:
        found = stored(asked.store, variant, steps, asked.seeds)
        if found:
            return found
    name = "-".join([algorithm, environment, asked.settings, str(asked.seed), str(asked.seeds), str(steps), *asked.set])
    study, store = os.path.join(folder, name + ".toml"), os.path.join(folder, name + ".db")
    with open(study, "w") as file:
        file.write(study_of(asked, algorithm, environment))
    words = [os.path.abspath(asked.program), "run", study, "--db", store, "--jobs", str(asked.jobs)]
    subprocess.run(words + [word for one in asked.set for word in ("--set", one)], check=True, stdout=subprocess.DEVNULL)
    return stored(store, variant, steps, asked.seeds)


def interval(values):
    from scipy.stats import t
    half = float(t.ppf(.975, len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))
    mean = statistics.fmean(values)
    return mean, mean - half, mean + half


def welch(a, b):
    """Difference of the means, a less b, with its interval."""
    from scipy.stats import t
    parts = [statistics.variance(values) / len(values) for values in (a, b)]
    difference = statistics.fmean(a) - statistics.fmean(b)
    if sum(parts) == 0:
        return difference, difference, difference
    freedom = sum(parts) ** 2 / sum(part ** 2 / (len(values) - 1) for part, values in zip(parts, (a, b)))
    half = float(t.ppf(.975, freedom)) * math.sqrt(sum(parts))
    return difference, difference - half, difference + half


def row_of(asked, algorithm, folder):
    environment, steps = CELLS[algorithm]
    environment = asked.environment or environment
    if asked.settings == "zoo":
        steps = ZOO[algorithm, environment][0]
    steps = asked.steps or steps
    peer = theirs(asked, algorithm, environment, steps)
    if len(peer) < 2:
        return None
    own = ours(asked, algorithm, environment, steps, folder)
    (a, fast), (b, slow) = zip(*own), zip(*peer)
    difference = welch(a, b)
    return {"algorithm": algorithm, "environment": environment, "steps": steps, "sb3": interval(b), "ours": interval(a),
            "seeds": [len(b), len(a)], "difference": difference, "agrees": difference[1] <= 0 <= difference[2],
            "sb3_steps_per_cpu_s": statistics.median(slow), "our_steps_per_cpu_s": statistics.median(fast),
            "ratio": statistics.median(fast) / statistics.median(slow), "sb3_returns": b, "our_returns": a}


def line_of(row):
    def text(three):
        return f"{three[0]:9.2f} [{three[1]:9.2f}, {three[2]:9.2f}]"
    return (f"{row['algorithm']:5} {row['environment']:9} {row['steps']:7} "
            f"{text(row['sb3'])}  {text(row['ours'])}  {text(row['difference'])}  "
            f"{'agrees   ' if row['agrees'] else 'DISAGREES'} {row['seeds'][0]:3} and {row['seeds'][1]:2} "
            f"{row['sb3_steps_per_cpu_s']:9.0f} {row['our_steps_per_cpu_s']:9.0f} {row['ratio']:7.1f}")


def main():
    asked = options()
    import gymnasium, numpy, stable_baselines3, torch
    print(f"Stable-Baselines3 {stable_baselines3.__version__}, gymnasium {gymnasium.__version__}, torch {torch.__version__}, "
          f"numpy {numpy.__version__}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.cache + ".ours" if asked.cache else scratch
        os.makedirs(folder, exist_ok=True)
        rows = []
        print(f"{'':23} {'Stable-Baselines3':32}  {'ours':32}  {'ours less theirs':32}  {'':9} {'seeds':>10} "
              f"{'theirs/s':>9} {'ours/s':>9} {'ratio':>7}")
        for algorithm in asked.algorithms.split(","):
            row = row_of(asked, algorithm, folder)
            if row is None:
                print(f"{algorithm:5} fewer than two trainings")
                continue
            rows.append(row)
            print(line_of(row), flush=True)
    if asked.json:
        with open(asked.json, "w") as file:
            json.dump(rows, file, indent=1)
    return 0 if rows and all(row["agrees"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
