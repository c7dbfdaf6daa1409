#!/usr/bin/env python3
"""The negative controls of rooms.py and hidden_names.py: small trees with one planted defect each, which must be named, and
the trees without it, in which nothing may be found."""
import shutil
import sys
import tempfile
from pathlib import Path

import hidden_names
import rooms

# One wrong include for each folder with rooms, then one for each other rule.
PLANTED = [
    ("variance/planted.hpp", '#include "results/store/store.hpp"'),
    ("results/planted.cpp", "#include <ATen/ATen.h>"),
    ("determinism/planted.cpp", "#include <sqlite3.h>"),
    ("results/planted2.cpp", "#include <boost/program_options.hpp>"),
    ("harness/judge/planted.hpp", "#include <boost/math/distributions.hpp>"),
    ("harness/judge/planted.cpp", "std::random_device entropy;"),
    ("harness/judge/planted3.cpp", "for (int x : list | std::views::reverse) use(x);"),
    ("harness/judge/planted2.cpp", '#include "../text/table.hpp"'),
    ("harness/unnamed/planted.cpp", '#include "harness/text/table.hpp"'),
]

TEXT = "namespace retrial::harness::inline text {\nstd::string line_of(int row);\n}\n"
# A file of harness/judge, which may use harness/text, and whether its line_of hides the one of harness/text.
HIDING = [
    ("namespace retrial::harness::inline judge {\nnamespace {\nstd::string line_of(int row) { return {}; }\n}\n}\n", True),
    ("namespace retrial::harness::inline judge {\nnamespace {\nstd::map<int, std::function<void(int)>>\nline_of(char c) {\n}\n}\n}\n", True),
    ("namespace retrial::harness {\ninline namespace judge {\nnamespace {\nauto line_of() -> int { return 1; }\n}\n}\n}\n", True),
    ("namespace retrial::harness {\nnamespace {\nstd::string line_of(char c) { return {}; }\n}\n}\n", False),  # an overload
    ("namespace retrial::variance {\nnamespace {\nstd::string line_of(int row) { return {}; }\n}\n}\n", False),
    ("namespace retrial::harness::inline judge {\nnamespace {\nstruct Page {\n  int line_of(int row);\n};\n}\n}\n", False),
    ("namespace retrial::harness::inline judge {\nnamespace {\n// int line_of(int row);\nauto page = line_of(1);\n}\n}\n", False),
]


def upward(folder, houses):
    """A file in the first room of a folder that includes something of the last one, which it may not use."""
    names = [name for name in houses[folder] if name != "."]
    prefix = "" if folder == "." else folder + "/"
    return f"{prefix}{names[0]}/planted.cpp", f'#include "{prefix}{names[-1]}/planted.hpp"'


def copy_of(root, into):
    # A build folder changes while tests run beside this one, so it is not searched.
    for path in [root / "ROOMS", *(found for top in rooms.TOPS for found in (root / top).glob("**/ROOMS"))]:
        relative = path.relative_to(root)
        (into / relative).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, into / relative)


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def failed_directions(root):
    houses = rooms.all_rooms(root)
    for file, line in PLANTED + [upward(folder, houses) for folder in houses]:
        with tempfile.TemporaryDirectory() as scratch:
            into = Path(scratch)
            copy_of(root, into)
            if list(rooms.wrong(into)):
                yield "found something where nothing is planted"
            write(into / file, line + "\n")
            if not any(file in words for words in rooms.wrong(into)):
                yield f"not found: {line} in {file}"


def failed_names(root):
    with tempfile.TemporaryDirectory() as scratch:
        into = Path(scratch)
        copy_of(root, into)
        write(into / "harness/text/planted.hpp", TEXT)
        for source, is_hiding in HIDING:
            write(into / "harness/judge/planted.cpp", source)
            if len(list(hidden_names.hidden(into))) != is_hiding:
                yield f"{'not found' if is_hiding else 'found, and hides nothing'}:\n{source}"
        # What harness/text does cannot hide a name of a room that it may not use.
        write(into / "harness/text/planted.hpp", TEXT.replace("text", "judge"))
        write(into / "harness/judge/planted.cpp", HIDING[0][0].replace("judge", "text"))
        (into / "harness/judge/planted.cpp").rename(into / "harness/text/planted.cpp")
        (into / "harness/text/planted.hpp").rename(into / "harness/judge/planted.hpp")
        yield from hidden_names.hidden(into)


# Two files of harness/judge: what each names for itself alone, and whether a unity build of both would be an error.
ALONE = "namespace retrial::harness::inline judge {{\nnamespace {{\n{}\n}}  // namespace\n}}\n"
MEETING = [
    ("using Scores = int;", "using Scores = double;", True),
    ("using Scores = int;", "using Scores = int;", False),
    ("struct Row { int a; };", "struct Row { double a; };", True),
    ("int of(int a) { return a; }", "int of(int b) { return b + 1; }", True),
    ("int of(int a) { return a; }", "int of(const Row& b) { return b.a; }", False),
]


def failed_meetings(root):
    with tempfile.TemporaryDirectory() as scratch:
        into = Path(scratch)
        copy_of(root, into)
        for one, other, is_error in MEETING:
            write(into / "harness/judge/planted.cpp", ALONE.format(one))
            write(into / "harness/judge/planted_too.cpp", ALONE.format(other))
            if len(list(hidden_names.twice(into))) != is_error:
                yield f"{'not found' if is_error else 'found, and no error'}:\n{one}\n{other}"


def main(root):
    failed = [*failed_directions(Path(root)), *failed_names(Path(root)), *failed_meetings(Path(root))]
    print("\n".join(failed) or "each planted defect is found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
