"""Tables of 10^6 scores are read in at most 200 MB, and what is larger than declared ends with one line.

usage: large_tables.py RETRIAL [--times]    (--times: also at most 2 s of CPU time, on a machine that does nothing else)
"""
import array
import json
import os
import random
import subprocess
import sys
import tempfile

SCORES = 1_000_000
MOST_MB = 200  # of a table of 10^6 scores
MOST_MB_REFUSED = 250  # of one that is refused after twice as many
MOST_SECONDS = 2.0


def tables(folder):
    """Name, and the words behind `import`, of one table for each shape and format."""
    rng = random.Random(20210403)
    scores = [rng.random() for _ in range(SCORES)]

    def path(name):
        return os.path.join(folder, name)

    def write(name, lines):
        with open(path(name), "w") as file:
            file.writelines(lines)
        return path(name)

    def wide(columns):
        yield ",".join(f"v{c}" for c in range(columns)) + "\n"
        for row in range(0, SCORES, columns):
            yield ",".join(map(repr, scores[row : row + columns])) + "\n"

    def long(header, line):
        yield header + "\n"
        for i, score in enumerate(scores):
            yield line.format(variant="ab"[i // 50_000 % 2], pair=i % 50_000, task=i // 100_000, score=repr(score)) + "\n"

    for columns in (2, 100, 2_000):
        yield f"{columns} columns", [write("wide.csv", wide(columns))]
    comma = (line.replace(",", ";").replace(".", ",") for line in wide(2))
    yield "decimal commas", [write("comma.csv", comma)]
    yield "long", [write("long.csv", long("variant,pair,task,score", "{variant},{pair},task-{task},{score}"))]
    six = long("variant,pair,cluster,task,metric,score", "{variant},{pair},,task-{task},acc,{score}")
    yield "long, all columns", [write("six.csv", six)]
    named = write("named.csv", long("model,seed,env,acc", "{variant},{pair},env-{task},{score}"))
    yield "named columns", [named, "--columns", "variant=model,pair=seed,task=env,score=acc"]
    groups = (f"{'ab'[i % 2]},{score!r}\n" for i, score in enumerate(scores))
    yield "groups", [write("groups.csv", ["group,score\n", *groups])]
    half = SCORES // 2
    results = [{"command": name, "times": scores[at : at + half]} for name, at in (("a", 0), ("b", half))]
    with open(path("hyperfine.json"), "w") as file:
        json.dump({"results": results}, file)
    yield "hyperfine", [path("hyperfine.json")]
    for name, at in (("a.npy", 0), ("b.npy", half)):
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 100), }" % (half // 100)
        header += " " * (63 - (10 + len(header)) % 64) + "\n"
        with open(path(name), "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
            array.array("d", scores[at : at + half]).tofile(file)
    yield "npy", [path("a.npy"), path("b.npy")]


def run(words, stdin=subprocess.DEVNULL):
    """Exit code, megabytes, seconds of CPU time and the lines of standard error."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(words, stdin=stdin, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read().decode().splitlines()
    return child.returncode, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, lines


def main():
    retrial, timed = sys.argv[1], "--times" in sys.argv
    failures = []

    def check(name, holds, what):
        if not holds:
            failures.append(f"{name}: {what}")

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        for name, words in tables(folder):
            code, megabytes, seconds, lines = run([retrial, "import", *words, "-o", out, "--force"])
            print(f"{name:20} {seconds:6.2f} s {megabytes:6.0f} MB")
            check(name, code == 0, f"exit code {code}: {lines[:1]}")
            check(name, megabytes <= MOST_MB, f"{megabytes:.0f} MB")
            check(name, not timed or seconds <= MOST_SECONDS, f"{seconds:.2f} s")
        many = os.path.join(folder, "many.csv")
        with open(many, "w") as file:
            file.write("a,b\n" + "1,2\n" * 1_000_001)
        fields = os.path.join(folder, "fields.csv")
        with open(fields, "w") as file:
            file.write("a,b\n" + "1,2\n" * 6_000_000)
        for name, words, code in (
            ("/dev/zero", ["import", "/dev/zero"], 2),
            ("endless lines", ["import", "-"], 2),
            ("2,000,002 scores", ["import", many], 2),
            ("12,000,002 fields", ["import", fields], 2),
        ):
            endless = subprocess.Popen(["yes", "1,2"], stdout=subprocess.PIPE) if words[1] == "-" else None
            got, megabytes, seconds, lines = run([retrial, *words], endless.stdout if endless else subprocess.DEVNULL)
            if endless:
                endless.stdout.close()
                endless.kill()
                endless.wait()
            print(f"{name:20} {seconds:6.2f} s {megabytes:6.0f} MB: {lines[:1]}")
            check(name, got == code, f"exit code {got}")
            check(name, megabytes <= MOST_MB_REFUSED, f"{megabytes:.0f} MB")
            check(name, sum("error" in line for line in lines) == 1, f"not one line: {lines}")
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
