#!/usr/bin/env python3
"""A function of one file must not hide a function of another room.

The namespaces of rooms are inline, so a file calls a function of another room by its bare name. A function of that name in
the file's own unnamed namespace is found first, and the compiler looks no further: a call meant for the other room runs the
local function, whatever its parameters, as long as the arguments convert.

    hidden_names.py ROOT    prints each such function and the declaration that it hides; exit code 1

Only names that the file could see count: those of rooms that its room may use (ROOMS), in a namespace around its own.
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

import rooms

Function = namedtuple("Function", "name line namespace file_only")

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|'
                   r"^[ \t]*#(?:[^\n\\]|\\.)*", re.S | re.M)
NAMESPACE = re.compile(r"\s*((?:inline\s+)?)namespace\b\s*([\w:\s]*)$")
ANGLES = re.compile(r"<[^<>;{}]*>")
FUNCTION = re.compile(r"[\w>&*\]]\s*[\s&*]([a-z_]\w*)\s*\($")
NO_FUNCTION = re.compile(r"\s*(?:using|typedef|class|struct|union|enum|friend|static_assert)\b|.*(?:=|\boperator\b|\breturn\b)", re.S)


def blank(match):
    """As many lines as before, so that line numbers stay right."""
    return " " + "\n" * match.group().count("\n")


def name_of_function(statement):
    """The name that a statement at namespace scope declares as a function; None for everything else."""
    words = re.sub(r"\[\[.*?\]\]", " ", statement, flags=re.S)
    words = re.sub(r"->|<=>|<<|>=|<=", " ", words)
    while ANGLES.search(words):
        words = ANGLES.sub("> ", words)
    head = words[:words.find("(") + 1]
    if not head or NO_FUNCTION.match(head):
        return None
    found = FUNCTION.search(head)
    return found and found.group(1)


def opened(statement):
    """The namespaces that a block opens, (name, inline) each, an unnamed one as ""; None when the block is no namespace."""
    match = NAMESPACE.search(statement)
    if not match:
        return None
    if not match.group(2).strip():
        return [("", False)]
    out = []
    for part in match.group(2).split("::"):
        words = part.split()
        out.append((words[-1], "inline" in words or bool(match.group(1).strip())))
    return out


def functions(text):
    """Functions at namespace scope, in the order of the file."""
    text = NOISE.sub(blank, text)
    scopes = []  # what each open block is: namespaces, or None
    start = 0
    for mark in re.finditer(r"[{};]", text):
        at_namespace_scope = None not in scopes
        statement = text[start:mark.start()]
        if mark.group() == "}":
            if scopes:
                scopes.pop()
        else:
            space = opened(statement) if mark.group() == "{" else None
            if at_namespace_scope and space is None and (name := name_of_function(statement)):
                levels = [level for scope in scopes for level in scope]
                line = text.count("\n", 0, start + re.search(rf"\b{name}\s*\(", statement).start()) + 1
                yield Function(name, line, tuple(level for level in levels if level[0]), ("", False) in levels)
            if mark.group() == "{":
                scopes.append(space)
        if mark.group() != ";" or at_namespace_scope:
            start = mark.end()


def found_from(scope, namespace):
    """Whether a name of this namespace is found by a look into this scope: itself, or inline namespaces inside it."""
    return namespace[:len(scope)] == scope and all(inline for _, inline in namespace[len(scope):])


def hides(local, declared):
    """Whether a call inside the namespace of `local` stops there, though an outer scope has what is `declared`."""
    own, other = local.namespace, declared.namespace
    return not found_from(own, other) and any(found_from(own[:depth], other) for depth in range(len(own)))


def hidden(root):
    houses = rooms.all_rooms(root)
    local, declared = [], {}
    for top in rooms.TOPS[:-1]:
        for path in sorted((root / top).glob("**/*")):
            if path.suffix not in rooms.SOURCES:
                continue
            name = path.relative_to(root).as_posix()
            for function in functions(path.read_text()):
                if function.file_only:
                    local.append((name, function))
                elif path.suffix in {".hpp", ".cuh"}:
                    declared.setdefault(function.name, []).append((name, function))
    for file, function in local:
        for header, other in declared.get(function.name, []):
            if hides(function, other) and rooms.against(houses, file, header) is None:
                yield f"{file}:{function.line}: {function.name} hides {header}:{other.line}"


def main(root):
    found = list(hidden(Path(root)))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
