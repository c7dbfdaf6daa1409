#!/usr/bin/env python3
"""Outputs that the manual quotes are outputs of the program.

    outputs.py ROOT RETRIAL                what differs is shown, exit 1
    outputs.py ROOT RETRIAL --write        writes what the program prints now into the pages
    ... --run                              runs studies/NAME.toml for each store NAME.db that is missing

As a control, each block with a changed last line, or with another digit in a digest that is held, must differ too.

Result digests and study digests are held: they are everybody's. Other digests change with the build and the interpreter that are
measured, or are those of a planted defect.

A block after the line `<!-- output -->` is checked: its lines `$ COMMAND` run in one empty folder per page, and the lines below are
what they print, 100 columns wide. A last line `...` leaves out the rest. `survey/retrial` is the test program with planted
defects (tests/survey). `<!-- output: NAME.db -->` needs a store that takes long to make: it is checked where RETRIAL_DOCS_STORES
names a folder that has it or that --run may fill, and is listed as left out elsewhere.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"<!-- output(?:: (?P<store>[\w.-]+))? -->\n```console\n(?P<body>.*?)```\n", re.DOTALL)

DIGEST = re.compile(r"(?P<held>result digest +|study [\w.-]+ \()?\b(?P<digest>[0-9a-f]{12,64})\b")


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
    """Equal but for digests that are not held."""
    def masked(text):
        return DIGEST.sub(lambda match: match[0] if match["held"] else "DIGEST", text)
    return masked(old) == masked(new)


def altered(body):
    """The block with one wrong thing in it, each in turn: its last line, and the first digit of each digest that is held."""
    lines = [line for _, printed in commands(body) for line in printed if line and line != "..."]
    if lines:
        yield body.replace(lines[-1], lines[-1] + "x")
    for match in DIGEST.finditer(body):
        if match["held"]:
            at = match.start("digest")
            yield body[:at] + ("0" if body[at] != "0" else "1") + body[at + 1:]


def pages_of(root):
    return [page for page in [root / "README.md", *sorted((root / "docs").glob("**/*.md"))]
            if BLOCK.search(page.read_text(encoding="utf-8"))]


def fill(stores, root, environment, pages):
    """Runs the study of each store that the pages quote and the folder lacks."""
    for page in pages:
        for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if match["store"] and not (Path(stores) / match["store"]).exists():
                study = root / "studies" / Path(match["store"]).with_suffix(".toml")
                subprocess.run(["retrial", "run", study, "--db", match["store"]], cwd=stores, env=environment, check=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


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
    made = tempfile.TemporaryDirectory() if "--run" in options and not stores else None
    stores = made.name if made else stores
    if "--run" in options:
        fill(stores, root, environment, pages_of(root))
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
                changes = list(altered(old["body"]))
                if not changes and old["store"] in missing:
                    continue  # nothing is written yet
                if not changes or any(alike(change, now["body"]) for change in changes):
                    wrong.append(f"{name}: a change is not found in\n{old['body']}")
                if not alike(old["body"], now["body"]):
                    wrong.append(f"{name} quotes\n{old['body']}\nand the program prints\n{now['body']}")
    if left_out:
        print("left out, not in RETRIAL_DOCS_STORES: " + ", ".join(sorted(set(left_out))))
    wrong += [text for text in left_out if "a command" in text]
    print("\n".join(wrong) or "agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
