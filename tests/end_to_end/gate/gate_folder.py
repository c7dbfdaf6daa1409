"""The folder that a gate runs in: programs of the user, and what is expected of the command line.

Imported by scripts of which the first argument is the program to test, and further ones the cases to run.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RETRIAL = sys.argv[1]
failures = []


def check(what, holds, shown=""):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}\n{shown}")


# $1: center, $2: name in the log of starts
PROGRAM = """echo "$2 $TRIAL_PAIR" >> starts
[ -f slow ] && sleep 0.2
echo "score=$1.$TRIAL_PAIR"
"""
JUDGED = ["--metric", "score", "--min-effect-abs", "1", "--margin-abs", "3"]


class Folder:
    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="retrial-gate-"))
        self.write("p.sh", PROGRAM)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def environment(self, **more):
        keep = {key: os.environ[key] for key in ("PATH", "HOME", "LD_LIBRARY_PATH") if key in os.environ}
        return {**keep, "NO_COLOR": "1", "COLUMNS": "200", **more}

    def run(self, *words, **environment):
        done = subprocess.run([RETRIAL, *words], cwd=self.path, env=self.environment(**environment), capture_output=True,
                              text=True, timeout=300, check=False)
        done.shown = f"{' '.join(words)}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def expect(self, code, what, *words, says="", lacks="", **environment):
        done = self.run(*words, **environment)
        check(f"{what}: exit {code}", done.returncode == code, done.shown)
        for text in [says] if isinstance(says, str) else says:
            check(f"{what}: says {text!r}", text in done.stdout + done.stderr, done.shown)
        if lacks:
            check(f"{what}: lacks {lacks!r}", lacks not in done.stdout + done.stderr, done.shown)
        return done

    def starts(self):
        path = self.path / "starts"
        return path.read_text().split("\n")[:-1] if path.exists() else []


def commands(base="100", head="110"):
    return ["gate", "--command", f"base=sh p.sh {base} base {{seed}}", "--command", f"head=sh p.sh {head} head {{seed}}", "--read", "score:lower"]


SUITE = """schema = 1
name = "kernels"
workload = "command"
seed = 42
pairs = 9
[gate]
metrics = ["score"]
min_effect_abs = 1
margin_abs = 3
{gate}
[set]
read = "score:lower"
[variant.base]
command = "sh p.sh 100 {{bench}}-base {{seed}}"
[variant.head]
command = "sh p.sh {{worse}} {{bench}}-head {{seed}}"
[bench.gemm.set]
bench = "gemm"
worse = "100"
[bench.sort.set]
bench = "sort"
worse = "110"
[bench.stream.set]
bench = "stream"
worse = "100"
"""


def run_cases(*cases):
    for case in cases:
        if len(sys.argv) > 2 and case.__name__ not in sys.argv[2:]:
            continue
        print(case.__name__, flush=True)
        case()
    if failures:
        print(f"{len(failures)} failed: " + "; ".join(failures))
        sys.exit(1)
    print("all held")
