#!/usr/bin/env python3
"""What a gate keeps from one commit to the next: commits of its sides, watches, power, and pages with long names.

    commits.py RETRIAL [CASE...]

As in runs.py no case depends on a clock. One compares CPU times, of which one is eleven times the other.
"""
import json
import shutil
import sqlite3
import subprocess

from gate_folder import JUDGED, PROGRAM, SUITE, Folder, check, commands, run_cases


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commits_of_sides():
    if not shutil.which("git"):
        print("left out: there is no git")
        return
    with Folder() as at:
        outside = at.path
        at.path = outside / "repository"
        at.path.mkdir()
        at.write("p.sh", PROGRAM)
        git(at.path, "init", "-q")
        git(at.path, "add", "p.sh")
        git(at.path, "commit", "-qm", "first")
        first = git(at.path, "rev-parse", "HEAD")
        base = ["gate", "--command", "base=sh p.sh 100 base {seed}", "--read", "score:lower", *JUDGED, "--make-baseline"]
        head = ["gate", "--command", "head=sh p.sh 110 head {seed}", "--read", "score:lower", *JUDGED, "--allow-sequential"]
        (at.path / "stores").mkdir()
        at.expect(0, "the commit of a baseline is that of its program", *base, "stores/one.db", says=f"commit {first[:12]}")
        at.write("other", "")
        git(at.path, "add", "other")
        git(at.path, "commit", "-qm", "second")
        second = git(at.path, "rev-parse", "HEAD")
        at.expect(4, "another commit does not replace it", *base, "stores/one.db", says=["is the baseline of commit " + first, second])
        at.expect(0, "it has a store of its own", *base, "stores/two.db", says=f"commit {second[:12]}")
        at.expect(4, "the baseline of another commit", *head, "--baseline", "stores/two.db", "--base-commit", "HEAD~1", "--db", "h.db",
                  says=[second, first])
        at.expect(1, "the same by any name of git", *head, "--baseline", "stores/one.db", "--base-commit", "HEAD~1", "--db", "h.db")
        at.expect(1, "found among the stores of a folder", *head, "--baseline", "stores", "--base-commit", first[:8], "--db", "h.db",
                  says=[second[:12], "against " + first[:12]])
        at.expect(4, "or not", *head, "--baseline", "stores", "--base-commit", "0" * 40, says=["no store of this folder", first[:12], "--make-baseline"])
        at.expect(2, "a folder without a commit", *head, "--baseline", "stores", says="--base-commit")
        document = json.loads(at.run(*head, "--baseline", "stores/one.db", "--db", "h.db", "--json").stdout)
        check("both are in the document", document["commits"] == [first, second], document["commits"])
        both = json.loads(at.run(*commands(), *JUDGED, "--db", "both.db", "--json").stdout)
        check("two sides in one work tree are not both of its commit", both["commits"] == [None, second], both["commits"])
        at.write("more", "")
        git(at.path, "add", "more")
        git(at.path, "commit", "-qm", "third")
        later = json.loads(at.run(*commands(), *JUDGED, "--db", "both.db", "--again", "--json").stdout)
        check("a store that is used again shows the commit of now", later["commits"] == [None, git(at.path, "rev-parse", "HEAD")], later["commits"])
        git(at.path, "checkout", "-q", second)
        git(at.path, "worktree", "add", "-q", "--detach", str(outside / "before"), first)
        apart = commands()
        apart[2] = apart[2].replace("p.sh", "../before/p.sh")
        done = json.loads(at.run(*apart, *JUDGED, "--db", "apart.db", "--json").stdout)
        check("two work trees have two commits", done["commits"] == [first, second], done)
        at.write("p.sh", PROGRAM + "# edited\n")
        at.expect(0, "an edited program is of no commit", *base, "edited.db", says=["no commit of the baseline is kept", "1 tracked file", second[:12]])
        at.expect(0, "unless it is named", *base, "named.db", "--commit", "HEAD~1", says=f"commit {first[:12]}")
        history = at.run("history", "stores/one.db", "stores/two.db", "--metric", "score")
        check("a history of stores names them", first[:12] in history.stdout and second[:12] in history.stdout, history.shown)
        at.path = outside


