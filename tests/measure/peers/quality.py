#!/usr/bin/env python3
"""FLAML 2.7.0 on the divisions of the study automl-quality, beside ours.
  quality.py SEARCHES FOLDER [--pairs N]     by the interpreter of environment.py flaml --make; prints CSV
SEARCHES is the program retrial_table_searches, FOLDER the tables (retrial data). Two ways to use FLAML:
  tune    flaml.tune with our trainings as its evaluation and our cost as its cost attribute, until the study's budget is spent
  clock   AutoML.fit on one thread, with as many seconds as the budget has microseconds
CSV: spent is in units of cost, and by the clock the CPU time in microseconds. Scores are ours, of the same test rows: that of the refitted best configuration, and that of AutoML's answers. Scores of our searches
are in docs/measurements/automl-quality.scores.csv.
"""
import argparse, json, math, os, resource, subprocess, sys, tomllib, warnings

warnings.filterwarnings("ignore")
import numpy as np
import pandas as pd
from flaml import AutoML, tune

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
        columns = len(self.data["categories"])
        cells = np.array([math.nan if cell is None else cell for cell in self.data["cells"]]).reshape(-1, columns)
        made = pd.DataFrame(cells, columns=[f"c{i}" for i in range(columns)])
        for i, categories in enumerate(self.data["categories"]):
            if categories:
                made[f"c{i}"] = made[f"c{i}"].astype("Int64").astype("category")
        target = np.array(self.data["target"])
        return made, target if self.data["task"] == "regression" else target.astype(int)


def distribution(p):
    if p["choices"]:
        return tune.choice(list(range(p["choices"])))
    if p["whole"]:
        return (tune.lograndint if p["log"] else tune.randint)(int(p["low"]), int(p["high"]))
    return (tune.loguniform if p["log"] else tune.uniform)(p["low"], p["high"])


def by_tune(table, seed):
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


def main():
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


main()
