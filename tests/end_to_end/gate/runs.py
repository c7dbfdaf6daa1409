#!/usr/bin/env python3
"""What a gate runs: suites of the user's programs, from the command line to the exit code.

    runs.py RETRIAL [CASE...]

The programs print scores that follow from the number of the pair, so that no case depends on a clock; only instructions are counted.
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from gate_folder import JUDGED, PROGRAM, RETRIAL, SUITE, Folder, check, commands, run_cases


def two_commands():
    with Folder() as at:
        line = commands() + JUDGED + ["--seed", "42"]
        done = at.expect(1, "ten points worse", *line, says=["REGRESSED: 1 of 1 claim", "head is WORSE than base", "uncalibrated", "10 run"])
        starts = at.starts()
        check("twenty processes", len(starts) == 20, done.shown)
        # Both sides of a pair next to each other, and five times each side first.
        pairs = [starts[i:i + 2] for i in range(0, 20, 2)]
        check("pairs are adjacent", all(a.split()[1] == b.split()[1] for a, b in pairs), starts)
        check("balanced", sum(a.startswith("base") for a, _ in pairs) == 5, starts)
        again = at.expect(1, "the same line again", *line, says="REGRESSED")
        check("nothing is run twice", len(at.starts()) == 20)
        check("the same page", again.stdout == done.stdout, again.shown)
        verified = at.run("verify", "gate.db")
        check("the store is sound", verified.returncode == 0, verified.shown)
        at.expect(1, "the stored trials alone", "gate", "--baseline", "gate.db", "--candidate", "gate.db", says="REGRESSED")
        check("nothing was run for that", len(at.starts()) == 20)
        at.expect(0, "the other way round", *commands("110", "100"), *JUDGED, "--db", "b.db", says="IMPROVED")
        at.expect(0, "no change", *commands("100", "100"), *JUDGED, "--db", "c.db", says="EQUIVALENT")
        at.expect(1, "the self-test", *commands("100", "100"), *JUDGED, "--db", "c.db", "--self-test", says="REGRESSED")
        document = json.loads(at.run(*line, "--json").stdout)
        claim = document["claims"][0]
        check("the document", claim["test"] == "paired" and claim["effect"] == 10.0 and claim["n"] == [10, 10]
              and claim["order"] == "interleaved" and document["pairs"] == [10, 10], document)
        with sqlite3.connect(at.path / "gate.db") as store:
            known = {bytes(row[0]).hex()[:16] for row in store.execute("select record from trial")}
        check("the trials of each side by their digests", [len(side) for side in claim["trials"]] == [10, 10]
              and set(sum(claim["trials"], [])) == known, claim)
        check("p of ten pairs of one sign", abs(claim["p_worse"] - 2**-10) < 1e-12, claim)  # closed form


def times_beside_scores():
    with Folder() as at:
        at.write("slow", "")  # memory is sampled while a program runs
        done = at.run(*commands(), "--metric", "score", "--metric", "wall_s", "--metric", "peak_rss_mib", "--min-effect-abs", "1",
                      "--margin-abs", "3", "--seed", "1")
        check("time, memory and score in one table", all(re.search(rf"gate +{name} ", done.stdout) for name in ("wall_s", "score", "peak_rss_mib")),
              done.shown)
        check("the score is regressed", done.returncode == 1, done.shown)


def interrupted():
    with Folder() as at:
        at.write("slow", "")
        line = commands() + JUDGED + ["--seed", "7"]
        for end in (signal.SIGKILL, signal.SIGINT):
            child = subprocess.Popen([RETRIAL, *line], cwd=at.path, env=at.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            before = len(at.starts())
            while len(at.starts()) < before + 4 and child.poll() is None:
                time.sleep(0.05)
            child.send_signal(end)
            out, err = child.communicate()
            if end == signal.SIGINT:
                check("an interruption has its own code", child.returncode == 130, err.decode())
                check("and no verdict", b"REGRESSED" not in out, out.decode())
        (at.path / "slow").unlink()
        done = at.expect(1, "a killed gate resumes", *line, says="REGRESSED")
        check("at most one process per end is lost", 20 <= len(at.starts()) <= 22, at.starts())
        with Folder() as other:
            whole = other.run(*line, "--json")
            ours = at.run(*line, "--json")
            a, b = (json.loads(x.stdout) for x in (whole, ours))
            places = [document["claims"][0].pop("measured_in") for document in (a, b)]
            names = [document["claims"][0].pop("trials") for document in (a, b)]
            for document in (a, b):
                document.pop("store")
            check("and judges as if nothing had happened", a == b, done.shown)
            check("of other trials", not set(sum(names[0], [])) & set(sum(names[1], [])), names)
            check("and but for its launches", [[side["launches"] for side in sides] for sides in places] == [[1, 1], [3, 3]], places)


def launches():
    with Folder() as at:
        # Times of programs that sleep: nine pairs in three launches are three strata of three pairs.
        line = ["gate", "--command", "base=sleep 0.01", "--command", "head=sleep 0.05", "--seed", "3", "--pairs", "9", "--launches", "3"]
        for pairs in (3, 6):
            at.expect(3, "a launch alone judges nothing", *line, says=[f"{pairs} of 9 pairs", "run the same line again"], lacks="REGRESSED")
        done = at.expect(1, "the last one judges", *line, "--mid-p", says=["REGRESSED", "3 launches, 1 boot, 1 host", "mid-p"])
        claim = json.loads(at.run(*line, "--json").stdout)["claims"][0]
        check("within each launch", claim["strata"] == 3 and abs(claim["p_worse"] - 20.0**-3) < 1e-12, done.shown)  # 1 / (6 over 3)^3
        check("places of both sides", claim["measured_in"] == [{"launches": 3, "boots": 1, "hosts": 1}] * 2 and claim["mid_p_worse"] is None, claim)
        at.expect(2, "fewer pairs than launches", *line[:-4], "--pairs", "2", "--launches", "3", says=["launches = 3", "1 to 2"])
        at.expect(2, "a design that cannot reject", *line[:-4], "--pairs", "6", "--launches", "6", "--db", "x.db", says=["need 7"])
        at.expect(2, "looks of their own", *line[:-4], "--launches", "3", "--until-decided", says="until_decided")
        at.expect(2, "score files", "gate", "--scores", "x.csv", "--launches", "2", says="--launches")
        at.expect(2, "two stores", "gate", "--baseline", "gate.db", "--candidate", "gate.db", "--launches", "2", says=["--launches", "made already"])
        at.write("k.toml", SUITE.format(gate="launches = 2"))
        at.expect(2, "a calibration", "calibrate", "k.toml", "--allow-commands", says="launches")


def without_seeds():
    with Folder() as at:
        # Trials of one identity, as often as there are pairs, in rounds of two benchmarks.
        at.write("t.toml", """schema = 1
