#!/usr/bin/env python3
"""A gate that reads the benchmarks of one process: their names come with the runs.

    benchmarks.py RETRIAL [CASE...]

The programs write the JSON of Google Benchmark; their times follow from the number of the pair, so that no case depends on a clock.
"""
import json

from gate_folder import Folder, check, run_cases

# bench.py FACTOR_OF_SORT OUT NAME... [--benchmark_repetitions=N]: "!" before a name reports an error.
PROGRAM = """import json, os, sys
factor, out, words = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
repetitions = next((int(word.split("=")[1]) for word in words if word.startswith("--benchmark_repetitions=")), 2)
open("starts", "a").write(" ".join(words) + "\\n")
pair, rows = int(os.environ["TRIAL_PAIR"]), []
for place, name in enumerate(word for word in words if not word.startswith("--")):
    plain = name.lstrip("!")
    for repetition in range(repetitions):
        row = {"name": plain, "run_name": plain, "run_type": "iteration", "repetition_index": repetition, "time_unit": "us",
               "real_time": (place + 1) * (factor if plain == "sort" else 1.0) * (1 + 0.001 * ((3 * pair + 5 * repetition) % 7)), "cpu_time": 5.0}
        rows.append(row | ({"error_occurred": True, "error_message": "no data"} if name != plain else {}))
    rows.append({"name": plain + "_mean", "run_name": plain, "run_type": "aggregate", "time_unit": "us", "real_time": 1e9, "cpu_time": 1e9})
json.dump({"context": {}, "benchmarks": rows}, open(out, "w"))
"""
READ = ["--read-google-benchmark", "{out}/b.json"]


def sides(base, head):
    line = "{side}=python3 bench.py {words}"
    return ["gate", "--command", line.format(side="base", words=base), "--command", line.format(side="head", words=head), *READ, "--seed", "1"]


def folder():
    at = Folder()
    at.write("bench.py", PROGRAM)
    return at


def claims(done):
    return {claim["metric"]: claim for claim in json.loads(done.stdout)["claims"]}


def names_come_with_the_runs():
    with folder() as at:
        line = sides("1 {out}/b.json sort gemm scan/64", "1.1 {out}/b.json sort gemm scan/64")
        done = at.expect(1, "one of three is slower", *line, "--json")
        found = claims(done)
        check("two times of each benchmark", sorted(found) == sorted(f"{n}:{t}" for n in ("sort", "gemm", "scan/64") for t in ("real_time", "cpu_time")),
              done.shown)
        word = {name: claim["verdict"] for name, claim in found.items()}
        check("the slower one is named", word.pop("sort:real_time") == "regressed" and set(word.values()) == {"equivalent"}, done.shown)
        sort = found["sort:real_time"]
        # The least repetition of each process, in nanoseconds: pairs 0 to 9 with repetitions 0 and 1.
        least = [1000 * (1 + 0.001 * min(3 * pair % 7, (3 * pair + 5) % 7)) for pair in range(10)]
        middle = sorted(least)[4:6]
        check("the unit of evidence is the process", sort["n"] == [10, 10] and sort["unit"] == "ns" and sort["test"] == "rank", sort)
        check("its value is the least repetition", abs(sort["median"][0] - sum(middle) / 2) < 1e-9, sort)
        check("a tenth more", abs(sort["effect"] - 0.1) < 0.005, sort)
        check("one process for each side and pair", len(at.starts()) == 20, at.starts())
        again = at.run(*line, "--json")
        check("the same line again runs nothing", again.stdout == done.stdout and len(at.starts()) == 20, again.shown)
        at.expect(0, "the store is sound", "verify", "gate.db")
        stored = at.run("gate", "--baseline", "gate.db", "--candidate", "gate.db", "--json")
        check("the stored trials alone", {n: c["verdict"] for n, c in claims(stored).items()} == {n: c["verdict"] for n, c in found.items()}, stored.shown)
        only = claims(at.run(*line, "--metric", "real_time", "--db", "r.db", "--json"))
        check("one time of each", sorted(only) == ["gemm:real_time", "scan/64:real_time", "sort:real_time"], only)
        one = claims(at.run(*line, "--metric", "sort:real_time", "--metric", "wall_s", "--db", "o.db", "--json"))
        check("one time, and that of the process", sorted(one) == ["sort:real_time", "wall_s"], one)
        median = claims(at.run(*line, "--statistic", "mean", "--db", "m.db", "--json"))["gemm:real_time"]["median"][0]
        mean = sorted(2000 * (1 + 0.0005 * (3 * pair % 7 + (3 * pair + 5) % 7)) for pair in range(10))[4:6]
        check("another statistic", abs(median - sum(mean) / 2) < 1e-9, median)


