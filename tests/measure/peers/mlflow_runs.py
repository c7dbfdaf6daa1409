"""RUNS runs of ten metrics through MLflow's tracking store on SQLite, as its client writes them.
  mlflow_runs.py RUNS FOLDER
"""
import json, os, sys, time

from mlflow.entities import Metric, RunStatus
from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore


def main():
    runs, folder = int(sys.argv[1]), sys.argv[2]
    store = SqlAlchemyStore("sqlite:///" + os.path.join(folder, "mlflow.db"), os.path.join(folder, "artifacts"))
    experiment = store.create_experiment("retrial")
    begin = time.perf_counter(), time.process_time()
    for i in range(runs):
        run = store.create_run(experiment, "user", 0, [], f"run {i}").info.run_id
        store.log_batch(run, [Metric(chr(97 + m), 1.0 / (i + 1) + m, 0, 0) for m in range(10)], [], [])
        store.update_run_info(run, RunStatus.FINISHED, 1, f"run {i}")
    print(json.dumps({"runs": runs, "wall_s": time.perf_counter() - begin[0],
                      "cpu_s": time.process_time() - begin[1]}))


main()
