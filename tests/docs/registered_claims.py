"""The registered claims of a study and its families of comparisons, from the scores of their pairs where those are kept."""
from checked import bounded, interval, mean_and_sd, tables, two_sided
from kept_scores import claimed_differences, member_differences
from laws import all_signs, binomial_at_least, holm, t_above, t_of_pairs, t_pairs, t_quantile
from planted_numbers import DRAWN, MOST_EXACT, slack_of_draws


def registered(study):
    """(name, table) of each claim of a study file, in its order: a list of candidates is a claim of each."""
    for name, claim in study.get("claim", {}).items():
        candidate = claim.get("candidate", "its contrast")
        if candidate == "*":
            candidate = [variant for variant in study["variant"] if variant != claim.get("baseline")]
        if isinstance(candidate, str):
            yield name, claim
        else:
            for one in candidate:
                yield f"{name}/{one}", claim | {"candidate": one}


BOUNDS = {"higher": 1, "lower": -1, "not-higher": 1, "not-lower": -1}  # of the margin, on the side of the scores


def overlap_of(claim, study):
    """Test rows / training rows of the published division, which corrected_t takes into account."""
    sizes = {"digits": (797, 1000), "mnist-5k": (2000, 3000)}
    if claim.get("test") != "corrected_t":
        return 0.0
    test, train = sizes[study["set"]["dataset"]]
    return test / train


def sign_test(differences):
    """(p below, p above): the number of differences on a side, of those that are not 0."""
    above, below = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return tuple(binomial_at_least(side, above + below, 0.5) for side in (below, above))


def test_of(claim):
    return "t" if claim["expect"] == "equal" else claim.get("test", "paired_permutation")


def claim_p_of(differences, claim, overlap):
    """p for and against, from the differences of the pairs."""
    margin, expect, test = claim.get("margin", 0.0), claim["expect"], test_of(claim)

    def tails(bound):
        moved = [d - bound for d in differences]
        return sign_test(moved) if test == "sign" else all_signs(moved) if permutes(claim, moved) else t_of_pairs(moved, overlap)

    if max(differences) == min(differences) and test not in ("paired_permutation", "sign"):
        return None, None
    if expect == "equal":
        above, below = tails(-margin), tails(margin)
        return max(above[1], below[0]), two_sided(above[0], below[1])
    less, greater = tails(BOUNDS[expect] * margin)
    return (greater, less) if expect in ("higher", "not-lower") else (less, greater)


def permutes(claim, differences):
    return test_of(claim) == "paired_permutation" and len(differences) <= MOST_EXACT


def drawn(row, name, computed, check):
    """A p of drawn signs: a share of their number, near that of a t test."""
    kept = row[name]
    if abs(kept * DRAWN - round(kept * DRAWN)) > 1e-4 or abs(kept - computed) > slack_of_draws(computed):
        check.add(f"{row['name']} {name}: {kept} is no share of {DRAWN} signs near {computed:.3g}")
    return kept


def claim_of(row, claim, differences, overlap, check):
    """p for and against and the standard error of a claim whose scores are kept."""
    mean, sd = mean_and_sd(differences)
    p_for, p_against = claim_p_of(differences, claim, overlap)
    if test_of(claim) == "paired_permutation" and not permutes(claim, differences):
        p_for, p_against = drawn(row, "p_for", p_for, check), drawn(row, "p_against", p_against, check)
    se = sd * (1 / len(differences) + overlap)**0.5
    level = 0.9 if claim["expect"] == "equal" else 0.95
    check.all(row["name"], row, {"pairs": len(differences), "point": mean, "level": level}
              | (interval(mean, se, len(differences) - 1, level) if se else {"low": None, "high": None}))
    return p_for, p_against, se


def claim_p(row, claim, check):
    """p for and against, from mean and interval where the test is of t; an exact law is a multiple of 1 / 2^n."""
    df, expect, margin = row["pairs"] - 1, claim["expect"], claim.get("margin", 0.0)
    se = (row["high"] - row["low"]) / 2 / t_quantile((1 + row["level"]) / 2, df)
    check.same(row["name"] + " level", row["level"], 0.9 if expect == "equal" else 0.95)
    check.same(row["name"] + " upper end", row["high"], row["point"] + (row["point"] - row["low"]))
    if se == 0:
        return None, None, 0.0
    point = row["point"]
    if expect == "equal":
        above, below = (point - margin) / se, (-point - margin) / se
        return bounded(row["p_for"], -max(above, below), row["pairs"], 1), min(1.0, 2 * min(t_above(above, df), t_above(below, df))), se
    higher = expect in ("higher", "not-lower")
    t = (point - BOUNDS[expect] * margin) / se * (1 if higher else -1)
    if claim.get("test", "paired_permutation") == "paired_t":
        pairs = row["pairs"]
        return bounded(row["p_for"], t, pairs, 1), bounded(row["p_against"], -t, pairs, 1), se
    for name, approximate in (("p_for", t_above(t, df)), ("p_against", t_above(-t, df))):
        if (row[name] * 2**row["pairs"]) % 1 or abs(row[name] - approximate) > 0.1:
            check.add(f"{row['name']} {name}: {row[name]} is no share of {2**row['pairs']} signs near {approximate:.3g}")
    if row["p_for"] + row["p_against"] < 1:
        check.add(f"{row['name']}: p_for and p_against leave something between them")
    return row["p_for"], row["p_against"], se


