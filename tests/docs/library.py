#!/usr/bin/env python3
"""library.py ROOT: every name in the tables of docs/library.md is declared in a header of variance/.

    library.py ROOT --missing   prints the public functions that the page does not name
"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
page = (root / "docs/library.md").read_text(encoding="utf-8")
headers = {path: path.read_text(encoding="utf-8") for path in sorted((root / "variance").rglob("*.hpp"))}
public = {path: text for path, text in headers.items() if "For .cpp files" not in text}
first_cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
named = {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)}
declared = re.compile(r"^(?! )(?:\[\[nodiscard\]\] |inline |constexpr )*[\w:<>,&* ]+?[ &*]([a-z]\w*)\(", re.M)

if "--missing" in sys.argv:
    for path, text in public.items():
        missing = [name for name in dict.fromkeys(declared.findall(text)) if name not in named]
        if missing:
            print(f"{path.relative_to(root)}: {' '.join(missing)}")
    sys.exit(0)
unknown = sorted(name for name in named if not any(re.search(rf"\b{name}\b", text) for text in public.values()))
if unknown or len(named) < 100:
    sys.exit(f"docs/library.md: in no public header of variance/: {', '.join(unknown)} ({len(named)} names)")
