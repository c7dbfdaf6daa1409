#!/usr/bin/env python3
"""Runs the steps of examples/ci as a runner would: two commits of a Google Benchmark program with six kernels.

    steps.py RETRIAL_PROGRAM SOURCE_FOLDER

The runner's files and variables are temporary ones; sudo, apt-get and gh are stand-ins that note how they were called.
Exit code 77: valgrind, git, shellcheck or Google Benchmark is missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

retrial, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
examples, kernels = os.path.join(source, "examples/ci"), os.path.join(source, "tests/ci/kernels")
failures = []


def check(true, what):
    print(("ok      " if true else "FAILED  ") + what, flush=True)
    if not true:
        failures.append(what)


def steps_of(text):
    """The run: blocks of a GitHub workflow, and the script: lines of a GitLab job, in order: (name, commands)."""
    out, name, lines = [], "", text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if found := re.match(r"\s*- name: (.*)", line):
            name = found[1]
        elif found := re.match(r"(\s*)(- )?run: (.*)", line):
            depth, commands = len(found[1] + (found[2] or "")), found[3]
            if commands == "|":
                block = []
                while at < len(lines) and (not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip()) > depth):
                    block.append(lines[at].strip())
                    at += 1
                commands = "\n".join(block)
            out.append((name, commands))
        elif re.match(r"\s*script:$", line):
            while at < len(lines) and (found := re.match(r"\s*- (.*)", lines[at])):
                out.append(("script", found[1]))
                at += 1
    return out


def command(*argv, folder, **more):
    return subprocess.run(argv, cwd=folder, check=True, capture_output=True, text=True, **more).stdout.strip()


class Runner:
    """A folder with two commits, and the environment of a job."""

    def __init__(self, folder):
        self.folder, self.home = os.path.join(folder, "work"), folder
        self.tools = os.path.join(folder, "tools")
        os.makedirs(self.folder)
        os.makedirs(self.tools)
        os.symlink(retrial, os.path.join(self.tools, "retrial"))
        for name in ("sudo", "apt-get", "gh"):
            self.stand_in(name, "exit 0")
        shutil.copytree(kernels, self.folder, dirs_exist_ok=True)
        for name in ("gate.sh", "comment.py"):
            shutil.copy(os.path.join(examples, name), self.folder)
        command("git", "init", "-q", "-b", "main", folder=self.folder)
        self.base = self.commit("six kernels")

    def stand_in(self, name, does):
        path = os.path.join(self.tools, name)
        with open(path, "w") as file:
            file.write(f'#!/bin/sh\necho "{name} $*" >>"{self.home}/calls"\n{does}\n')
        os.chmod(path, 0o755)

    def commit(self, message):
        command("git", "add", "-A", folder=self.folder)
        command("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", message,
                folder=self.folder)
        return command("git", "rev-parse", "HEAD", folder=self.folder)

    def edit(self, before, after):
        path = os.path.join(self.folder, "bench.cpp")
        with open(path) as file:
            text = file.read()
        assert before in text, before
        with open(path, "w") as file:
            file.write(text.replace(before, after))

    def run(self, commands, **variables):
        environment = {"PATH": self.tools + ":" + os.environ["PATH"], "HOME": self.home, "LC_ALL": "C.UTF-8",
                       "TMPDIR": self.home, "GITHUB_STEP_SUMMARY": self.home + "/summary", "GITHUB_OUTPUT": self.home + "/output",
                       "GITHUB_REPOSITORY": "somebody/kernels", **variables}
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", commands], cwd=self.folder,
                              env=environment, capture_output=True, text=True, timeout=900)

    def written(self, name):
        path = os.path.join(self.home, name)
        return open(path).read() if os.path.exists(path) else ""


def steps_in(name):
    with open(os.path.join(examples, name)) as file:
        return steps_of(file.read())


def lint():
    for name in ("github.yml", "github-comment.yml", "gitlab.yml"):
        for step, commands in steps_in(name):
            found = subprocess.run(["shellcheck", "-s", "bash", "-"], input=commands, text=True, capture_output=True)
            check(found.returncode == 0, f"shellcheck {name}: {step} {found.stdout}")
    for name in ("gate.sh", "gate-pytest.sh"):
        found = subprocess.run(["shellcheck", os.path.join(examples, name)], text=True, capture_output=True)
        check(found.returncode == 0, f"shellcheck {name} {found.stdout}")
    if shutil.which("actionlint"):
        for name in ("github.yml", "github-comment.yml"):
            found = subprocess.run(["actionlint", os.path.join(examples, name)], text=True, capture_output=True)
            check(found.returncode == 0, f"actionlint {name} {found.stdout}")
    else:
        print("left out: actionlint is not installed")


def github(runner, expected, what):
    """Runs every step of the first workflow; the last one is the gate."""
    steps = steps_in("github.yml")
    for name, commands in steps[:-1]:
        done = runner.run(commands)
        check(done.returncode == 0, f"{what}: {name} {done.stderr}")
    done = runner.run(steps[-1][1], BASE=runner.base, NUMBER="7")
    check(done.returncode == expected, f"{what}: exit code {done.returncode}, expected {expected} {done.stderr[-2000:] if done.returncode != expected else ''}")
    path = os.path.join(runner.folder, "gate/verdict.json")
    with open(path) as file:
        return json.load(file), done


def words(verdict):
    return {claim["workload"].split("/")[0]: claim["verdict"] for claim in verdict["claims"]}


def main():
    for name in ("valgrind", "git", "shellcheck", "cmake"):
        if not shutil.which(name):
            print(f"left out: {name} is missing")
            return 77
    lint()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder)
        verdict, _ = github(runner, 0, "the same commit twice")
        check(set(words(verdict).values()) == {"equivalent"} and len(verdict["claims"]) == 6, f"all are equivalent: {words(verdict)}")
        times_of_one_process(runner)
        runner.edit("11, 100", "11, 105")
        head = runner.commit("triad takes 5 % more steps")
        verdict, done = github(runner, 1, "one kernel is 5 % slower")
        check(words(verdict) == {"copy": "equivalent", "scale": "equivalent", "add": "equivalent", "triad": "regressed",
                                 "dot": "equivalent", "norm": "equivalent"}, f"triad alone is regressed: {words(verdict)}")
        triad = next(c for c in verdict["claims"] if c["verdict"] == "regressed")
        # 5 % of 10 of the some 12.75 million instructions of the process.
        check(0.035 < triad["effect"] < 0.045 and triad["metric"] == "instructions", f"the effect of triad: {triad['effect']}")
        check("::error title=triad" in done.stderr, "an annotation names it")
        check("triad" in runner.written("summary") and "verdict=regressed" in runner.written("output"), "summary and outputs")
        with open(os.path.join(runner.folder, "gate/junit.xml")) as file:
            check('failure type="regressed"' in file.read(), "JUnit has the failure")
        comment(runner, head)
        gitlab(runner)
        runner.edit('BENCHMARK_TEMPLATE(kernel, 13, 100)->Name("dot")->Iterations(1);\n', "")
        runner.edit("11, 105", "11, 100")
        runner.commit("dot is gone")
        verdict, done = github(runner, 4, "one kernel is removed")
        check(words(verdict)["dot"] == "missing", f"dot is missing: {words(verdict)}")
        check("dot" in done.stderr, "an annotation names the removed kernel")
        leftovers = command("git", "worktree", "list", folder=runner.folder)
        check(leftovers.count("\n") == 0, f"no worktree is left: {leftovers}")
    print(f"{len(failures)} failed")
    return 1 if failures else 0


def times_of_one_process(runner):
    """The real library's JSON: no verdict on times is expected of a shared machine."""
    build = os.path.join(runner.home, "build")
    command("cmake", "-S", runner.folder, "-B", build, folder=runner.folder)
    command("cmake", "--build", build, folder=runner.folder)
    sides = [f"--command={side}={build}/bench --benchmark_out={{out}}/b.json" for side in ("base", "head")]
    done = subprocess.run([retrial, "gate", *sides, "--read-google-benchmark", "{out}/b.json", "--repetitions", "3", "--pairs", "8",
                           "--allow-sequential", "--json"], cwd=runner.home, capture_output=True, text=True, timeout=300)
    claims = {claim["metric"]: claim for claim in json.loads(done.stdout or '{"claims": []}')["claims"]}
    check(sorted(claims) == sorted(f"{name}/iterations:1:{time}" for name in ("copy", "scale", "add", "triad", "dot", "norm")
                                   for time in ("real_time", "cpu_time")), f"two times of each kernel: {sorted(claims)} {done.stderr}")
    check(all(claim["n"] == [8, 8] and claim["median"][0] > 0 for claim in claims.values()), "of every process")


