#!/usr/bin/env python3
"""The models that a search leaves, loaded by the Python packages xgboost and lightgbm: equal answers for the test rows.
  models.py SEARCHES FOLDER     by the interpreter of environment.py flaml --make
SEARCHES is the program retrial_table_searches, FOLDER the tables (retrial data). For each table of the study automl-quality and each
boosted learner the program trains 50 rounds on the first division and hands over the model, byte for byte what the artifact `model`
holds. Answers must be equal in every bit; exit 1 where one is not. As the control, a row of other cells must change an answer.
"""
import os, sys, tempfile

from quality import PROBLEMS, Table

BOOSTED = ("xgboost", "xgb_limitdepth", "lgbm")


def loaded(learner, text, suffix):
    """A function from rows to answers."""
    import numpy as np
    with tempfile.NamedTemporaryFile("w", suffix=suffix, delete=False) as file:
        file.write(text)
    try:
        if learner == "lgbm":
            import lightgbm
            booster = lightgbm.Booster(model_file=file.name)
            return lambda rows: booster.predict(rows, num_threads=1)
        import xgboost
        booster = xgboost.Booster(model_file=file.name)
        return lambda rows: booster.predict(xgboost.DMatrix(rows, missing=np.nan)).astype(float)
    finally:
        os.unlink(file.name)


def start_of(space):
    whole = {p["name"]: int(p["init"]) if p["whole"] or p["choices"] else p["init"] for p in space}
    return whole | {"n_estimators": 50}


def main(program, folder):
    import numpy as np
    wrong = compared = 0
    for place, problem in enumerate(PROBLEMS):
        table = Table(program, folder, place, 0)
        cells = np.array([np.nan if cell is None else cell for cell in table.data["cells"]], dtype=np.float32)
        rows = cells.reshape(-1, len(table.data["categories"]))[table.data["test"]]
        for at, learner in enumerate(table.data["learners"]):
            if learner["name"] not in BOOSTED:
                continue
            made = table.asked(model={"learner": at, "configuration": start_of(learner["space"])})
            predict = loaded(learner["name"], made["bytes"], ".txt" if learner["name"] == "lgbm" else ".json")
            ours, theirs = np.array(made["predictions"]), np.ravel(predict(rows))
            moved = not np.array_equal(theirs, np.ravel(predict(rows[::-1])))
            same = np.array_equal(ours, theirs) and moved
            compared, wrong = compared + 1, wrong + (not same)
            print(f"{problem:20} {learner['name']:15} {len(rows):6} rows  {'equal' if same else 'DIFFERENT'}"
                  + ("" if same else f", up to {np.max(np.abs(ours - theirs)):.3g}"))
        table.close()
    print(f"{compared} models, {wrong} with other answers")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
