#!/usr/bin/env python3
"""Writes a verdict of retrial gate as a comment for a pull request: one table, the regressed first.

    comment.py verdict.json > comment.md

The document may come from a job that ran other people's code. Nothing of it is copied as it stands: words are checked,
numbers are numbers, and every name is escaped and cut. At most 65,000 characters.
"""

import json
import sys

LIMIT = 65000
WORDS = ["regressed", "failed", "missing", "incomparable", "inconclusive", "improved", "no_worse", "equivalent", "new"]


class NoVerdict(Exception):
    pass


def text(value, most=100):
    """Plain words in a cell of a table: no markup, no mention, no link."""
    if not isinstance(value, str):
        raise NoVerdict("a name is no text")
    out = ""
    for c in value[:most]:
        if not c.isprintable() or c in "\u200e\u200f" or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069:
            c = "\ufffd" if c not in "\t\n\r" else " "
        if c in "<>&":
            c = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[c]
        elif c in "\\|*_[]()#!~`":
            c = "\\" + c
        out += c + "\u200b" if c in "@:" else c
    return out + ("..." if len(value) > most else "")


def share(value):
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NoVerdict("a number is no number")
    return f"{100 * value:+.2f} %"


def word(value):
    if value not in WORDS:
        raise NoVerdict("an unknown verdict")
    return value.replace("_", " ")


def row(claim, ratio):
    low, high = claim["ci95"] or [None, None]
    change = share(claim["effect"]) if ratio else "-"
    interval = f"[{share(low)}, {share(high)}]" if ratio and claim["ci95"] else "-"
    return f"| {text(claim['workload'])} | {text(claim['metric'])} | {word(claim['verdict'])} | {change} | {interval} | {text(claim['reason'], 200)} |\n"


def comment(verdict):
    if verdict.get("schema") != "retrial.gate/1":
        raise NoVerdict("not retrial.gate/1")
    claims = sorted(verdict["claims"], key=lambda c: (WORDS.index(c["verdict"]), -abs(c["effect"] or 0)))
    head = f"<!-- retrial gate -->\n**{word(verdict['verdict'])}**: {len(claims)} claims, {text(verdict['candidate'])} against {text(verdict['baseline'])}\n\n"
    head += "| benchmark | metric | verdict | change | 95 % interval | reason |\n| --- | --- | --- | ---: | ---: | --- |\n"
    out, left = head, len(claims)
    for claim in claims:
        line = row(claim, claim.get("scale", verdict.get("scale", "ratio")) == "ratio")
        if len(out) + len(line) > LIMIT - 100:
            break
        out, left = out + line, left - 1
    return out + (f"\n{left} of {len(claims)} claims are left out here.\n" if left else "")


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print(comment(json.load(file)), end="")
    except (NoVerdict, KeyError, TypeError, ValueError, AttributeError) as error:
        print(f"comment.py: {sys.argv[1]} is no verdict of retrial gate: {type(error).__name__} {error}"[:300], file=sys.stderr)
        sys.exit(4)


if __name__ == "__main__":
    main()
