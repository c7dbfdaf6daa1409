"""Writes the files of this folder with the programs whose exports they are. In a folder of its own, with
  pip install mlflow==3.17.2 pandas==3.1.1 sacred==0.8.7 tensorboard==2.21.0 tensorboardX==2.6.5 optuna==5.0.0 scikit-learn==1.9.1
  python3 make.py FOLDER
Run ids, dates and paths differ from time to time, the scores do not.
"""
import json, os, pathlib, shutil, socket, subprocess, sys, tempfile, time, urllib.request

SCORES = {0: {"kd": 0.91, "base": 0.89}, 1: {"kd": 0.92, "base": 0.90}, 2: {"kd": 0.93, "base": 0.88}}
RUNS = [(model, seed, SCORES[seed][model]) for seed in SCORES for model in SCORES[seed]]


def curve(score):
    """Three epochs, the last of which is the score."""
    return [(0, score - 0.2), (1, score - 0.1), (2, score)]


def pandas_tables(out):
    import pandas
    frame = pandas.DataFrame(RUNS, columns=["model", "seed", "acc"])
    frame.to_csv(out / "pandas.csv", index=False)
    frame.to_csv(out / "pandas-index.csv")
    frame.to_csv(out / "pandas-semicolon.csv", index=False, sep=";", decimal=",")
    frame.pivot(index="seed", columns="model", values="acc").to_csv(out / "pandas-pivot.csv")
    frame.pivot(index="model", columns="seed", values="acc").to_csv(out / "pandas-pivot-models.csv")
    frame.set_index(["model", "seed"]).unstack(0).to_csv(out / "pandas-unstack.csv")
    frame.groupby("model").acc.describe().to_csv(out / "pandas-describe.csv")
    steps = [(model, seed, step, value) for model, seed, score in RUNS for step, value in curve(score)]
    pandas.DataFrame(steps, columns=["model", "seed", "epoch", "acc"]).to_csv(out / "pandas-epochs.csv", index=False)


def mlflow_table(out):
    import mlflow
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    experiment = mlflow.set_experiment("distillation").experiment_id
    for model, seed, score in RUNS:
        with mlflow.start_run():
            mlflow.log_params({"model": model, "seed": seed, "lr": 0.1})
            for step, value in curve(score):
                mlflow.log_metrics({"acc": value, "loss": 1 - value}, step=step)
    subprocess.run([sys.executable, "-m", "mlflow", "experiments", "csv", "--experiment-id", experiment, "-o",
                    str(out / "mlflow-experiments.csv")], check=True,
                   env={**os.environ, "MLFLOW_TRACKING_URI": "sqlite:///mlflow.db"})


def sacred_files(out):
    import pandas
    from sacred import Experiment
    from sacred.observers import FileStorageObserver
    for model, seed, score in RUNS:
        experiment = Experiment("digits", save_git_info=False)
        experiment.observers.append(FileStorageObserver("runs"))
        experiment.add_config(optimizer=model, lr=0.1)

        @experiment.main
        def run(_run, seed):
            for step, value in curve(score):
                _run.log_scalar("acc", value, step)
            return score

        experiment.run(config_updates={"seed": seed})
    names = ["run", "config", "metrics"]
    for name in names:
        shutil.copy(f"runs/1/{name}.json", out / f"sacred-{name}.json")
    runs = [[json.load(open(folder / f"{name}.json")) for name in names] for folder in sorted(pathlib.Path("runs").iterdir())
            if folder.name.isdigit()]
    pandas.DataFrame([{**config, **{key: run[key] for key in ("result", "status", "start_time")}}
                      for run, config, _ in runs]).to_csv(out / "sacred-runs.csv")
    pandas.json_normalize([{**run, "config": config} for run, config, _ in runs]).to_csv(out / "sacred-normalized.csv",
                                                                                        index=False)


def tensorboard_scalars(out):
    from tensorboardX import SummaryWriter
    for model, seed, score in RUNS:
        with SummaryWriter(f"logs/{model}-{seed}") as writer:
            for step, value in curve(score):
                writer.add_scalar("val/acc", value, step)
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "tensorboard.main", "--logdir", "logs", "--port", str(port)])
    page = f"http://localhost:{port}/data/plugin/scalars/"
    try:
        for _ in range(60):
            time.sleep(1)
            try:
                if len(json.load(urllib.request.urlopen(page + "tags"))) == len(RUNS):
                    break
            except OSError:
                pass
        for model, seed, _ in RUNS:
            url = page + f"scalars?tag=val%2Facc&run={model}-{seed}&format=csv"
            (out / f"tensorboard-{model}-{seed}.csv").write_bytes(urllib.request.urlopen(url).read())
    finally:
        server.terminate()


def searches(out):
    import optuna, pandas
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, cross_validate
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.GridSampler(
        {"model": ["base", "kd"], "seed": [0, 1, 2]}, seed=1))
    study.optimize(lambda trial: SCORES[trial.suggest_int("seed", 0, 2)][
        trial.suggest_categorical("model", ["base", "kd"])], n_trials=6)
    study.trials_dataframe().to_csv(out / "optuna-trials.csv")
    x, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500)
    grid = GridSearchCV(model, {"C": [0.1, 1.0]}, cv=5).fit(x, y)
    pandas.DataFrame(grid.cv_results_).to_csv(out / "sklearn-grid.csv")
    pandas.DataFrame(cross_validate(model, x, y, cv=5, return_train_score=True)).to_csv(out / "sklearn-folds.csv")


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for make in (pandas_tables, mlflow_table, sacred_files, tensorboard_scalars, searches):
            make(out)


main()
