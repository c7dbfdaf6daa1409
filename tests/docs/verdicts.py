#!/usr/bin/env python3
"""Recomputes what docs/measurements/*.verdicts.json keeps of each measured study, from the scores in *.scores.csv where it has them.

    verdicts.py ROOT RETRIAL             what does not agree is named, exit 1
    verdicts.py ROOT RETRIAL --planted   the control: each number altered by a hundredth, each word exchanged, one at a time;
                                         every such file must be found

The study digest is that of studies/NAME.toml today, by `retrial plan --json`; the claims are those of that file; wins, p
values, intervals, Holm's corrections, power, pairs needed, shares and verdicts follow from the numbers that are kept, by laws.py.
"""
import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from kept_scores import claimed_differences, judged_on_grids, member_differences, scores_beside, unexpected
from laws import (all_signs, binomial_at_least, chi_squared_quantile, clopper_pearson, f_above, holm, sign_laws,
                  t_above, t_of_pairs, t_pairs, t_quantile, tied_share)
from planted_numbers import DRAWN, MOST_EXACT, planted, slack_of_draws

SLACK = 2e-6  # kept numbers have ten digits; a p from the ends of an interval has lost some of them


def near(kept, computed):
    if kept is None or computed is None or isinstance(kept, str) or isinstance(kept, bool):
        return kept == computed
    return abs(kept - computed) <= SLACK * max(abs(kept), abs(computed)) + 1e-9 * (abs(computed) > 0.5)


