#!/usr/bin/env python3
"""The gate beside other tools, where their environment was made (environment.py gate --make).

    gate.py RETRIAL_PROGRAM SOURCE_FOLDER [schemas|references|pytest_path ...]

- check-jsonschema: the CI files against its built-in schemas of GitHub workflows and GitLab CI; the documents of gate,
  history and watch against the schemas that are installed.
- mlperf-logging: the reference check on every reference of its own.
- pytest-benchmark: examples/ci/gate-pytest.sh on two commits of a test, one of them twice as slow.
"""

import glob
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

retrial, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
failures = []


def check(true, what):
    print(("ok      " if true else "FAILED  ") + what, flush=True)
    if not true:
        failures.append(what)


def jsonschema(*words):
    done = subprocess.run([os.path.join(os.path.dirname(sys.executable), "check-jsonschema"), *words], capture_output=True, text=True)
    check(done.returncode == 0, f"check-jsonschema {' '.join(words[-2:])} {done.stdout if done.returncode else ''}{done.stderr}")
    return done.returncode


def call(*words, folder, expected):
    done = subprocess.run([retrial, *words], capture_output=True, text=True, cwd=folder)
    check(done.returncode in expected, f"retrial {' '.join(words[:4])}: {done.returncode} {done.stderr if done.returncode not in expected else ''}")
    return done.stdout


def schemas(folder):
    ci = os.path.join(source, "examples/ci")
    jsonschema("--builtin-schema", "vendor.github-workflows", f"{ci}/github.yml", f"{ci}/github-comment.yml")
    jsonschema("--builtin-schema", "vendor.gitlab-ci", f"{ci}/gitlab.yml")
    rows = ["variant,pair,task,score"]
    for pair in range(14):
        rows += [f"base,{pair},sort,{10 + pair / 100}", f"head,{pair},sort,{12 + pair / 100}", f"again,{pair},sort,{10 + (-1) ** pair / 100 + pair / 100}"]
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write("\n".join(rows) + "\n")
    common = ["--scores", "t.csv", "--lower", "--allow-sequential", "--json"]
    documents = {
        "gate/gate": call("gate", "--baseline", "base", "--candidate", "head", *common, folder=folder, expected=[1]),
        "watch/watch": call("gate", "--kind", "paired_sign", "--history", "h.db", "--control", "again", "--commit", "c1", *common,
                            folder=folder, expected=[1]),
        "watch/history": call("history", "h.db", "--json", folder=folder, expected=[0]),
    }
    # A gate that ran its sides: places and digests of processes are in its document.
    stored = call("gate", "--command", "base=sleep 0.01", "--command", "head=sleep 0.05", "--seed", "1", "--mid-p", "--json", folder=folder,
                  expected=[1])
    path = os.path.join(folder, "stored.json")
    with open(path, "w") as file:
        file.write(stored)
    jsonschema("--schemafile", os.path.join(source, "harness/gate/gate.schema.json"), path)
    for name, text in documents.items():
        path = os.path.join(folder, os.path.basename(name) + ".json")
        with open(path, "w") as file:
            file.write(text)
        schema = os.path.join(source, "harness", name + ".schema.json")
        jsonschema("--check-metaschema", schema)
        jsonschema("--schemafile", schema, path)
        # The control: a document without its verdict must not fit.
        broken = json.loads(text)
        broken["exit"] = 256
        with open(path, "w") as file:
            json.dump(broken, file)
        done = subprocess.run([os.path.join(os.path.dirname(sys.executable), "check-jsonschema"), "--schemafile", schema, path], capture_output=True)
        check(done.returncode == 1, f"{name}: a document with another field is refused")


def references(folder):
    from mlperf_logging.rcp_checker import rcp_checker

    where = os.path.dirname(importlib.util.find_spec("mlperf_logging.rcp_checker.rcp_checker").origin)
    seen, worst, at = 0, 0.0, ""
    for path in sorted(glob.glob(where + "/training_*/rcps_*.json")):
        with open(path) as file:
            records = json.load(file)
        for record in records.values():
            unit = "Epochs to converge" if "Epochs to converge" in record else "samples to converge"
            runs = rcp_checker.submission_runs["training"].get(record["Benchmark"])
            reference = record.get(unit, [])
            if runs is None or len(reference) < 2 * runs or (record["Benchmark"] == "unet3d") != (runs == 40):
                continue
            checker = object.__new__(rcp_checker.RCP_Checker)
            checker.submission_runs, checker.alpha, checker.tolerance = runs, 0.05, 1e-4
            ordered = sorted(reference)
            trim = 4 if runs == 40 else 1
            inner = ordered[trim:len(ordered) - trim]
            mean = sum(inner) / len(inner)
            centre = sum(ordered) / len(ordered)
            deviation = (sum((x - centre) ** 2 for x in ordered) / len(ordered)) ** 0.5
            theirs = checker._find_min_acceptable_mean(mean, deviation, len(inner))
            rows = ["variant,score"] + [f"reference,{x}" for x in reference] + [f"mine,{mean}"] * runs
            with open(os.path.join(folder, "r.csv"), "w") as file:
                file.write("\n".join(rows) + "\n")
            done = subprocess.run([retrial, "compare", "--scores", "r.csv", "--lower", "--test", "rcp", "--json"], capture_output=True,
                                  text=True, cwd=folder)
            if done.returncode != 0:
                check(False, f"{os.path.basename(path)}: {done.stderr}")
                continue
            ours = json.loads(done.stdout)["lowest_mean"]
            seen, off = seen + 1, abs(ours - theirs) / max(1.0, theirs)
            if off > worst:
                worst, at = off, f"{os.path.basename(path)} of {runs} runs: {ours} and {theirs}"
    check(seen >= 50 and worst <= 1e-4, f"the lowest mean of {seen} references: at most {worst:.2g} of it apart ({at}); the tool bisects to 1e-4")


def pytest_path(folder):
    work, home = os.path.join(folder, "work"), os.path.join(folder, "bin")
    os.makedirs(os.path.join(work, "benchmarks"))
    os.makedirs(home)
    os.symlink(retrial, os.path.join(home, "retrial"))
    shutil.copy(os.path.join(source, "examples/ci/gate-pytest.sh"), work)
    test = os.path.join(work, "benchmarks", "test_sum.py")

    def write(count):
        with open(test, "w") as file:
            file.write(f"""import pytest

@pytest.mark.benchmark(min_rounds=5, max_time=0.02, warmup=False)
def test_sum(benchmark):
    benchmark(lambda: sum(i * i for i in range({count})))

@pytest.mark.benchmark(min_rounds=5, max_time=0.02, warmup=False)
def test_same(benchmark):
    benchmark(lambda: sum(range(20000)))
""")

    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=work, check=True, capture_output=True)

    write(3000)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    write(9000)
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + ":" + home + ":" + os.environ["PATH"]}
    done = subprocess.run(["sh", "gate-pytest.sh", "HEAD", "6", "--json"], cwd=work, env=environment, capture_output=True, text=True)
    words = {c["workload"].split("::")[-1]: c["verdict"] for c in json.loads(done.stdout)["claims"]} if done.stdout else {}
    check(done.returncode == 1 and words.get("test_sum") == "regressed" and words.get("test_same") != "regressed",
          f"gate-pytest.sh: a test three times as slow is regressed: {done.returncode} {words} {done.stderr[-500:]}")


with tempfile.TemporaryDirectory() as scratch:
    for part in (schemas, references, pytest_path):
        if len(sys.argv) == 3 or part.__name__ in sys.argv[3:]:
            part(scratch)
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
