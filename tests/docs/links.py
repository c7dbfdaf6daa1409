#!/usr/bin/env python3
"""Links of the Markdown files: the file is there, and so is the heading; and no cell of a table is too long for a terminal.

    links.py ROOT [RETRIAL]             what is wrong is named, exit 1
    links.py ROOT [RETRIAL] --planted   the control: wrong links and a long cell in a copy of one page, each found
"""
import re
import subprocess
import sys
from pathlib import Path

WIDEST_CELL = 110


def prose(text):
    """Without code blocks, whose text may look like a link or a table, and without the tables that rooms.py writes."""
    return re.sub(r"^```.*?^```|<!-- rooms:.*?<!-- end of rooms -->", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text):
    """The anchors of headings as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def wrong(root, page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (root / page).parent / name if name else root / page
        if not file.exists():
            yield f"{page}: no file {target}"
        elif anchor and anchor not in anchors(text if not name else file.read_text(encoding="utf-8")):
            yield f"{page}: no heading {target}"
    for line in prose(text).splitlines():
        for cell in line.strip().strip("|").split(" | ") if line.startswith("|") else []:
            shown = re.sub(r"\]\([^)]*\)", "]", cell.strip())
            if len(shown) > WIDEST_CELL:
                yield f"{page}: a cell of {len(shown)} characters: {shown[:60]}..."


def planted(root, page, text):
    before = len(list(wrong(root, page, text)))
    links = ("[a](no-such-file.md)", "[a](README.md#no-such-heading)", "[a](#no-such-heading)")
    for line in (*links, "| a | " + "b" * 130 + " |"):
        if len(list(wrong(root, page, text + "\n\n" + line + "\n"))) != before + 1:
            yield f"not found: {line}"


def main(root, *options):
    root, found = Path(root), []
    git = ["git", "-C", str(root), "ls-files", "*.md"]
    listed = subprocess.run(git, capture_output=True, text=True, check=False).stdout.split()
    pages = listed or [str(path.relative_to(root)) for path in root.glob("**/*.md") if "build" not in path.parts]
    if "--planted" in options:
        found = list(planted(root, "README.md", (root / "README.md").read_text(encoding="utf-8")))
        print("\n".join(found) or "each found")
        return 1 if found else 0
    for page in pages:
        if (root / page).exists():
            found += wrong(root, page, (root / page).read_text(encoding="utf-8"))
    print("\n".join(found) or f"{len(pages)} pages")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