def gitlab(runner):
    command("git", "branch", "-f", "target", runner.base, folder=runner.folder)
    done = runner.run("git remote add origin . 2>/dev/null; true")
    codes = []
    for _, commands in steps_in("gitlab.yml"):
        done = runner.run(commands, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="target")
        codes.append(done.returncode)
    check(codes[-1] == 1 and not any(codes[:-1]), f"GitLab: exit codes {codes} {done.stderr[-1000:] if codes[-1] != 1 else ''}")
    check(os.path.exists(os.path.join(runner.folder, "gate.xml")), "GitLab: JUnit")


def comment(runner, head):
    """The second workflow gets what the first one left, and writes one comment."""
    runner.stand_in("gh", f"""case "$*" in
  *headRefOid*) echo {head} ;;
  *"pr comment"*) cp comment.md {runner.home}/comment.md ;;
esac""")
    steps = steps_in("github-comment.yml")
    for name, commands in steps:
        done = runner.run(commands, GH_TOKEN="x", RUN="1", COMMIT=head)
        check(done.returncode == 0, f"comment: {name} {done.stderr}")
    text = runner.written("comment.md")
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    check("triad" in rows[2] and "regressed" in rows[2] and "+3." in rows[2], f"the regressed kernel is first: {rows[2:3]}")
    check(len(text) <= 65000 and text.count("\n| ---") == 1, "one table, at most 65,000 characters")
    done = runner.run(steps[-1][1], GH_TOKEN="x", COMMIT="0" * 40)
    check(done.returncode == 1 and "another commit" in done.stderr, "a number of another pull request is refused")
    with open(os.path.join(runner.folder, "gate/number"), "w") as file:
        file.write("7; rm -rf /\n")
    done = runner.run(steps[-1][1], GH_TOKEN="x", COMMIT=head)
    check(done.returncode == 1 and "no number" in done.stderr, "a number that is none is refused")
    path = os.path.join(runner.folder, "gate/verdict.json")
    with open(path) as file:
        document = json.load(file)
    for claim in document["claims"]:
        claim["workload"] = "<img src=x>@team [x](http://e) |`#\u202e"
    document["claims"] *= 400
    with open(os.path.join(runner.folder, "forged.json"), "w") as file:
        json.dump(document, file)
    done = runner.run("python3 comment.py forged.json")
    check(len(done.stdout) <= 65000 and "left out here" in done.stdout, "a large document is cut")
    check("<img" not in done.stdout and "@t" not in done.stdout and "](" not in done.stdout and "\u202e" not in done.stdout,
          "hostile names stay text")
    for broken in ('{"schema":"other"}', "[]", '{"schema":"retrial.gate/1","claims":[{"verdict":"fine"}]}', "x"):
        with open(os.path.join(runner.folder, "forged.json"), "w") as file:
            file.write(broken)
        done = runner.run("python3 comment.py forged.json")
        check(done.returncode == 4 and not done.stdout, f"refused: {broken}")


sys.exit(main())