def bounded(kept, t, pairs, sides):
    """The p of a t test of scores that are not kept, from mean and interval: Student's, or the one that the signs of the differences
    allow where that is larger: 2^-n for each side. How many differ is not kept; the sum and the squares of the differences need a least
    number. Of few differences of one or two sizes the law of their signs is exact."""
    p = sides * t_above(abs(t) if sides == 2 else t, pairs - 1)
    ratio = t * (pairs / (pairs - 1 + t * t))**0.5  # sum of the differences over the root of their sum of squares
    counts = range(pairs, max(pairs // 2, math.ceil(ratio * ratio - 1e-4) - 1), -1)
    least = [sides * 0.5**n for n in counts]
    exact = [min(1.0, sides * law) for law in sign_laws(abs(ratio) if sides == 2 else ratio)]
    return next((bound for bound in least + exact if bound > p and kept is not None and near(kept, bound)), p)


def two_sided(less, greater):
    return min(1.0, 2 * min(less, greater))


def tables(columns, rows):
    return [dict(zip(columns, row)) for row in rows]


def interval(point, se, df, level):
    half = t_quantile((1 + level) / 2, df) * se
    return {"low": point - half, "high": point + half}


def mean_and_sd(values):
    mean = sum(values) / len(values)
    return mean, (sum((v - mean)**2 for v in values) / (len(values) - 1))**0.5


class Enough(Exception):
    """One complaint is found."""


class Checked:
    """What does not agree, as sentences; only_first: for a control, which asks whether there is any."""

    def __init__(self, only_first):
        self.wrong, self.only_first = [], only_first

    def add(self, complaint):
        self.wrong.append(complaint)
        if self.only_first:
            raise Enough

    def same(self, what, kept, computed):
        if not near(kept, computed):
            self.add(f"{what}: kept {kept}, computed {computed}")

    def all(self, what, kept, computed):
        for name, value in computed.items():
            self.same(f"{what}.{name}", kept[name], value)


def declared(kept, study, check):
    """The one comparison that the design names."""
    verdict, compare = kept["verdict"], study["compare"]
    design, plan = verdict["design"], verdict["planned"]
    rows = tables(kept["pair_columns"], kept["pairs"])
    sign = -1 if verdict["direction"] == "lower" else 1
    for i, row in enumerate(rows):
        difference = row["candidate"] - row["baseline"]
        word = "tie" if abs(difference) < 1e-12 else "win" if difference * sign > 0 else "loss"
        check.all(f"pair {i}", row, {"pair": i, "difference": difference, "counts_as": word})
    check.all("verdict", verdict, {name: compare[name] for name in ("candidate", "baseline", "metric")})
    scores = kept.get("scores")
    if scores:
        for side in ("baseline", "candidate"):
            for row, score in zip(rows, scores[compare["metric"]][compare[side]], strict=True):
                check.same(f"pair {row['pair']} {side}, beside its score", row[side], score)
    check.all("design", design, {"alpha": compare["alpha"], "gamma": compare.get("gamma"), "margin": compare.get("margin"),
                                 "pairs": study["pairs"], "beta": compare.get("beta", 0.05),
                                 "tie_limit": compare.get("tie_limit", 0.5)})
    n, gamma = study["pairs"], compare.get("gamma", 0.75)
    of_t = compare.get("test") == "paired_t"  # else of signs
    asked = "gamma" in compare and not of_t  # NOT MEANINGFUL is said only where the study says what would be
    not_meaningful = max((w for w in range(n + 1) if 1 - binomial_at_least(w + 1, n, gamma) <= design["beta"]), default=None) if asked else None
    better = min((w for w in range(n + 1) if binomial_at_least(w, n, 0.5) <= design["alpha"]), default=None)
    check.all("planned", plan, {"pairs": n, "least_p": 0.5**n, "not_meaningful_to": not_meaningful, "better_from": better,
                                "size": binomial_at_least(better, n, 0.5) if better is not None else 0.0,
                                "power": binomial_at_least(better, n, gamma) if better is not None else 0.0})
    check.same("planned.power_at", plan.get("power_at", gamma), gamma)
    wins, losses, ties = (sum(row["counts_as"] == word for row in rows) for word in ("win", "loss", "tie"))
    check.all("verdict", verdict, {"pairs": n, "wins": wins, "losses": losses, "ties": ties})
    for side in ("baseline", "candidate"):
        mean, sd = mean_and_sd([row[side] for row in rows])
        check.all(side, verdict[side + "_summary"], {"runs": n, "mean": mean, "sd": sd, "missing": 0})
    if ties > design["tie_limit"] * n:
        check.all("verdict", verdict, {"status": "INVALID", "reason": "ties", "p_better": None, "p_worse": None})
        return
    untied = wins + losses
    p_better, p_worse = binomial_at_least(wins, untied, 0.5), binomial_at_least(losses, untied, 0.5)
    check.all("verdict", verdict, {"p_better": p_better, "p_worse": p_worse, "reason": None})
    share = verdict["paired_p"]
    low, high = clopper_pearson(wins, untied, share["level"])
    halves = ties and (of_t or "trinomial" in share["method"])  # a tie is half a win
    if halves:
        low, high = tied_share(wins, ties, losses, share["level"])
    point = (wins + ties / 2) / n if of_t or halves else wins / untied
    check.all("paired_p", share, {"point": point, "low": low, "high": high, "level": 0.95})
    differences = [row["candidate"] - row["baseline"] for row in rows]
    mean, sd = mean_and_sd(differences)
    less, greater = t_of_pairs(differences)
    tails = {"p_less": less, "p_greater": greater, "p_two": two_sided(less, greater)}
    check.all("difference", verdict["difference"], {"point": mean, "df": n - 1, "statistic": mean / (sd / n**0.5), "level": 0.95} | tails
              | interval(mean, sd / n**0.5, n - 1, 0.95))
    spreads = [verdict[side + "_summary"]["sd"] for side in ("baseline", "candidate")]
    check.same("pairing_gain", verdict["pairing_gain"], (spreads[0]**2 + spreads[1]**2) / sd**2)
    none = not_meaningful if not_meaningful is not None else -1
    if of_t:
        p_better, p_worse = (tails[name] for name in (("p_less", "p_greater") if sign < 0 else ("p_greater", "p_less")))
    margin = design["margin"]
    within = margin is not None and max(t_of_pairs([d + margin for d in differences])[1],
                                        t_of_pairs([d - margin for d in differences])[0]) <= design["alpha"]
    status = ("BETTER" if p_better <= design["alpha"] and wins > none else "WORSE" if p_worse <= design["alpha"] and losses > none
              else "EQUIVALENT" if within else "NOT MEANINGFUL" if wins <= none else "INCONCLUSIVE")
    check.same("status", verdict["status"], status)
    check.same("more_pairs exists", verdict["more_pairs"] is not None, status == "INCONCLUSIVE" and not of_t)


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


def groups(one, within, check):
    """Mean of the runs of each group, its distance from the mean of all, and the F test of all groups at once."""
    table, level = one["groups"], 0.95
    rows, runs = table["groups"], table["groups"][0]["runs"]
    count = len(rows)
    mean = sum(row["mean"]["point"] for row in rows) / count
    check.all("groups", table, {"df_between": count - 1, "df_within": count * (runs - 1)})
    check.same("mean of all", one["mean"], mean)
    df, se = table["df_within"], (within / runs)**0.5
    for i, row in enumerate(rows):
        check.all(f"group {i}", row["mean"], {"level": level} | interval(row["mean"]["point"], se, df, level))
        effect = row["mean"]["point"] - mean
        spread = se * (1 - 1 / count)**0.5
        check.all(f"group {i} effect", row["effect"], {"point": effect, "level": level} | interval(effect, spread, df, level))
        check.same(f"group {i} runs", row["runs"], runs)
    between = runs * sum((row["mean"]["point"] - mean)**2 for row in rows) / (count - 1)
    check.all("groups", table, {"statistic": between / within, "p": f_above(between / within, count - 1, df)})
    claim = one["claims"][0]["mean"]
    check.all("claim", claim, {"point": mean, "level": level} | interval(mean, (between / runs / count)**0.5, count - 1, level))
    return between


def sources(kept, study, check):
    """Shares of the variance, by the mean squares that are kept."""
    design, one = study["variance"], kept["sources"]["variants"][0]
    check.all("design", kept["sources"]["design"], {name: design[name] for name in ("design", "metric", "runs")})
    shares = one["shares"]
    listed, total = shares["sources"], shares["total_variance"]
    if one["binomial_floor"] is not None:  # of accuracies alone
        check.same("floor", one["binomial_floor_share"], one["binomial_floor"]**2 / one["sd"]**2)
    if one["numerical_noise"]["bit_identical"]:
        check.same("numerical noise", one["numerical_noise"]["variance"]["point"], 0.0)
    if one["groups"]:
        within = listed[1]["raw_variance"]
        between, runs = groups(one, within, check), one["groups"]["groups"][0]["runs"]
        check.same("between", listed[0]["raw_variance"], (between - within) / runs)
        below, above = one["groups"]["df_within"], one["groups"]["df_between"]
        df = [(between - within)**2 / (between**2 / above + within**2 / below), below]
        check.same("total", total, sum(max(0.0, part["raw_variance"]) for part in listed))
    else:
        df = [part["runs"] - 1 for part in listed]
        check.same("total", total, one["sd"]**2)
        rest = shares["interaction"]
        check.same("interaction", rest["raw_variance"], total - sum(part["raw_variance"] for part in listed))
        listed = listed + [rest]
    for part, freedom in zip(listed, df + [None]):
        raw = part["raw_variance"]
        check.all(part["source"], part, {"raw_share": raw / total})
        check.same(part["source"] + " share", part["share"]["point"], max(0.0, raw / total))
        check.same(part["source"] + " variance", part["variance"]["point"], max(0.0, raw))
        if not part["share"]["low"] <= part["share"]["point"] <= part["share"]["high"]:
            check.add(part["source"] + ": its share lies outside the interval")
        if part["variance"]["low"] is not None:
            check.all(part["source"], part["variance"], {"low": freedom * raw / chi_squared_quantile(0.975, freedom),
                                                         "high": freedom * raw / chi_squared_quantile(0.025, freedom)})
    k, drawn = design["runs"], 0.0
    for step in shares["one_more_source"]:
        drawn += next(part["share"]["point"] for part in listed if part["source"] == step["source"])
        rest = sum(part["share"]["point"] for part in listed if part["source"] != "interaction")
        held = min(1.0, max(0.0, rest - drawn))
        check.same("worth of " + step["source"], step["worth"], 1 / (held + (1 - held) / k))


def digest_today(root, retrial, name):
    """The study digest of the study file, or why there is none here."""
    study = str(root / "studies" / (name + ".toml"))
    done = subprocess.run([retrial, "plan", study, "--json"], capture_output=True, text=True, check=False)
    if done.returncode == 4:
        return None, "its data or the worker is not here"
    return json.loads(done.stdout)["study_digest"], ""


def not_kept(root, all_kept):
    """Result digests that the manual promises, and that no file keeps."""
    promised = {digest for page in (root / "docs").rglob("*.md")
                for digest in re.findall(r"Result digest `([0-9a-f]+)`; the mode promises", page.read_text(encoding="utf-8"))}
    return sorted(promised - {kept["digests"].get("result") for kept in all_kept})


def complaints(kept, study, digest, only_first=False):
    check = Checked(only_first)
    try:
        examine(kept, study, digest, check)
    except Enough:
        pass
    return check.wrong


def examine(kept, study, digest, check):
    for name, value in kept["digests"].items():
        if value is not None and not re.fullmatch("[0-9a-f]{64}", value):
            check.add(f"{name} digest: {value} is not 64 hex digits")
    for reading in unexpected(kept.get("scores", {}), study):
        check.add(f"{reading}: a score that it cannot have")
    check.same("name", kept["study"], study["name"])
    check.same("workload", kept["workload"], study["workload"])
    if digest:
        # A key added since the run, with a default that changes nothing, is part of the study document all the same.
        check.same("study digest", kept["study_today"]["digest"] if "study_today" in kept else kept["digests"]["study"], digest)
    if "verdict" in kept:
        check.same("word", kept["word"], kept["verdict"]["status"])
        declared(kept, study, check)
        claims(kept, study, check)
        families(kept, study, check)
    elif "profile" in study:
        check.same("word", kept["word"], "PROFILE")
        claims(kept, study, check)
    else:
        check.same("word", kept["word"], "SOURCES")
        sources(kept, study, check)


def main(root, retrial, *options):
    root, wrong, all_kept = Path(root), [], []
    files = sorted((root / "docs" / "measurements").glob("*.verdicts.json"))
    for file in files:
        kept = json.loads(file.read_text(encoding="utf-8")) | scores_beside(file)
        name = kept["study"]
        all_kept.append(kept)
        study = tomllib.loads((root / "studies" / (name + ".toml")).read_text(encoding="utf-8"))
        judged_on_grids(kept.get("scores", {}), study)
        if options == ("--planted",):
            shared = {metric for _, claim in registered(study) if "share" in claim for metric in claim["metric"]}
            wrong += list(planted(kept, name, [claim.get("test") for _, claim in registered(study)], shared,
                                  lambda other, digest: complaints(other, study, digest, only_first=True)))
            continue
        digest, why = digest_today(root, retrial, name)
        if why:
            print(f"{name}: study digest left out: {why}")
        wrong += [f"{name}: {text}" for text in complaints(kept, study, digest)]
    wrong += [f"result digest {digest}: the manual promises it, and no file keeps it" for digest in not_kept(root, all_kept)]
    if options == ("--planted",) and not not_kept(root, []):
        wrong.append("the files with promised result digests left out, and nothing was found")
    print("\n".join(wrong) or f"{len(files)} files agree")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
