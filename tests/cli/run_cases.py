#!/usr/bin/env python3
"""Runs command-line tests that are text files.

    run_cases.py RETRIAL_BINARY FILE.case...

Each case runs in a fresh temporary folder with a small fixed environment. A file holds one or more cases:

    case: a mistyped command suggests its neighbour
    file: study.toml          # optional, repeated: the indented lines below become that file
      schema = 1
    run: retrial list         # optional, repeated: a line that must succeed before
    run 5: retrial run x.toml # the same, with the exit code it must have
    env: NO_COLOR=1           # optional, repeated
    $ retrial compair
    exit: 2
    stdout: empty             # or: stdout: followed by indented lines; left out: anything
    stderr:
      retrial: error: compair: unknown command
      ...

In expected lines `...` stands for any text: inside a line for any characters, alone on a line for any lines.
`stdout contains: TEXT` asks for a fragment only, `stdout lacks: TEXT` for its absence (the same for stderr).
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

TIMEOUT_S = 60


class Case:
    def __init__(self, name, source):
        self.name, self.source = name, source
        self.files, self.before, self.env = {}, [], {}
        self.command, self.exit = None, 0
        self.whole, self.fragments = {}, []


def without_comment(text):
    return re.sub(r"\s+# .*$", "", text).strip()


def indented(lines, at):
    block = []
    while at < len(lines) and (lines[at].startswith("  ") or (not lines[at].strip() and indented_follows(lines, at))):
        block.append(lines[at][2:])
        at += 1
    return block, at


def indented_follows(lines, at):
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at < len(lines) and lines[at].startswith("  ")


def parse(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    cases, at = [], 0
    while at < len(lines):
        line = lines[at]
        where = f"{path}:{at + 1}"
        at += 1
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("case:"):
            cases.append(Case(line[5:].strip(), where))
            continue
        if not cases:
            raise SystemExit(f"{where}: a file begins with 'case: NAME'")
        case = cases[-1]
        if line.startswith("$ "):
            case.command = line[2:].strip()
            continue
        key, _, rest = line.partition(":")
        if key == "file":
            block, at = indented(lines, at)
            case.files[without_comment(rest)] = "\n".join(block) + "\n"
        elif re.fullmatch(r"run( \d+)?", key):
            case.before.append((int(key[3:] or 0), without_comment(rest)))
        elif key == "env":
            name, _, value = without_comment(rest).partition("=")
            case.env[name] = value
        elif key == "exit":
            case.exit = int(rest)
        elif key in ("stdout", "stderr"):
            block, at = indented(lines, at)
            case.whole[key] = "" if without_comment(rest) == "empty" else "\n".join(block) + "\n"
        elif re.fullmatch(r"(stdout|stderr) (contains|lacks)", key):
            case.fragments.append((*key.split(), rest.strip()))
        else:
            raise SystemExit(f"{where}: not understood: {line}")
    return cases


def pattern_of(expected):
    out = []
    for line in expected.split("\n"):
        if line == "...":
            out.append(r"(?:.*\n)*?")
        else:
            out.append(".*?".join(re.escape(part) for part in line.split("...")) + r"\n")
    # The text ends with LF, so the last piece of split is empty and must match nothing.
    return re.compile("".join(out[:-1]) + r"\Z")


def run_line(binary, line, folder, env):
    words = shlex.split(line)
    if words[0] == "retrial":
        words[0] = binary
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=TIMEOUT_S, stdin=subprocess.DEVNULL)


def problems_of(case, binary):
    with tempfile.TemporaryDirectory() as folder:
        env = {"PATH": os.environ["PATH"], "HOME": folder, "COLUMNS": "100", "LC_ALL": "C"}
        for keep in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
            if keep in os.environ:
                env[keep] = os.environ[keep]
        env.update(case.env)
        for name, text in case.files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for expected, line in case.before:
            done = run_line(binary, line, folder, env)
            if done.returncode != expected:
                return [f"before: {line}: exit {done.returncode}, expected {expected}\n{done.stderr}"]
        done = run_line(binary, case.command, folder, env)
    texts = {"stdout": done.stdout, "stderr": done.stderr}
    out = []
    if done.returncode != case.exit:
        out.append(f"exit {done.returncode}, expected {case.exit}")
    for stream, expected in case.whole.items():
        if not (texts[stream] == "" if expected == "" else pattern_of(expected).match(texts[stream])):
            out.append(f"{stream} differs; expected:\n{expected}")
    for stream, how, text in case.fragments:
        if (text in texts[stream]) != (how == "contains"):
            out.append(f"{stream} {how}: {text}")
    if out:
        out += [f"--- stdout\n{done.stdout}--- stderr\n{done.stderr}"]
    return out


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    binary, failed, count = os.path.abspath(sys.argv[1]), 0, 0
    for path in sys.argv[2:]:
        for case in parse(path):
            count += 1
            problems = problems_of(case, binary)
            if problems:
                failed += 1
                print(f"FAILED {case.source}: {case.name}\n  $ {case.command}\n" + "\n".join(problems) + "\n")
    print(f"{count - failed} of {count} cases passed")
    if count == 0:
        raise SystemExit("no case was run")
    sys.exit(1 if failed else 0)


main()
