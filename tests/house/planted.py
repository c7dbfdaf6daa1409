#!/usr/bin/env python3
"""The negative control of rooms.py: a copy of the tree with one planted line a folder, each of which must be named, and
the copy without it, in which nothing may be found."""
import shutil
import sys
import tempfile
from pathlib import Path

import rooms

# One wrong include for each folder with rooms, then one for each other rule.
PLANTED = [
    ("variance/planted.hpp", '#include "results/store/store.hpp"'),
    ("results/planted.cpp", "#include <ATen/ATen.h>"),
    ("determinism/planted.cpp", "#include <sqlite3.h>"),
    ("results/planted2.cpp", "#include <boost/program_options.hpp>"),
    ("harness/judge/planted.hpp", "#include <boost/math/distributions.hpp>"),
    ("harness/judge/planted.cpp", "std::random_device entropy;"),
    ("harness/judge/planted2.cpp", '#include "../text/table.hpp"'),
    ("harness/unnamed/planted.cpp", '#include "harness/text/table.hpp"'),
]


def upward(folder, houses):
    """A file in the first room of a folder that includes something of the last one, which it may not use."""
    names = [name for name in houses[folder] if name != "."]
    prefix = "" if folder == "." else folder + "/"
    return f"{prefix}{names[0]}/planted.cpp", f'#include "{prefix}{names[-1]}/planted.hpp"'


def copy_of(root, into):
    for path in root.glob("**/ROOMS"):
        relative = path.relative_to(root)
        if relative.parts[0] in rooms.TOPS or relative.parts == ("ROOMS",):
            (into / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, into / relative)


def main(root):
    root = Path(root)
    failed = []
    houses = rooms.all_rooms(root)
    for file, line in PLANTED + [upward(folder, houses) for folder in houses]:
        with tempfile.TemporaryDirectory() as scratch:
            into = Path(scratch)
            copy_of(root, into)
            if list(rooms.wrong(into)):
                failed.append("found something where nothing is planted")
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            (into / file).write_text(line + "\n")
            if not any(file in words for words in rooms.wrong(into)):
                failed.append(f"not found: {line} in {file}")
    print("\n".join(failed) or f"{len(PLANTED) + len(houses)} planted lines, each found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
