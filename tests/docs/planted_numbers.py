"""The control of verdicts.py: kept numbers altered, one at a time."""
import copy

from laws import holm

MOST_EXACT = 20  # pairs whose signs are all counted; beyond, the observed signs and 10,000 drawn ones
DRAWN = 10_001


def slack_of_draws(p):
    """How far a p of drawn signs may be from that of a t test: 4.5 standard errors of the draws, and 2 % for the test."""
    return 1.5 / DRAWN + 0.065 * (p * (1 - p))**0.5


# Recorded by the program, with nothing kept to compute them from: intervals by simulation, counts of runs and trials, floors.
RECORDED = ("trials", "machines", "programs", "mode", "runs", "diverged", "trainings", "all_drawn", "replicates", "groups", "failed",
            "not_finite", "missing", "total_share", "mean", "level", "degenerate")


def leaves(value, path=()):
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, path + (key,))
    else:
        yield path, value


def altered(value):
    if isinstance(value, int):
        return value + 1
    return value * 1.01 if abs(value) > 1e-12 else 0.01


def other_laws(kept, tests):
    """One p at a time becomes that of another law of signs, twice or half as large, and Holm's corrections follow from it: what was
    altered. Where scores are not kept, the laws of nearly as many signs are let pass, so these are far ones, of t tests alone. They are far
    ones, too, where signs were drawn. Afterwards all is as kept."""
    exact = "scores" in kept
    families = [(family["members"], kept["member_columns"], "p_two", "p_holm") for family in kept.get("families", [])]
    claims, columns = kept.get("claims", []), kept.get("claim_columns", [])
    claimed = [(claims, columns, "p_" + side, "adjusted_" + side) for side in (("for", "against") if exact else ("for",))]
    for rows, columns, p, adjusted in families + claimed:
        at, to = (columns.index(name) if rows else 0 for name in (p, adjusted))
        for i, row in enumerate(rows):
            was = row[at]
            if was is None or (not exact and rows is claims and tests[i] != "paired_t"):
                continue
            draws = rows is claims and tests[i] in (None, "paired_permutation") and row[columns.index("pairs")] > MOST_EXACT
            for value in (was / 2, min(1.0, 2 * was)) if exact and not draws else (was / 16, 154 / 2**8):
                if 0.99 * was < value < 1.01 * was or draws and abs(value - was) <= 2 * slack_of_draws(was):
                    continue
                before = [one[to] for one in rows]
                row[at] = value
                for one, corrected in zip(rows, holm([one[at] for one in rows])):
                    one[to] = corrected if corrected is not None else 1.0
                yield f"{p} of {row[0]} altered from {was} to {value}"
                row[at] = was
                for one, corrected in zip(rows, before):
                    one[to] = corrected


def noticed(kept, path, value, complaints):
    """Whether there are complaints about a file with this value in place of its own."""
    other = copy.deepcopy(kept)
    place = other
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    try:
        return complaints(other, None)
    except (ArithmeticError, ValueError, StopIteration):
        return ["no numbers"]


def simulated(path):
    return len(path) > 2 and path[-2] == "share" and path[-1] in ("low", "high")


def planted(kept, name, tests, shared, complaints):
    """Every number and verdict word altered alone: those that complaints(kept, study digest) does not notice. tests: that of each
    claim. shared: the readings of claims about shares, of which only the order counts; they become the best or the worst."""
    words = {"HOLDS": "REFUTED", "REFUTED": "HOLDS", "INCONCLUSIVE": "HOLDS", "BETTER": "INCONCLUSIVE", "INVALID": "BETTER",
             "SOURCES": "BETTER", "win": "loss", "better": "worse", "worse": "better", "equivalent": "better",
             "not settled": "better"}
    tried = 0
    if not complaints(kept, "0" * 64):
        yield f"{name}: another study digest, and nothing was found"
    for path, value in leaves(kept):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if (not number and value not in words) or simulated(path) or any(part in RECORDED for part in path[-1:] + path[:1]):
            continue
        of_order = path[0] == "scores" and path[1] in shared
        others = (-1e9, 1e9) if of_order else (altered(value) if number else words[value],)
        tried += 1
        if not any(noticed(kept, path, instead, complaints) for instead in others):
            yield f"{name}: {'.'.join(map(str, path))} altered from {value}, and nothing was found"
    for what in other_laws(kept, tests):
        tried += 1
        if not complaints(kept, None):
            yield f"{name}: {what}, and nothing was found"
    for digest, value in kept["digests"].items():
        if value is not None and not complaints(kept | {"digests": kept["digests"] | {digest: value[:-1] + "x"}}, None):
            yield f"{name}: {digest} digest altered, and nothing was found"
    print(f"{name}: {tried} alterations")
