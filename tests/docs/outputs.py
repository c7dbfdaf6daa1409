#!/usr/bin/env python3
"""Outputs that the manual quotes are outputs of the program.

    outputs.py ROOT RETRIAL                what differs is shown, exit 1
    outputs.py ROOT RETRIAL --write        writes what the program prints now into the pages

As a control, each block with a changed last line must differ too.

A block after the line `<!-- output -->` is checked: its lines `$ COMMAND` run in one empty folder per page, and the lines below are
what they print, 100 columns wide. A last line `...` leaves out the rest. `survey/retrial` is the test program with planted
defects (tests/survey). `<!-- output: NAME.db -->` needs a store that takes long to make: it is checked where RETRIAL_DOCS_STORES
names a folder that has it, and is listed as left out elsewhere.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"<!-- output(?:: (?P<store>[\w.-]+))? -->\n```console\n(?P<body>.*?)```\n", re.DOTALL)

DIGEST = re.compile(r"\b[0-9a-f]{12,64}\b")


def commands(body):
    """(lines of the command, lines printed below it), in order; a command goes on after a backslash."""
    out, lines = [], body.splitlines()
    while lines:
        command = [lines.pop(0)]
        while command[-1].endswith("\\"):
            command.append(lines.pop(0))
        printed = []
        while lines and not lines[0].startswith("$ "):
            printed.append(lines.pop(0))
        out.append((command, printed))
    return out


def shown(printed, quoted):
    """What the program printed, with as much left out as in the quotation."""
    if quoted and quoted[-1] == "...":
        return printed[:len(quoted) - 1] + ["..."]
    return printed


def run(command, folder, environment):
    text = "\n".join(command).removeprefix("$ ")
    done = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return [line.rstrip() for line in done.stdout.rstrip("\n").splitlines()] if done.stdout else []


def today(body, folder, environment):
    """The block as the program prints it now; nothing where it refuses, such as to replay the trials of another build."""
    out = []
    for command, quoted in commands(body):
        printed = run(command, folder, environment)
        if quoted and not printed:
            return None
        out += command + shown(printed, quoted)
    return "\n".join(out) + "\n"


def alike(old, new):
    """Equal but for digests, which change with the program and the interpreter that are measured."""
    return DIGEST.sub("DIGEST", old) == DIGEST.sub("DIGEST", new)


def pages_of(root):
    return [page for page in [root / "README.md", *sorted((root / "docs").glob("**/*.md"))]
            if BLOCK.search(page.read_text(encoding="utf-8"))]


def refreshed(page, root, environment, stores, programs):
    """The page with every block that can be made here, and the stores that are missing."""
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(root / "examples")
        (Path(folder) / "studies").symlink_to(root / "studies")
        (Path(folder) / "tests").symlink_to(root / "tests")
        (Path(folder) / "survey").symlink_to(programs / "survey")

        def block(match):
            store = match["store"]
            if store:
                if not stores or not (Path(stores) / store).exists():
                    missing.append(store)
                    return match[0]
                for part in Path(stores).glob(store + "*"):
                    if part.is_file():
                        shutil.copy(part, folder)
            now = today(match["body"], folder, environment)
            if now is None:
                missing.append((store or "a command") + " by this program")
            return match[0].replace(match["body"], now or match["body"])

        return BLOCK.sub(block, page.read_text(encoding="utf-8")), missing


def main(root, retrial, *options):
    root, stores, wrong, left_out = Path(root).resolve(), os.environ.get("RETRIAL_DOCS_STORES"), [], []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RETRIAL")}
    programs = Path(retrial).resolve().parent
    environment |= {"PATH": f"{programs}:{os.environ['PATH']}"}
    environment |= {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    for page in pages_of(root):
        name, text = page.relative_to(root), page.read_text(encoding="utf-8")
        new, missing = refreshed(page, root, environment, stores, programs)
        left_out += [f"{name}: {store}" for store in missing]
        if "--write" in options and not alike(text, new):
            page.write_text(new, encoding="utf-8")
        elif "--write" in options:
            continue
        else:
            for old, now in zip(BLOCK.finditer(text), BLOCK.finditer(new)):
                lines = [line for _, printed in commands(old["body"]) for line in printed if line and line != "..."]
                if not lines or alike(old["body"].replace(lines[-1], lines[-1] + "x"), now["body"]):
                    wrong.append(f"{name}: a changed line is not found in\n{old['body']}")
                if not alike(old["body"], now["body"]):
                    wrong.append(f"{name} quotes\n{old['body']}\nand the program prints\n{now['body']}")
    if left_out:
        print("left out, not in RETRIAL_DOCS_STORES: " + ", ".join(sorted(set(left_out))))
    wrong += [text for text in left_out if "a command" in text]
    print("\n".join(wrong) or "agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
