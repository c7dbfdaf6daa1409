#!/usr/bin/env python3
"""Prints the rows of workloads/automl/learners/tuned.cpp from a store of studies/automl-quality.toml.

    tuned_configurations.py automl-quality.db

For each table the learners that `flaml` found best, the most frequent first, at most four; of each the configuration with the least
loss of the pairs in which it was best.
"""
import json
import sqlite3
import sys
from collections import Counter, defaultdict

QUERY = """SELECT artifact.name, artifact.body FROM plan JOIN trial USING (identity, replicate) JOIN artifact USING (trial_id)
           WHERE plan.variant = 'flaml' AND artifact.name LIKE 'best\\_%' ESCAPE '\\'"""


def value(item):
    return json.dumps(item) if isinstance(item, str) else repr(float(item))


def main(store):
    found, times = defaultdict(dict), Counter()
    for name, body in sqlite3.connect(f"file:{store}?mode=ro", uri=True).execute(QUERY):
        best, table = json.loads(body), name.removeprefix("best_")
        times[table, best["learner"]] += 1
        if best["loss"] < found[table].get(best["learner"], {"loss": float("inf")})["loss"]:
            found[table][best["learner"]] = best
    for table, learners in sorted(found.items()):
        print(f"// {table}")
        for learner in sorted(learners, key=lambda one: (-times[table, one], one))[:4]:
            values = ", ".join(f'{{"{key}", {value(item)}}}' for key, item in learners[learner]["configuration"].items())
            print(f'{{"{learner}", {{{values}}}}},')


if __name__ == "__main__":
    main(*sys.argv[1:])