def needed(row, claim, se, overlap, alpha):
    """Pairs that would show a mean like the observed one, or None where it is not on the claimed side."""
    margin, mean = claim.get("margin", 0.0), row["point"]
    shown = {"higher": mean - margin, "lower": -margin - mean, "not-higher": margin - mean, "not-lower": mean + margin,
             "equal": margin - abs(mean)}[claim["expect"]]
    if shown <= 0 or se == 0:
        return None
    least = next(n for n in range(2, 99) if 0.5**n <= alpha) if claim.get("test", "paired_permutation") == "paired_permutation" \
        and claim["expect"] != "equal" else 2
    sd = se / (1 / row["pairs"] + overlap)**0.5
    pairs = t_pairs(shown / sd, alpha, 0.8, overlap)
    return None if pairs is None or pairs > 1_000_000 else max(pairs, least, row["pairs"] + 1)


def claims(kept, study, check):
    rows, expected = tables(kept.get("claim_columns", []), kept.get("claims", [])), list(registered(study))
    check.same("claims", str([row["name"] for row in rows]), str([name for name, _ in expected]))
    if check.wrong or not rows:
        return
    alpha = study.get("compare", {}).get("alpha", 0.05)
    check.all("registered", kept["registered"], {"alpha": alpha, "adjust": "holm"})
    spreads = []
    for row, (_, claim) in zip(rows, expected):
        differences = claimed_differences(kept.get("scores"), claim)
        p_for, p_against, se = claim_of(row, claim, differences, overlap_of(claim, study), check) if differences else claim_p(row, claim, check)
        check.all(row["name"], row, {"p_for": p_for, "p_against": p_against, "pairs": study["pairs"]})
        spreads.append(se)
    for name in ("for", "against"):
        for row, computed in zip(rows, holm([row["p_" + name] for row in rows])):
            check.same(f"{row['name']} adjusted_{name}", row["adjusted_" + name], computed)
    for row, (_, claim), se in zip(rows, expected, spreads):
        held, refuted = (row[name] is not None and row[name] <= alpha for name in ("adjusted_for", "adjusted_against"))
        check.same(row["name"], row["verdict"], "HOLDS" if held else "REFUTED" if refuted else "INCONCLUSIVE")
        check.same(row["name"] + " pairs_needed", row["pairs_needed"],
                   None if held or refuted else needed(row, claim, se, overlap_of(claim, study), alpha / len(rows)))


def families(kept, study, check):
    for family in kept.get("families", []):
        rows = tables(kept["member_columns"], family["members"])
        left_out = family.get("left_out", [])  # of other data, for example: they count among the comparisons
        others = [variant for variant in study["variant"] if variant != family["reference"]]
        check.same("family", str([row["variant"] for row in rows]), str([name for name in others if name not in left_out]))
        compared = len(rows) + len(set(left_out) & set(others))
        check.same("family alpha", family["alpha"], study["compare"]["alpha"])
        margin, sign = study["compare"].get("margin", 0.0), -1 if kept["verdict"]["direction"] == "lower" else 1
        for row, adjusted in zip(rows, holm([row["p_two"] for row in rows], compared)):
            what = f"{row['variant']} against {family['reference']}"
            df, level = row["pairs"] - 1, 1 - family["alpha"] / compared
            se = (row["high"] - row["low"]) / 2 / t_quantile((1 + level) / 2, df)
            differences = member_differences(kept.get("scores"), study["compare"]["metric"], row["variant"], family["reference"])
            if differences:
                mean, sd = mean_and_sd(differences)
                check.same(what + " mean", row["mean_difference"], mean)
                se, p_two = sd / len(differences)**0.5, two_sided(*t_of_pairs(differences)) if sd else None if mean else 1.0
            else:
                p_two = bounded(row["p_two"], row["mean_difference"] / se, row["pairs"], 2) if se else None
            same = interval(row["mean_difference"], se, df, level)
            check.all(what, row, {"level": level, "pairs": len(differences) if differences else study["pairs"], "p_two": p_two,
                                  "p_holm": adjusted if adjusted is not None else 1.0} | same)
            word = ("better" if sign * row["mean_difference"] > 0 else "worse") if row["p_holm"] <= family["alpha"] else (
                "equivalent" if -margin < row["low"] and row["high"] < margin else "not settled")
            check.same(what, row["word"], word)
