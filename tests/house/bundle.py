#!/usr/bin/env python3
"""A bundle runs beside LibTorch alone: sizes, sums, run paths, build ids, and the digests of a short study.

    bundle.py ROOT BIN LIBTORCH SCRATCH
"""
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

root, programs, libtorch, scratch = (Path(each).absolute() for each in sys.argv[1:5])
bundle = scratch / "bundle"
BARE = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": f"{libtorch}/lib:{libtorch.parent}/nvidia/cu13/lib"}
FOREIGN = re.compile(r"^(linux-vdso|ld-linux|lib(c|m|dl|rt|util|pthread)\.so|libtorch|libc10|libgomp|libcu|libnv|libnccl)")
STUDY = ["run", "distillation", "--set", "method=ce", "--set", "student=mlp:8", "--set", "epochs=1", "--set", "train_count=32",
         "--pairs", "1", "--seed", "1"]


def demand(holds, text):
    if not holds:
        sys.exit("bundle: " + text)


def output(command, **more):
    ran = subprocess.run([str(each) for each in command], text=True, capture_output=True, **more)
    demand(ran.returncode == 0, f"{command[0]} {command[1:3]}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def build_id(program):
    return re.search(r"Build ID: ([0-9a-f]+)", output(["readelf", "-n", program]))[1]


def digests(folder, name, **more):
    """Every digest of the trials of a new store, with their identities."""
    store = scratch / f"{name}.db"
    output([folder / "retrial", *STUDY, "--db", store], cwd=scratch, **more)
    return sqlite3.connect(store).execute(
        "SELECT hex(trial.identity), digest.name, digest.step, hex(digest.value) FROM digest JOIN trial ON trial.trial_id = digest.trial_id ORDER BY 1, 2, 3, 4").fetchall()


shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
environment = dict(os.environ, RETRIAL_BIN=str(programs))
print(output([root / "scripts" / "bundle", bundle], env=environment), end="")

files = [each for each in bundle.rglob("*") if each.is_file()]
demand(sum(each.stat().st_size for each in files) <= 60e6, "more than 60 MB")
for line in (bundle / "SHA256SUMS").read_text().splitlines():
    digest, name = line.split("  ")
    demand(hashlib.sha256((bundle / name).read_bytes()).hexdigest() == digest, f"{name} is not what SHA256SUMS says")
demand(len((bundle / "SHA256SUMS").read_text().splitlines()) == len(files) - 1, "SHA256SUMS does not name every file")

for program in sorted((bundle / "bin").iterdir()):
    demand(build_id(program) == build_id(programs / program.name), f"{program.name} has another build id")
    paths = re.findall(r"runpath: \[(.*)\]", output(["readelf", "-d", program]))
    demand(paths == ["$ORIGIN/../lib"], f"{program.name} has the run path {paths}")
    for name, path in re.findall(r"(\S+) => (\S+)", output(["ldd", program], env=BARE)):
        demand(FOREIGN.match(name) or path.startswith(str(bundle)), f"{program.name} takes {name} from {path}")

there = digests(bundle / "bin", "there", env=BARE)
here = digests(programs, "here")
demand(here and here == there, f"{len(here)} digests here, {len(there)} there, and they differ")
print(f"{len(here)} digests equal")

# Without a device nothing is a success, in the bundle as in the tree.
if not Path("/dev/nvidiactl").exists():
    ran = subprocess.run([bundle / "scripts" / "measure-gpu"], env=BARE, text=True, capture_output=True)
    demand(ran.returncode == 4 and len(ran.stderr.splitlines()) == 1, f"measure-gpu: {ran.returncode} {ran.stdout}{ran.stderr}")
    print(ran.stderr, end="")
