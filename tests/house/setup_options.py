#!/usr/bin/env python3
"""scripts/setup answers --help, and rejects an unknown option with the nearest one; neither installs anything.

  setup_options.py ROOT
"""
import subprocess, sys


def answer(*words):
    run = subprocess.run([sys.argv[1] + "/scripts/setup", *words], capture_output=True, text=True, timeout=60)
    return run.returncode, run.stdout, run.stderr


options = ("--core", "--wheel", "--cuda", "--cuda=link", "--test", "--help")
allowed = ", ".join(options)
failures = []
code, out, err = answer("--help")
missing = [option for option in options if f"  scripts/setup {option} " not in out]
if code != 0 or missing or err:
    failures.append(f"--help: exit {code}, without {missing}, {err!r}")
for word, near in (("--tset", " (did you mean --test?)"), ("-core", " (did you mean --core?)"), ("xyz", "")):
    expected = f"scripts/setup: {word}: unknown option{near}; allowed: {allowed}\n"
    if answer(word) != (2, "", expected):
        failures.append(f"{word}: {answer(word)}")
print("\n".join(failures))
sys.exit(bool(failures))