BUSY = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\n"


def injected_work():
    with Folder() as at:
        at.write("busy.sh", 'echo "$1" >> starts\n' + BUSY)
        base = ["--command", "base=sh busy.sh base"]
        line = ["calibrate", *base, "--metric", "cpu_s", "--pairs", "5", "--null-suites", "2", "--seed", "1"]
        done = at.expect(0, "work", *line, "--inject", "1000", says=["Power of the gate", "work after each process", "of 2 suites"])
        check("both sides are run", len(at.starts()) == 20, done.shown)
        with sqlite3.connect(at.path / "gate-calibration" / "slow-0001.db") as store:
            rows = store.execute("select p.variant, m.value from plan p join trial t using(identity, replicate) join metric m using(trial_id) "
                                 "join metric_def d using(metric_id) where d.name = 'cpu_s' and p.pair_index < 10").fetchall()
        by = {side: sorted(value for variant, value in rows if variant == side) for side in ("base", "base-slower")}
        check("ten processes of each side", [len(v) for v in by.values()] == [10, 10], by)
        # Eleven times the CPU time, of which a third is far from anything else that moves it.
        check("the slower side has worked more", by["base-slower"][5] > 3.7 * by["base"][5], by)
        shown = json.loads(at.run(*line, "--inject", "1000", "--json").stdout)
        check("the document says how", (shown["injected"], shown["injected_by"], shown["blocks"]) == (10.0, "work", 2), shown)
        check("nothing is run twice", len(at.starts()) == 20)
        at.run(*line)
        gate = at.run("gate", *base, "--command", "head=sh busy.sh head", "--metric", "cpu_s", "--pairs", "5")
        check("the gate prints what it would find", "with a slow-down of 1000 % by real work" in gate.stdout, gate.shown)
        at.expect(2, "values and work", *line, "--inject", "5", "--inject-scale", "5", says="two ways")
        at.expect(2, "other callings of one process", *line, "--inject", "5", "--assignments", "3", says="--assignments")
        at.expect(2, "a score that no work makes worse", "calibrate", *commands()[1:], *JUDGED, "--inject", "5", says=["score", "--inject-scale"])


