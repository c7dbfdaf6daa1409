#!/usr/bin/env python3
"""FLAML 2.7.0 on the divisions of the study automl-quality, beside ours.
  quality.py SEARCHES FOLDER [--pairs N]     by the interpreter of environment.py flaml --make; prints CSV
  quality.py --beside RESULTS.csv            that CSV beside docs/measurements/automl-quality.scores.csv, as a table
SEARCHES is the program retrial_table_searches, FOLDER the tables (retrial data). Two ways to use FLAML:
  tune    flaml.tune with our trainings as its evaluation and our cost as its cost attribute, until the study's budget is spent
  clock   AutoML.fit on one thread, with as many seconds as the budget has microseconds
CSV: spent is in units of cost, and by the clock the CPU time in microseconds. Scores are ours, of the same test rows: that of the refitted best configuration, and that of AutoML's answers. Scores of our searches
are in docs/measurements/automl-quality.scores.csv.
"""
import argparse, csv, json, math, os, resource, subprocess, sys, tomllib, warnings

warnings.filterwarnings("ignore")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STUDY = tomllib.load(open(os.path.join(ROOT, "studies", "automl-quality.toml"), "rb"))
PROBLEMS, BUDGET = STUDY["set"]["problem"], STUDY["set"]["budget_cost"]


class Table:
    """One table of one pair: its rows, and a process that trains as our search does."""

    def __init__(self, program, folder, place, pair):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.data = self.asked(problems=",".join(PROBLEMS), place=place, budget=BUDGET, root=STUDY["seed"], pair=pair, folder=folder)

    def asked(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def frame(self):
        """Cells as FLAML wants them: categories are a type of their own."""
        import numpy as np
        import pandas as pd
        columns = len(self.data["categories"])
        cells = np.array([math.nan if cell is None else cell for cell in self.data["cells"]]).reshape(-1, columns)
        made = pd.DataFrame(cells, columns=[f"c{i}" for i in range(columns)])
        for i, categories in enumerate(self.data["categories"]):
            if categories:
                made[f"c{i}"] = made[f"c{i}"].astype("Int64").astype("category")
        target = np.array(self.data["target"])
        return made, target if self.data["task"] == "regression" else target.astype(int)


def distribution(p):
    from flaml import tune
    if p["choices"]:
        return tune.choice(list(range(p["choices"])))
    if p["whole"]:
        return (tune.lograndint if p["log"] else tune.randint)(int(p["low"]), int(p["high"]))
    return (tune.loguniform if p["log"] else tune.uniform)(p["low"], p["high"])


def by_tune(table, seed):
    import numpy as np
    from flaml import tune
    learners = table.data["learners"]
    spaces = [{"learner": place} | {p["name"]: distribution(p) for p in learner["space"]} for place, learner in enumerate(learners)]
    cheap = [{p["name"]: p["cheapest"] for p in learner["space"] if p["cheapest"] is not None} for learner in learners]
    spent = [0, 0]

    def evaluate(config):
        chosen = dict(config["of"])
        done = table.asked(learner=chosen.pop("learner"), configuration=chosen)
        spent[0], spent[1] = spent[0] + done["cost"], spent[1] + 1
        return done

    np.random.seed(seed)
    found = tune.run(evaluate, config={"of": tune.choice(spaces)}, low_cost_partial_config={"of": cheap}, metric="loss", mode="min",
                     cost_attr="cost", cost_budget=BUDGET, time_budget_s=600, num_samples=-1, verbose=0)
    best = dict(found.best_config["of"])
    learner = best.pop("learner")
    return table.asked(refit={"learner": learner, "configuration": best})["score"], spent[0], spent[1]


def by_clock(table, seed):
    from flaml import AutoML
    frame, target = table.frame()
    train, test = table.data["train"], table.data["test"]
    task = "regression" if table.data["task"] == "regression" else "classification"
    automl = AutoML()
    names = [learner["name"] for learner in table.data["learners"]]
    began = resource.getrusage(resource.RUSAGE_SELF)
    automl.fit(X_train=frame.iloc[train].reset_index(drop=True), y_train=target[train], task=task, time_budget=BUDGET / 1e6, n_jobs=1,
               estimator_list=names, seed=seed + 1, verbose=0)
    ended = resource.getrusage(resource.RUSAGE_SELF)
    rows = frame.iloc[test].reset_index(drop=True)
    if task == "regression":
        answers = automl.predict(rows)
    else:
        shares = automl.predict_proba(rows)
        answers = shares[:, 1] if table.data["task"] == "binary" else shares.reshape(-1)
    score = table.asked(answers=[float(one) for one in answers])["score"]
    cpu = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    return score, round(cpu * 1e6), ""


def beside(results):
    """Means of the same divisions, and the pairs in which the variant flaml of the study is the better one."""
    theirs, ours = {}, {}
    with open(results, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            theirs[row["problem"], row["metric"], int(row["pair"]), row["system"]] = float(row["score"])
    with open(os.path.join(ROOT, "docs/measurements/automl-quality.scores.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["variant"] == "flaml" and row["score"]:
                ours[row["metric"], int(row["pair"])] = float(row["score"])
    print("| table | metric | `flaml` | `tune` | ahead | `clock` | ahead |\n|---|---|---:|---:|---:|---:|---:|")
    total = {"tune": [0, 0], "clock": [0, 0]}
    for problem, metric in dict.fromkeys((problem, metric) for problem, metric, *_ in theirs):
        name = problem.removeprefix("data:")
        pairs = sorted({pair for found, _, pair, _ in theirs if found == problem})
        mine = [ours[f"test_{metric}_{name.replace('-', '_')}", pair] for pair in pairs]
        cells = [f"{sum(mine) / len(mine):.4f}"]
        for system, count in total.items():
            other = [theirs[problem, metric, pair, system] for pair in pairs]
            won = sum((a < b) == (metric == "logloss") if a != b else 0.5 for a, b in zip(mine, other))
            count[0], count[1] = count[0] + won, count[1] + len(pairs)
            cells += [f"{sum(other) / len(other):.4f}", f"{won:g} of {len(pairs)}"]
        print(f"| {name} | {metric} | {' | '.join(cells)} |")
    print("; ".join(f"ahead of {system} in {won:g} of {all_} ({won / all_:.2f})" for system, (won, all_) in total.items()))


def main():
    if sys.argv[1:2] == ["--beside"]:
        beside(sys.argv[2])
        return
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("searches")
    asked.add_argument("folder")
    asked.add_argument("--pairs", type=int, default=5)
    given = asked.parse_args()
    print("problem,metric,pair,system,score,spent,evaluations", flush=True)
    for pair in range(given.pairs):
        for place, problem in enumerate(PROBLEMS):
            table = Table(os.path.abspath(given.searches), os.path.abspath(given.folder), place, pair)
            for system, search in (("tune", by_tune), ("clock", by_clock)):
                score, spent, evaluations = search(table, pair)
                print(f"{problem},{table.data['metric']},{pair},{system},{score!r},{spent},{evaluations}", flush=True)
            table.close()


if __name__ == "__main__":
    main()
