#!/usr/bin/env python3
"""The entries of CTest for one Catch2 program, written after it is linked.

    entries.py PROGRAM LABEL FILE

A source file is one entry. A case tagged [slow] is an entry of its own with that label, so is a case tagged
[needs-SOMETHING]: CTest shows it as skipped where the case prints "left out: REASON". A case without an assertion fails.
"""

import re
import subprocess
import sys

program, label, file = sys.argv[1:]
TIMEOUT_S = 900
# As in a worker. A second thread that spins for a core costs minutes where both are taken.
ENVIRONMENT = "OMP_WAIT_POLICY=passive"


def listed(*words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False).stdout


def cases(spec):
    """(name, source file) of the cases that the spec picks; each line is NAME, a tab and @FILE:LINE."""
    lines = listed("--list-test-names-only", "--verbosity", "high", spec).splitlines()
    return [(line.split("\t@")[0], line.split("\t@")[1].rpartition(":")[0]) for line in lines if "\t@" in line]


def place(source):
    """tests/harness/plan/plan_tests.cpp is harness/plan."""
    return re.sub(r"_tests\.cpp$", "", source.partition("tests/")[2])


def stem_of(source):
    return source.rpartition("/")[2].rpartition(".")[0]


def entry(name, words, labels, more=""):
    quoted = " ".join(f"[==[{word}]==]" for word in [program, "--warn", "NoAssertions", *words])
    return (f"add_test([==[{name}]==] {quoted})\n"
            f"set_tests_properties([==[{name}]==] PROPERTIES LABELS \"{labels}\" TIMEOUT {TIMEOUT_S} ENVIRONMENT {ENVIRONMENT}{more})\n")


def escaped(name):
    return re.sub(r"([\\,\[\]])", r"\\\1", name)


def of_case(case, more_label, more=""):
    return entry(f"{place(case[1])}: {case[0]}", [escaped(case[0])], f"{label};{more_label}", more)


def of_source(source, found):
    """Catch knows a file by its name alone, so files that share one are run by the names of their cases."""
    stem = stem_of(source)
    if [stem_of(other) for other in {file for _, file in found}].count(stem) == 1:
        return entry(place(source), ["--filenames-as-tags", f"[#{stem}]{rest}"], label)
    return entry(place(source), [",".join(escaped(name) for name, file in found if file == source)], label)


needs = sorted(set(re.findall(r"\[(needs-[a-z]+)\]", listed("--list-tags"))))
needless = "~[.]" + "".join(f"~[{need}]" for need in needs)
rest = needless + "~[slow]"
slow = cases("[slow]~[.]")
text = ""
found = cases(rest)
for source in sorted({source for _, source in found}):
    text += of_source(source, found)
for case in cases("[slow]" + needless):
    text += of_case(case, "slow", " COST 100")
for need in needs:
    for case in cases(f"[{need}]~[.]"):
        text += of_case(case, f"{need};slow" if case in slow else need, " SKIP_REGULAR_EXPRESSION \"left out: \"")
with open(file, "w", encoding="utf-8") as out:
    out.write(text)