def watch_runs():
    with Folder() as at:
        watched = ["gate", "--kind", "paired_sign", "--history", "w.db"]
        sides = [*commands()[1:], "--metric", "score", "--pairs", "14", "--seed", "1"]
        shown = at.expect(0, "a dry run", *watched, *sides, "--commit", "c1", "--dry-run", says="control")
        check("shows three sides", len(shown.stdout.splitlines()) == 42 and not at.starts(), shown.shown)
        done = at.expect(1, "every block is worse", *watched, *sides, "--commit", "c1", says=["ALARM", "14 of 14", "commit c1"])
        check("three processes a block", len(at.starts()) == 42, done.shown)
        check("a store for the commit", (at.path / "gate-c1.db").exists() and not (at.path / "gate.db").exists())
        again = at.expect(1, "the same commit again", *watched, *sides, "--commit", "c1", says="nothing was added")
        check("has the same answer", again.stdout == done.stdout and len(at.starts()) == 42, again.shown)
        same = [*commands("100", "100")[1:], *sides[6:]]
        at.expect(0, "a commit without a change", *watched, *same, "--commit", "c2", says="QUIET")
        at.expect(0, "every state is in the history", "history", "w.db", says=["c1", "c2", "ALARM worse"])
        at.expect(4, "other runs of a commit", *watched, *same, "--commit", "c1", "--db", "other.db", says="with other runs")
        at.expect(4, "another promise", *watched, *sides, "--commit", "c3", "--arl", "50", says="--arl")
        check("and nothing is run for that", not (at.path / "gate-c3.db").exists())
        stored = ["gate", "--kind", "paired_sign", "--history", "s.db", "--baseline", "gate-c1.db", "--candidate", "gate-c1.db"]
        at.expect(1, "the stored trials alone", *stored, "--commit", "c1", says=["ALARM", "14 of 14"])
        at.run(*commands(), *JUDGED, "--db", "plain.db")
        plain = [*stored[:5], "--baseline", "plain.db", "--candidate", "plain.db", "--commit", "c2"]
        at.expect(4, "a gate without a control", *plain, says=["--control", "not measured a second time"])
        at.run("gate", "--command", "base=sh p.sh 100 base {seed}", "--read", "score:lower", *JUDGED, "--make-baseline", "again.db")
        at.expect(0, "which may be a store of its own", *plain, "--control", "again.db", says="QUIET")
        at.write("k.toml", SUITE.format(gate=""))
        suite = [*watched[:4], "k.db", "k.toml", "--commit", "c1"]
        at.expect(2, "commands of a file", *suite, says="--allow-commands")
        at.expect(1, "a suite file", *suite, "--allow-commands", "--pairs", "16", says=["sort", "ALARM: 1 of 3 series"])
        reference = ["gate", "--command", "base=sh p.sh 100 base {seed}", "--read", "score:lower", *JUDGED, "--pairs", "200", "--make-baseline", "r.db"]
        at.expect(0, "a reference", *reference, says="200 processes")
        normal = ["gate", "--kind", "normal_known", "--history", "n.db", *commands("100", "100")[1:], "--metric", "score", "--pairs", "3", "--seed", "2"]
        at.expect(2, "none is given", *normal, "--commit", "c1", says="--reference")
        at.expect(0, "a store of it", *normal, "--commit", "c1", "--reference", "r.db", says=["QUIET", "frozen reference"])
        at.expect(1, "which is far from this", *normal[:5], *commands()[1:], *normal[11:], "--commit", "c2", "--db", "c2.db", says="ALARM")
        at.expect(2, "an option of pairs", *watched, *sides, "--until-decided", says="--until-decided")
        at.expect(2, "nothing to watch", *watched, "--commit", "c9", says="--command")
        where = at.expect(0, "a filter", "history", "w.db", "--where", "commit = c2", says="1 commit")
        check("takes what fits", "c1" not in where.stdout, where.shown)
        at.expect(2, "an unknown key", "history", "w.db", "--where", "comit = c2", says="did you mean commit?")
        at.expect(4, "nothing that fits", "history", "w.db", "--where", "commit = c7", says="no value of this history fits")
        at.expect(0, "facts of the machine", "history", "gate-c1.db", "gate-c2.db", "--where", "cpu_cores >= 1 and benchmark = gate", says="score")


def long_names():
    names = ["BM_sort<std::vector<std::pair<int, double>>>/1048576/manual_time", "BM_sort<std::vector<std::pair<int, double>>>/2097152/manual_time",
             "x" * 120]
    with Folder() as at:
        rows = [f'{side},{metric},"{name}",{1 + (0.2 if side == "head" and metric == "time" else 0) + i / 1000}'
                for side in ("base", "head") for name in names for metric in ("time", "memory_of_all_threads") for i in range(10)]
        at.write("t.csv", "variant,metric,task,score\n" + "\n".join(rows) + "\n")
        line = ["gate", "--scores", "t.csv", "--lower", "--allow-sequential"]
        done = at.run(*line, COLUMNS="80")
        widest = max(done.stdout.splitlines(), key=len)
        check("names fit into the page", done.returncode == 1 and len(widest) <= 80, f"{len(widest)}: {widest}\n{done.shown}")
        check("and stay apart", "1048576" in done.stdout and "2097152" in done.stdout, done.shown)
        document = json.loads(at.run(*line, "--json", COLUMNS="80").stdout)
        check("the document has them whole", {c["workload"] for c in document["claims"]} == set(names), document)
        history = at.run("history", "--scores", "t.csv", "--lower", COLUMNS="80")
        widest = max(history.stdout.splitlines(), key=len)
        check("those of a history, too", len(widest) <= 80 or widest.startswith("x"), f"{len(widest)}: {widest}\n{history.shown}")


run_cases(commits_of_sides, injected_work, watch_runs, long_names)