def benchmarks_of_one_side():
    with folder() as at:
        gone = claims(at.expect(4, "one is gone", *sides("1 {out}/b.json sort gemm", "1 {out}/b.json sort"), "--json"))
        check("it is missing", gone["gemm:real_time"]["verdict"] == "missing" and gone["sort:real_time"]["verdict"] == "equivalent", gone)
        new = claims(at.expect(0, "one is new", *sides("1 {out}/b.json sort", "1 {out}/b.json sort gemm"), "--db", "n.db", "--json"))
        check("it is new", new["gemm:cpu_time"]["verdict"] == "new", new)
        broken = claims(at.expect(5, "one reports an error", *sides("1 {out}/b.json sort gemm", "1 {out}/b.json sort !gemm"), "--db", "e.db", "--json"))
        check("it failed", broken["gemm:real_time"]["verdict"] == "failed" and broken["sort:real_time"]["verdict"] == "equivalent", broken)
        at.write("no.py", "")
        none = at.expect(5, "a candidate that writes nothing", *sides("1 {out}/b.json sort", "1 {out}/b.json sort")[:3], "--command", "head=python3 no.py",
                         *READ, "--seed", "1", "--db", "f.db", "--json")
        check("fails every claim", {c["verdict"] for c in claims(none).values()} == {"failed"} and len(claims(none)) == 2, none.shown)
        base = ["gate", "--command", "base=python3 bench.py 1 {out}/b.json sort gemm", *READ, "--make-baseline", "base.db"]
        at.expect(0, "a stored baseline", *base, says="10 processes each")
        head = ["gate", "--command", "head=python3 bench.py 1.1 {out}/b.json sort", *READ, "--baseline", "base.db", "--allow-sequential", "--db", "h.db"]
        beside = claims(at.expect(1, "is compared", *head, "--json"))
        check("by the names of benchmarks", beside["gemm:real_time"]["verdict"] == "missing" and beside["sort:real_time"]["verdict"] == "regressed", beside)


def as_a_suite_file():
    with folder() as at:
        suite = """schema = 1
name = "kernels"
workload = "command"
seed = 42
[gate]
pairs = 7
repetitions = 3
metrics = ["real_time"]
[set]
read_google_benchmark = "{out}/b.json"
[variant.base]
command = "python3 bench.py 1 {out}/b.json sort gemm"
[variant.head]
command = "python3 bench.py 1.1 {out}/b.json sort gemm"
"""
        at.write("k.toml", suite)
        done = at.expect(1, "a suite file", "gate", "k.toml", "--allow-commands", "--json")
        check("judges what is asked for", sorted(claims(done)) == ["gemm:real_time", "sort:real_time"], done.shown)
        check("with its repetitions", all(line.endswith("--benchmark_repetitions=3") for line in at.starts()), at.starts())
        shown = at.run("show", "kernels.db", "base/0")
        check("each is kept", shown.stdout.count("sort:real_time") >= 1, shown.shown)
        at.write("few.toml", suite.replace("pairs = 7", "pairs = 4"))
        at.expect(2, "too few pairs for what is found", "gate", "few.toml", "--allow-commands", "--db", "few.db", says=["4 pairs", "2 claims", "need 5"])
        at.write("name.toml", suite.replace('"real_time"', '"sorts:real_time"'))
        at.expect(2, "a name that no program reports", "gate", "name.toml", "--allow-commands", "--db", "name.db", says="did you mean sort:real_time?")
        at.write("u.toml", suite.replace("pairs = 7\n", ""))
        looked = at.expect(1, "looks", "gate", "u.toml", "--allow-commands", "--until-decided", "--db", "u.db", "--max-pairs", "20")
        check("stop when decided", "7 of at most 20 run" in looked.stdout, looked.shown)
        null = at.expect(3, "a calibration", "calibrate", "k.toml", "--allow-commands", "--null-suites", "4", "--db", "c")
        check("of both benchmarks", "0 of 4" in null.stdout, null.shown)
        at.expect(2, "work beside the benchmarks", "calibrate", "k.toml", "--allow-commands", "--inject", "5", says="--inject-scale")


def limits():
    with Folder() as at:
        suite = """schema = 1
name = "limits"
workload = "null"
seed = 1
pairs = 10
[gate]
metrics = ["score"]
min_effect_abs = 0.5
margin_abs = 1
[variant.base]
mean = 80.0
[variant.head]
mean = 76.0
lowest = {}
"""
        at.write("l.toml", suite.format("77.0"))
        done = at.expect(1, "scores that end at a limit", "gate", "l.toml", "--json")
        score = claims(done)["score"]
        # No process of the candidate is above 77 under this seed: the other side won every comparison, 1 / C(20, 10).
        check("are behind all others", score["test"] == "rank" and score["verdict"] == "regressed" and abs(score["p_worse"] - 1 / 184756) < 1e-12, score)
        check("and say so", "reached by 10 of 10 against 0 of 10 processes" in " ".join(score["warnings"]), score)


def refusals():
    with folder() as at:
        line = sides("1 {out}/b.json sort", "1 {out}/b.json sort")
        at.expect(2, "instructions", *line, "--count", "instructions", says=["read_google_benchmark", "valgrind"])
        at.expect(2, "a process for each", *line, "--each-benchmark", says="--read-google-benchmark")
        at.expect(2, "the output", *line[:5], "--read-google-benchmark", "-", says="{out}/b.json")
        at.expect(2, "repetitions of another program", *line[:5], "--repetitions", "3", says="repetitions")
        at.expect(2, "repetitions of a shell line", *line, "--shell", "--repetitions", "3", says="shell")
        check("nothing was run for that", not at.starts())
        for text, says in [("{", "b.json: not JSON"), ("{}", "no list of this name"), ('{"benchmarks": []}', "no run of a benchmark"),
                           ('{"benchmarks": [{"name": "' + "x" * 300 + '", "time_unit": "s", "real_time": 1, "cpu_time": 1}]}', "longer than 200 bytes"),
                           ('{"benchmarks": [{"name": "a", "time_unit": "h", "real_time": 1, "cpu_time": 1}]}', "benchmarks[0].time_unit")]:
            at.write("bad.py", f"import sys; open(sys.argv[1], 'w').write('''{text}''')\n")
            bad = ["run", "--command", "a=python3 bad.py {out}/b.json", *READ, "--pairs", "1", "--seed", "1", "--db", "bad.db", "--fresh"]
            at.expect(5, says, *bad, says=says)
            (at.path / "bad.db").unlink(missing_ok=True)


run_cases(names_come_with_the_runs, benchmarks_of_one_side, as_a_suite_file, limits, refusals)
