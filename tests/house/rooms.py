#!/usr/bin/env python3
"""Rules of the house: who may include whom, and where libraries and draws may appear, and what a compiler of ours cannot read.

A folder with a file ROOMS says, a line each, which of its subfolders ("rooms") may use which:

    judge: text study plan stored   # a declared design becomes a verdict

`above` is every room above it. An include that leads from one room to another is compared in the folder in which the two paths part. A file beside the
rooms belongs to the room ".". A room not named in ROOMS is an error, so that nothing is added without a place.

    rooms.py ROOT           names every file and include that is against the rules; exit code 1
    rooms.py ROOT --map     prints the rooms as they are drawn in CONTRIBUTING.md
    rooms.py ROOT --write   draws them there
"""
import re
import sys
from pathlib import Path

TOPS = ["variance", "results", "determinism", "workloads", "harness", "tests"]
SOURCES = {".cpp", ".hpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
# A library, the files that may include it, and the words for those that may not.
LIBRARIES = [
    (re.compile(r"(torch|ATen|c10)/"), re.compile(r"_torch(_tests)?\.(cpp|hpp)$"), "LibTorch outside a *_torch file"),
    (re.compile(r"SQLiteCpp/|sqlite3"), re.compile(r"^(results/.*\.cpp$|tests/(results|measure|fault)/)"), "SQLite outside results"),
    (re.compile(r"boost/program_options"), re.compile(r"^(harness/.*\.cpp$|tests/measure/)"), "Boost.Program_options outside harness"),
    (re.compile(r"boost/"), re.compile(r"^(?!.*\.hpp$)"), "Boost in a header"),
]
DRAWS = re.compile(
    r"std::random_device|std::shuffle|std::mt19937|std::normal_distribution|std::uniform_|torch::manual_seed|std::setlocale")
VIEWS = re.compile(r"std::(?:ranges::)?views::")  # clang++ 14, which builds the sanitizer presets, cannot read those of g++ 12
MAP_BEGIN, MAP_END = "<!-- rooms: drawn by tests/house/rooms.py --write -->", "<!-- end of rooms -->"


def read_rooms(folder):
    """The lines of ROOMS: {room: (rooms it may use, what it is)}, in the order of the file."""
    rooms = {}
    for line in (folder / "ROOMS").read_text().splitlines():
        rule, _, words = line.partition("#")
        room, colon, uses = rule.partition(":")
        if colon:
            uses = list(rooms) if uses.strip() == "above" else uses.split()
            rooms[room.strip()] = (uses, words.strip())
    return rooms


def all_rooms(root):
    found = [*root.glob("ROOMS"), *(path for top in TOPS for path in (root / top).glob("**/ROOMS"))]
    return {path.parent.relative_to(root).as_posix(): read_rooms(path.parent) for path in sorted(found)}


def room_in(folder, path, rooms):
    """The longest room of this folder in which the path is; "." beside the rooms."""
    rest = path if folder == "." else path[len(folder) + 1:]
    inside = [room for room in rooms if rest.startswith(room + "/")]
    return max(inside, key=len, default=None if "/" in rest else ".")


def inside(folder, path):
    return folder == "." or path.startswith(folder + "/")


def against(houses, file, include):
    """Why this include is against the rooms; None when it is not."""
    for folder, rooms in houses.items():
        if not (inside(folder, file) and inside(folder, include)):
            continue
        user, used = room_in(folder, file, rooms), room_in(folder, include, rooms)
        if user is None:
            return f"the room is not named in {folder}/ROOMS"
        if user != used and used not in rooms.get(user, ([], ""))[0]:
            return f"{folder}/ROOMS does not let {user} use {used}"
    return None


def wrong_in(root, houses, path):
    name, text = path.relative_to(root).as_posix(), path.read_text()
    for quoted, angled in INCLUDE.findall(text):
        if quoted.startswith(".."):
            yield f"{name}: {quoted}: includes start at the root"
        elif quoted and (reason := against(houses, name, quoted)):
            yield f"{name}: {quoted}: {reason}"
        for library, allowed, words in LIBRARIES:
            if library.match(angled) and not allowed.search(name):
                yield f"{name}: <{angled}>: {words}"
    if not name.startswith("tests/"):
        for draw in DRAWS.findall(text):
            yield f"{name}: {draw}: a draw outside the one generator, or a locale"
    if VIEWS.search(text):
        yield f"{name}: std::views: clang++ 14 cannot compile it, and the sanitizer presets need it"


def wrong(root):
    houses = all_rooms(root)
    for top in TOPS:
        for path in sorted((root / top).glob("**/*")):
            if path.suffix in SOURCES:
                yield from wrong_in(root, houses, path)


def drawn(root):
    lines = []
    for folder, rooms in all_rooms(root).items():
        if folder != ".":
            lines += ["", f"`{folder}/`", "", "| room | is | may use |", "| --- | --- | --- |"]
            lines += [f"| `{room}/` | {words} | {' '.join(uses) or '–'} |" for room, (uses, words) in rooms.items()
                      if room != "."]
    return "\n".join(lines[1:])


def main(root, option=""):
    root = Path(root)
    if option == "--map":
        print(drawn(root))
        return 0
    page = root / "CONTRIBUTING.md"
    words = page.read_text() if page.exists() else ""
    begin, end = words.find(MAP_BEGIN), words.find(MAP_END)
    if option == "--write":
        page.write_text(words[:begin] + MAP_BEGIN + "\n\n" + drawn(root) + "\n\n" + words[end:])
        return 0
    found = list(wrong(root))
    if begin >= 0 and words[begin + len(MAP_BEGIN):end].strip() != drawn(root):
        found.append("CONTRIBUTING.md: the map of the rooms is stale; tests/house/rooms.py . --write draws it again")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
