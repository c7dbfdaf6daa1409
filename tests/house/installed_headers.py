#!/usr/bin/env python3
"""installed_headers.py BUILD SCRATCH COMPILER...: every installed header of the statistics compiles alone and without a
warning, by every compiler; so does a program that fills in settings. Before that, the check finds planted defects."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

build, scratch = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
compilers = sys.argv[3:]
warnings = ["-std=c++20", "-Wall", "-Wextra", "-Werror"]
planted = {
    "incomplete.hpp": "#pragma once\ninline std::vector<int> numbers;\n",
    "internal.hpp": '#pragma once\n#include "variance/numbers/dense.hpp"\n',
    "warns.hpp": "#pragma once\ninline int same(int value, int unused) { return value; }\n",
}


def problem_of(job):
    """What a compiler says about one header, included twice, or about one source."""
    compiler, folder, file = job
    words = [compiler, *warnings, "-fsyntax-only", f"-I{folder}"]
    words += ["-include", file, "-include", file, "-x", "c++", os.devnull] if file.endswith(".hpp") else [file]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return f"{' '.join(words)}\n{done.stderr}" if done.returncode != 0 or done.stderr else ""


def problems_of(jobs):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [problem for problem in pool.map(problem_of, jobs) if problem]


shutil.rmtree(scratch, ignore_errors=True)
subprocess.run(["cmake", "--install", build, "--component", "variance", "--prefix", scratch / "installed"], check=True,
               stdout=subprocess.DEVNULL)  # fmt: skip
folder = scratch / "installed/include/retrial"
(scratch / "planted").mkdir()
for name, text in planted.items():
    (scratch / "planted" / name).write_text(text)
for compiler in compilers:
    for name in planted:
        if not problem_of((compiler, folder, str(scratch / "planted" / name))):
            sys.exit(f"{compiler} does not find what is planted in {name}")

headers = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.hpp"))
if "variance/variance.hpp" not in headers or "variance/version.hpp" not in headers:
    sys.exit(f"variance/variance.hpp and variance/version.hpp are not among the {len(headers)} installed headers")
settings = str(pathlib.Path(__file__).with_name("settings_of_users.cpp"))
problems = problems_of((compiler, folder, file) for compiler in compilers for file in [*headers, settings])
if problems:
    sys.exit("\n".join(problems) + "\nA header for .cpp files alone says so in its comment: For .cpp files of ...")
print(f"{len(headers)} headers, {len(compilers)} compilers: no warning")