name = "times"
workload = "command"
pairs = 8
[variant.base]
command = "sh p.sh {load} a"
[variant.head]
command = "sh p.sh {load} b"
[bench.one.set]
costs_only = true
load = 1
[bench.two.set]
costs_only = true
load = 2
""")
        done = at.run("gate", "t.toml", "--allow-commands", "--seed", "1", "--json")
        check("every process is a trial of its own", done.returncode in (0, 1, 3) and len(at.starts()) == 32, done.shown)
        verified = at.run("verify", "times.db")
        check("in a sound store", verified.returncode == 0, verified.shown)


def parts_of_stores():
    with Folder() as at:
        at.run(*commands(), *JUDGED, "--seed", "3", "--db", "a.db")
        pick = ["gate", "--baseline", "a.db:variant = head", "--candidate"]
        at.expect(0, "the sides changed", *pick, "a.db:variant = base", says=["IMPROVED", "a.db:variant = base"])
        at.expect(1, "the last pairs", "gate", "--baseline", "a.db:pair >= 2", "--candidate", "a.db:variant = head and pair >= 2", says="REGRESSED")
        short = json.loads(at.run(*pick, "a.db:variant = base and pair < 4", "--json").stdout)["claims"][0]
        check("four pairs of ten", short["n"] == [10, 4], short)
        at.expect(2, "two variants", *pick, "a.db:variant ~ a", says=["base", "head", "a side is one variant"])
        at.expect(4, "no variant", *pick, "a.db:variant = haed", says=["fits no trial", "variants: base, head", "benchmarks: gate"])
        at.expect(2, "an unknown key", *pick, "a.db:varian = head", says="did you mean variant?")
        at.expect(2, "no condition", *pick, "a.db:variant = 'head", says="quote")
        at.expect(4, "no store", *pick, "b.db:variant = head", says="b.db")
        stored = json.loads(at.run(*pick, "a.db:variant = base", "--json").stdout)["store"]
        at.expect(0, "pinned and picked", *pick, f"a.db@{stored}:variant = base", says="IMPROVED")
        at.expect(6, "another digest", *pick, "a.db@" + "0" * 64 + ":variant = base", says="digest")


def counters():
    with Folder() as at:
        # A machine with hardware counters records instructions beside the times; one without says so, and how to count.
        done = at.run("gate", "--command", "base=true", "--command", "head=true", "--metric", "instructions", "--min-effect", "0.02")
        without = done.returncode == 4 and "gives no hardware counter" in done.stderr and "--count instructions" in done.stderr
        check("instructions without valgrind", without or "instructions, not time" in done.stdout, done.shown)


def suite_file():
    with Folder() as at:
        at.write("k.toml", SUITE.format(gate=""))
        at.expect(2, "commands of a file", "gate", "k.toml", says=["--allow-commands", "k.toml:"])
        check("nothing was started", not at.starts() and not list(at.path.glob("*.db")))
        shown = at.expect(0, "a dry run", "gate", "k.toml", "--dry-run", says="sort ")
        check("shows every process", len(shown.stdout.splitlines()) == 54 and not at.starts(), shown.shown)
        done = at.expect(1, "one of three is worse", "gate", "k.toml", "--allow-commands", says=["REGRESSED: 1 of 3 claims", "sort"])
        names = [line.split("-")[0] for line in at.starts()]
        rounds = [names[i:i + 6] for i in range(0, 54, 6)]
        check("every round has every benchmark, a pair at a time",
              all(sorted(r) == ["gemm"] * 2 + ["sort"] * 2 + ["stream"] * 2 and r[0] == r[1] and r[2] == r[3] for r in rounds), rounds)
        check("rounds differ in their order", len({tuple(r) for r in rounds}) > 1, rounds)
        document = json.loads(at.run("gate", "k.toml", "--allow-commands", "--json").stdout)
        by = {claim["workload"]: claim["verdict"] for claim in document["claims"]}
        check("verdicts by name", by == {"gemm": "equivalent", "sort": "regressed", "stream": "equivalent"}, done.shown)
        at.write("two.toml", SUITE.format(gate="").replace('"kernels"', '"more"').replace("110", "100"))
        done = at.run("gate", "k.toml", "two.toml", "--allow-commands", "--pairs", "10", "--db", "both.db", "--json")
        names = [claim["workload"] for claim in json.loads(done.stdout)["claims"]]
        check("two files are one suite", done.returncode == 1 and names == sorted(names) and "more/sort" in names and len(names) == 6, names)
        at.write("odd.toml", SUITE.format(gate="").replace("pairs = 9", "pairs = 10"))
        at.expect(2, "files that disagree", "gate", "k.toml", "odd.toml", "--allow-commands", says="pairs")


def refusals():
    with Folder() as at:
        for gate, says in [("alpa = 0.01", ["k.toml:10:1", "gate.alpa", 'did you mean "alpha"?']), ('alpha = "x"', ["k.toml:10:", "gate.alpha", "wrong type"]),
                           ("alpha = 0.7", ["k.toml:10:", "gate.alpha", "out of range"]), ('test = "rnak"', ["k.toml:10:", "did you mean rank"]),
                           ("margin = 0.001", ["k.toml:10:", "not above the least effect"]), ("max_pairs = 12", ["k.toml:10:", "until_decided"])]:
            at.write("k.toml", SUITE.format(gate=gate))
            at.expect(2, gate, "gate", "k.toml", "--allow-commands", says=says)
        at.write("k.toml", SUITE.format(gate=""))
        at.expect(2, "5 pairs for three claims", "gate", "k.toml", "--allow-commands", "--pairs", "5",
                  says=["5 pairs cannot reach p <= 0.0033 for 3 claims", "need 9"])  # 2^-9 < .01/3 < 2^-8
        at.expect(2, "5 pairs of sign flips", *commands(), *JUDGED, "--test", "signflip", "--pairs", "5",
                  says=["5 pairs cannot reach p <= 0.01 for 1 claim", "need 7"])  # 2^-7 < .01 < 2^-6
        at.expect(2, "an unknown test", *commands(), *JUDGED, "--test", "signflop", says="did you mean --test signflip?")
        at.expect(2, "run of a suite", "run", "k.toml", says=["k.toml:", "retrial gate k.toml"])
        at.expect(2, "an option of score files", *commands(), "--format", "csv", says="--format")
        at.expect(2, "an option of suites", "gate", "--scores", "x.csv", "--count", "instructions", says="--count")
        at.expect(2, "a score without thresholds", *commands(), says=["min_effect_abs", "--metric wall_s"])
        at.expect(2, "a score without seeds", "gate", "--command", "a=sh p.sh 1 a", "--command", "b=sh p.sh 1 b", "--read", "score:lower",
                  "--metric", "wall_s", "--metric", "score", "--min-effect-abs", "1", "--margin-abs", "2", says="copies of one pair")
        at.expect(2, "a metric that is not there", *commands(), "--metric", "scor", says='did you mean "score"?')
        at.expect(4, "one command", "gate", "--command", "base=sh p.sh 1 a", says=["no baseline", "--command base="])
        at.expect(2, "nothing to judge", "gate", says="--scores")
        at.expect(2, "counts of a workload of ours", "gate", "w.toml", "--count", "instructions", says="w.toml")
        check("nothing was started", not at.starts() and not list(at.path.glob("*.db")), at.starts())
        at.expect(5, "programs that fail alike", "gate", "--command", "a=sh -c 'exit 3' x", "--command", "b=sh -c 'exit 3' y", says="failed in the same way")
        at.expect(5, "a side that fails", "gate", "--command", "a=sh p.sh 1 a", "--command", "b=sh -c 'exit 3' y", "--metric", "wall_s", "--db", "f.db", says="FAILED")


def baselines():
    with Folder() as at:
        base = ["gate", "--command", "base=sh p.sh 100 base {seed}", "--read", "score:lower", *JUDGED]
        head = ["gate", "--command", "head=sh p.sh 110 head {seed}", "--read", "score:lower", *JUDGED]
        at.expect(4, "no baseline", *head, "--baseline", "b.db", says=["there is no baseline", "--make-baseline b.db"])
        at.expect(0, "no baseline, allowed", *head, "--baseline", "b.db", "--allow-missing-baseline", says="NEW")
        made = at.expect(0, "a baseline", *base, "--make-baseline", "b.db", "--commit", "abc", says=["store digest", "--baseline b.db@"])
        check("one side alone", sum(s.startswith("base") for s in at.starts()) == 10, made.shown)
        digest = re.search(r"store digest ([0-9a-f]{64})", made.stdout)[1]
        at.expect(0, "made again, it is the same", *base, "--make-baseline", "b.db", "--commit", "abc", says=digest)
        check("and nothing ran", sum(s.startswith("base") for s in at.starts()) == 10)
        at.expect(4, "never replaced by another commit", *base, "--make-baseline", "b.db", "--commit", "def", says="baseline of commit abc")
        other = ["gate", "--command", "base=sh q.sh 100 base {seed}", "--read", "score:lower", *JUDGED]
        at.write("q.sh", PROGRAM + "# another program\n")
        at.expect(4, "nor by another command", *other, "--make-baseline", "b.db", says="never replaced")
        (at.path / "p.sh").write_text(PROGRAM + "# edited\n")
        at.expect(4, "nor by an edited program", *base, "--make-baseline", "b.db", says="p.sh")
        (at.path / "p.sh").write_text(PROGRAM)
        at.expect(3, "a stored baseline did not take turns", *head, "--baseline", f"b.db@{digest}", "--db", "h.db",
                  says="did not take turns")
        at.expect(1, "which may be accepted", *head, "--baseline", "b.db", "--db", "h.db", "--allow-sequential", says="REGRESSED")
        at.expect(1, "two stores, nothing is run", "gate", "--baseline", "b.db", "--candidate", "h.db", "--allow-sequential", says="REGRESSED")
        at.expect(3, "which did not take turns", "gate", "--baseline", "b.db", "--candidate", "h.db", says="did not take turns")
        at.expect(4, "a candidate that is not there", "gate", "--baseline", "b.db", "--candidate", "none.db")
        at.expect(6, "another digest", *head, "--baseline", "b.db@" + "0" * 64, "--db", "h.db", says="digest")
        at.expect(2, "no digest", *head, "--baseline", "b.db@12", "--db", "h.db", says="64 hex digits")
        at.expect(4, "another commit", *head, "--baseline", "b.db", "--base-commit", "def", "--db", "h.db", says="commit abc")
        shutil.copy(at.path / "b.db", at.path / "d.db")
        with sqlite3.connect(at.path / "d.db") as store:
            store.execute("update trial set wall_ns = wall_ns + 1")
        at.expect(6, "a changed baseline", *head, "--baseline", "d.db", "--db", "h.db")
        shutil.copy(at.path / "b.db", at.path / "n.db")
        with sqlite3.connect(at.path / "n.db") as store:
            store.execute("pragma user_version = 99")
        at.expect(4, "a newer store", *head, "--baseline", "n.db", "--db", "h.db")
        sqlite3.connect(at.path / "o.db").execute("create table t(x)")
        at.expect(6, "a file of another program", *head, "--baseline", "o.db", "--db", "h.db")
        at.run("run", "null", "--pairs", "2", "--db", "s.db", "--seed", "1")
        at.expect(6, "a store of something else", *head, "--baseline", "s.db", "--db", "h.db", says="not of a gate")


def looks_and_confirmation():
    with Folder() as at:
        done = at.run(*commands(), *JUDGED, "--until-decided", "--seed", "1", "--json")
        document = json.loads(done.stdout)
        check("a clear change is decided before 20 pairs", done.returncode == 1 and document["pairs"] == [9, 20], done.stdout)  # 2^-9 <= .0025
        check("and no more is run", len(at.starts()) == 18)
        at.expect(3, "an open claim at the last look", *commands("100", "102"), "--metric", "score", "--min-effect-abs", "3", "--margin-abs",
                  "0", "--until-decided", "--seed", "1", "--db", "o.db", says="last look")
        at.run(*commands("100", "100"), *JUDGED, "--seed", "2", "--db", "same.db")
        at.run(*commands(), *JUDGED, "--seed", "3", "--db", "worse.db")
        line = commands() + JUDGED + ["--seed", "4", "--db", "first.db", "--confirm"]
        at.expect(3, "not confirmed", *line, "same.db", says="does not confirm")
        at.expect(1, "confirmed", *line, "worse.db", says=["REGRESSED", "independent"])
        at.expect(2, "a store confirms not itself", *line, "first.db", says="same trials")
        at.expect(4, "no such store", *line, "none.db", says="without --confirm")


def calibration():
    with Folder() as at:
        at.write("k.toml", SUITE.format(gate=""))
        line = ["calibrate", "k.toml", "--allow-commands"]
        at.expect(3, "three suites", *line, "--null-suites", "3", says=["0 of 3 suites", "more null suites", "gemm"])
        starts = len(at.starts())
        check("18 processes of 3 benchmarks a suite", starts == 3 * 18 * 3, starts)
        at.expect(0, "a generous limit", *line, "--null-suites", "3", "--limit", "0.7")
        check("nothing is run twice", len(at.starts()) == starts)
        shown = json.loads(at.run(*line, "--null-suites", "3", "--json").stdout)
        schema = json.loads((Path(__file__).parents[3] / "harness/gate/calibration/calibration.schema.json").read_text())
        check("the document has the fields of its schema", set(shown) == set(schema["properties"]) == set(schema["required"])
              and set(shown["claims"][0]) == set(schema["properties"]["claims"]["items"]["properties"]), shown)
        check("Clopper and Pearson of 0 in 3", abs(shown["upper95"] - (1 - 0.05 ** (1 / 3))) < 1e-9 and shown["alarms"] == 0, shown)
        at.expect(0, "power", *line, "--null-suites", "3", "--inject-scale", "20", says="Power of the gate")
        at.expect(3, "more suites continue it", *line, "--null-suites", "4", "--hogs", "1")
        check("by the missing ones", len(at.starts()) == 4 * 18 * 3, len(at.starts()))
        at.expect(1, "the gate prints the rate", "gate", "k.toml", "--allow-commands", says="in 4 suites without a change", lacks="uncalibrated")
        at.expect(1, "of its own settings", "gate", "k.toml", "--allow-commands", "--min-effect-abs", "2", "--db", "x.db", says="uncalibrated")
        at.expect(0, "which counts nothing but what was measured", *line, "--null-suites", "4", "--limit", "0.6")


COUNTED = """#include <stdlib.h>
int main(int count, char** words) {
  volatile double x = 1;
  for (long i = 0; i < 1000L * atol(words[1]); ++i) x = x * 1.0000001;
  return count == 9 ? (int)x : 0;
}
"""


def instructions():
    if not shutil.which("valgrind") or not shutil.which("cc"):
        print("left out: there is no valgrind or no C compiler")
        return
    with Folder() as at:
        at.write("c.c", COUNTED)
        subprocess.run(["cc", "-O1", "-o", "c", "c.c"], cwd=at.path, check=True)
        line = ["gate", "--command", "base=./c 1000", "--count", "instructions", "--seed", "1", "--command"]
        done = at.expect(1, "one percent longer", *line, "head=./c 1010", says=["REGRESSED", "instructions, not time", "exact", "3 run"])
        at.expect(0, "no change", *line, "head=./c 1000", "--db", "same.db", says="EQUIVALENT")
        at.expect(1, "the test by its name", *line, "head=./c 1010", "--test", "counts", "--db", "named.db", says=["REGRESSED", "exact"])
        at.expect(2, "of a time", "gate", "--command", "base=./c 1000", "--command", "head=./c 1000", "--test", "counts", says="--count instructions")
        at.expect(0, "by ranks, if asked for", *line, "head=./c 1000", "--test", "rank", "--pairs", "6", "--db", "ranks.db", says="EQUIVALENT")
        at.expect(0, "a tenth of a percent is below min_effect", *line, "head=./c 1001", "--db", "tenth.db", says="EQUIVALENT")
        at.expect(0, "shorter", *line, "head=./c 980", "--db", "short.db", says="IMPROVED")
        claim = json.loads(at.run(*line, "head=./c 1010", "--json").stdout)["claims"][0]
        # Each turn of the loop is the same number of instructions: 1 % of turns is 1 % of counts but for start and end.
        check("the count is of the loop", 0.008 < claim["effect"] < 0.0101 and claim["p_worse"] is None and claim["test"] == "counts"
              and claim["metric"] == "instructions", claim)
        # A shell that starts the program: its children are counted too.
        wrapped = ["gate", "--command", "base=sh -c './c 1000'", "--command", "head=sh -c './c 1010'", "--count", "instructions", "--db", "w.db"]
        at.expect(1, "children are counted", *wrapped, says="REGRESSED")
        at.expect(0, "a counted baseline", "gate", "--command", "base=./c 1000", "--count", "instructions", "--make-baseline", "b.db")
        at.expect(1, "needs no turns", "gate", "--command", "head=./c 1010", "--count", "instructions", "--baseline", "b.db", "--db", "h.db",
                  says="REGRESSED")
        os.mkdir(at.path / "bin")
        for tool in ("sh", "git"):
            if shutil.which(tool):
                os.symlink(shutil.which(tool), at.path / "bin" / tool)
        at.expect(2, "no valgrind", *line, "head=./c 1010", "--db", "none.db", says="install the package valgrind", PATH=str(at.path / "bin"))
        check("one percent was found", "+1.0" in done.stdout or "+0.9" in done.stdout, done.shown)


run_cases(two_commands, times_beside_scores, interrupted, launches, without_seeds, parts_of_stores, counters, suite_file, refusals, baselines, looks_and_confirmation, calibration, instructions)
