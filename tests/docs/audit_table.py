#!/usr/bin/env python3
"""The kept table of the whole audit is what the program simulates.

    audit_table.py ROOT RETRIAL              a small part is simulated again; what differs is shown, exit 1
    audit_table.py ROOT RETRIAL --planted    the control: one digit of a table is changed and must be found

The table is docs/measurements/audit.txt, made by `COLUMNS=240 retrial audit --seed 2026 --all`. Without it nothing is left to check,
and the test says so.
"""
import os
import subprocess
import sys
from pathlib import Path

# Cheap, of every kind, with promises and departures.
PARTS = [["--rule", "sign"], ["--rule", "mcnemar"], ["--rule", "hommel"], ["--rule", "none"], ["--rule", "main_effects"],
         ["--rule", "friedman"], ["--rule", "pab_exact", "--rule", "t_paired", "--n", "10", "--model", "gaussian", "--spread", "1"]]


def tables(text):
    """{caption: rows}, blanks collapsed. A caption is a line by itself above a table, whose lines are indented."""
    found, caption = {}, None
    for line in text.splitlines():
        if not line.strip():
            caption = None
        elif caption is None:
            caption = line.strip()
            found.setdefault(caption, set())
        else:
            found[caption].add(" ".join(line.split()))
    return found


def simulated(program, part):
    env = dict(os.environ, COLUMNS="240")
    done = subprocess.run([program, "audit", "--seed", "2026", "--all", *part], env=env, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"audit {' '.join(part)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def cells(text):
    """Only tables of cells: the summary depends on everything that was simulated."""
    summary = ("The audit ", "Simulated scores", "Failed", "Rules, tests and designs on offer", "Known departures", "Rules side by side", "seed:",
               "Audit of decision rules")
    return {caption: rows for caption, rows in tables(text).items() if not caption.startswith(summary)}


def differences(kept, again):
    out = []
    for caption, rows in again.items():
        if caption not in kept:
            out.append(f"{caption}: not in the table")
            continue
        out += [f"{caption}: {row}" for row in sorted(rows - kept[caption])]
    return out


def main():
    root, program = Path(sys.argv[1]), sys.argv[2]
    if "--planted" in sys.argv:
        text = simulated(program, PARTS[0])
        again = cells(text)
        if not again or differences(again, again):
            sys.exit("a table differs from itself, or has no cells")
        last = max((row for rows in again.values() for row in rows if row[0].isdigit()))
        changed = cells(text.replace(last.split()[0], "99.99"))
        if not differences(changed, again):
            sys.exit("a changed rate was not found")
        return
    file = root / "docs/measurements/audit.txt"
    if not file.exists():
        print("left out: docs/measurements/audit.txt has not been made (COLUMNS=240 retrial audit --seed 2026 --all)")
        return
    kept = cells(file.read_text())
    wrong = [line for part in PARTS for line in differences(kept, cells(simulated(program, part)))]
    if wrong:
        sys.exit("these rows are simulated, and not in docs/measurements/audit.txt:\n" + "\n".join(wrong))


main()
