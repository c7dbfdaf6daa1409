#!/usr/bin/env python3
"""What one file names for itself alone must not meet a name of another file.

A function must not hide a function of another room.

The namespaces of rooms are inline, so a file calls a function of another room by its bare name. A function of that name in
the file's own unnamed namespace is found first, and the compiler looks no further: a call meant for the other room runs the
local function, whatever its parameters, as long as the arguments convert.

Only names that the file could see count: those of rooms that its room may use (ROOMS), in a namespace around its own.

Nor may two files of one namespace give one name to two things. A unity build puts them into one file, in batches that differ
from preset to preset: such a pair compiles in one and is an error in the other.

    hidden_names.py ROOT    prints each such name and the declaration that it meets; exit code 1
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

import rooms

Name = namedtuple("Name", "name line namespace file_only parameters meaning")
TYPE = re.compile(r"\s*(?:template\s*<[^{}]*>\s*)?(?:using\s+(?P<alias>\w+)\s*=|(?:struct|class|union|enum(?:\s+class)?)\s+(?P<type>\w+)\s*(?:final\s*)?(?::[^:]|$))")

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


def parameter_types(statement):
    """The parameters of a function without their names and defaults, as one text: what tells two overloads apart."""
    inside, depth, types = "", 0, []
    for sign in statement[statement.find("("):]:
        depth += (sign in "(<[") - (sign in ")>]")
        if depth <= 1 and sign in ",)" and inside:
            types.append(re.sub(r"\s*\b(?!(?:int|double|bool|float|char|auto|long|unsigned)\b)\w+$", "", inside.split("=")[0].strip())
                         if re.search(r"[\s&*>]\w+$", inside.split("=")[0].strip()) else inside.strip())
            inside = ""
        elif sign != "(" or depth > 1:
            inside += sign
        if depth == 0:
            break
    return re.sub(r"\s+", " ", ", ".join(types))


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


def named(statement):
    """The function or type that a statement at namespace scope declares; None for everything else."""
    if name := name_of_function(statement):
        return name
    found = TYPE.match(statement)
    return found and (found["alias"] or found["type"])


def alias_of(statement):
    """What a `using` names, as one text, so that two files may use one short name for the same type; None for the rest."""
    return re.sub(r"\s+", " ", statement.split("=", 1)[1]) if (found := TYPE.match(statement)) and found["alias"] else None


def names(text):
    """Functions and types at namespace scope, in the order of the file."""
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
            if at_namespace_scope and space is None and (name := named(statement)):
                levels = [level for scope in scopes for level in scope]
                line = text.count("\n", 0, start + re.search(rf"\b{name}\b", statement).start()) + 1
                parameters = parameter_types(statement) if name_of_function(statement) else None
                yield Name(name, line, tuple(level for level in levels if level[0]), ("", False) in levels, parameters, alias_of(statement))
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
            for function in names(path.read_text()):
                if function.parameters is None:
                    continue
                if function.file_only:
                    local.append((name, function))
                elif path.suffix in {".hpp", ".cuh"}:
                    declared.setdefault(function.name, []).append((name, function))
    for file, function in local:
        for header, other in declared.get(function.name, []):
            if hides(function, other) and rooms.against(houses, file, header) is None:
                yield f"{file}:{function.line}: {function.name} hides {header}:{other.line}"


def twice(root):
    """Names of two files' own that are one name in a unity build."""
    for top in rooms.TOPS[:-1]:
        first = {}
        for path in sorted((root / top).glob("**/*.cpp")):
            name = path.relative_to(root).as_posix()
            for own in names(path.read_text()):
                if not own.file_only:
                    continue
                file, line, meaning = first.setdefault((own.namespace, own.name, own.parameters), (name, own.line, own.meaning))
                if file != name and (meaning is None or meaning != own.meaning):
                    yield f"{name}:{own.line}: {own.name} is also a name of {file}:{line}, which a unity build may put into one file with it"


def main(root):
    found = list(hidden(Path(root))) + list(twice(Path(root)))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
