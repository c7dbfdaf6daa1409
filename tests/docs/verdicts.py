#!/usr/bin/env python3
"""Recomputes what docs/measurements/*.verdicts.json keeps of each measured study, from the scores in *.scores.csv where it has them.

    verdicts.py ROOT RETRIAL             what does not agree is named, exit 1
    verdicts.py ROOT RETRIAL --planted   the control: each number altered by a hundredth, each word exchanged, one at a time;
                                         every such file must be found

The study digest is that of studies/NAME.toml today, by `retrial plan --json`; the claims are those of that file; wins, p
values, intervals, Holm's corrections, power, pairs needed, shares and verdicts follow from the numbers that are kept, by laws.py.
"""
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from checked import Checked, Enough, interval, mean_and_sd, tables, two_sided
from kept_scores import judged_on_grids, scores_beside, unexpected
from laws import binomial_at_least, clopper_pearson, t_of_pairs, tied_share
from planted_numbers import planted
from registered_claims import claims, families, registered
from source_shares import sources


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
