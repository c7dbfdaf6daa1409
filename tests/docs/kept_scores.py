"""The scores that are kept of a study in NAME.scores.csv (reading, variant, one for each pair), as differences of pairs. What is read is
computed from the study file, so that a claim that was judged on other scores is found."""
import csv


def scores_beside(verdicts):
    """{"scores": {reading: {variant: [score of each pair]}}} of the table beside a kept file, None where a trial has none; {} without one."""
    table = verdicts.with_name(verdicts.name.replace(".verdicts.json", ".scores.csv"))
    if not table.exists():
        return {}
    scores = {}
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if "score" not in rows.fieldnames:  # the runs of a study of variance, with their seeds
            return {}
        for row in rows:
            column = scores.setdefault(row["metric"], {}).setdefault(row["variant"], [])
            assert int(row["pair"]) == len(column), f"{table.name}: pairs of {row['variant']} are not in order"
            column.append(float(row["score"]) if row["score"] else None)
    return {"scores": scores}


def words(value):
    return [value] if isinstance(value, str) else value


def mean_of(scores, variant, readings):
    """The mean of several readings of a variant, for each pair."""
    columns = [scores[reading][variant] for reading in readings]
    return [sum(values) / len(values) for values in zip(*columns, strict=True)]


LOWER_IS_BETTER = ("regret", "log10_cost_to_target", "anytime_area", "test_logloss")


def ahead(metric, ours, theirs):
    """1 where our score is the better one, half of it where they are equal; 0 where one is missing: that counts against a claim."""
    if ours is None or theirs is None:
        return 0.0
    return 0.5 if ours == theirs else float((ours < theirs) == metric.startswith(LOWER_IS_BETTER))


def shares(scores, claim):
    """The share of sets that the candidate of a claim wins in each pair; a set is a metric."""
    cells = [[ahead(metric, *pair) for pair in zip(scores[metric][claim["candidate"]], scores[metric][claim["baseline"]], strict=True)]
             for metric in words(claim["metric"])]
    return [sum(pair) / len(pair) for pair in zip(*cells, strict=True)]


def claimed_differences(scores, claim):
    """What the claim is about, less what it is compared with, for each pair; nothing where scores are not kept."""
    if scores is None:
        return None
    if "share" in claim:
        return [share - claim["share"] for share in shares(scores, claim)]
    metric = words(claim["metric"])
    parts = claim.get("contrast") or {claim["candidate"]: 1.0}
    columns = [[weight * one for one in mean_of(scores, variant, metric)] for variant, weight in parts.items()]
    subject = [sum(pair) for pair in zip(*columns, strict=True)]
    if "value" in claim or "contrast" in claim:
        return [one - claim.get("value", 0.0) for one in subject]
    against = mean_of(scores, claim.get("baseline", claim["candidate"]), words(claim.get("against", metric)))
    return [a - b for a, b in zip(subject, against, strict=True)]


def member_differences(scores, metric, variant, reference):
    """Of the pairs in which both have a score."""
    if scores is None:
        return None
    bounds = scores.get(metric + ".bound", {})
    none = [None] * len(scores[metric][reference])
    pairs = zip(scores[metric][variant], bounds.get(variant, none), scores[metric][reference], bounds.get(reference, none), strict=True)
    return [decided(*pair) for pair in pairs if None not in (pair[0], pair[2])]


def decided(score, at_least, reference, reference_at_least):
    """The difference of two scores; 0 where a score that is only "at least" that much leaves open which is larger."""
    if at_least and reference_at_least or at_least and score <= reference or reference_at_least and reference <= score:
        return 0.0
    return score - reference


def grid_of(text):
    """Prune ratios in percent, the unpruned network first, of the two forms that measured studies use."""
    if text == "1":
        return [0.0]
    count, keep, factor = (float(word) for word in text.removeprefix("powers(").removesuffix(")").split(","))
    return [0.0] + [100 * (1 - keep * factor**round_) for round_ in range(int(count))]


def potentials(scores, study):
    """(reading, variant, ratios that the grid of the variant asks for) of each prune potential."""
    if study["workload"] == "pruning":
        for reading in (name for name in scores if name.startswith("potential_") and not name.endswith(".bound")):
            for variant in scores[reading]:
                keys = study.get("set", {}) | study["variant"][variant]
                yield reading, variant, grid_of(keys.get("grid", "powers(14, .8, .75)"))


def judged_on_grids(scores, study):
    """A prune potential is a round of the grid, and is judged as the ratio that the grid asks for there (docs/workloads/pruning.md)."""
    for reading, variant, grid in potentials(scores, study):
        scores[reading][variant] = [min(grid, key=lambda asked: abs(asked - score)) for score in scores[reading][variant]]


def unexpected(scores, study):
    """Readings with a bound that is neither 1 nor absent, or with a potential off its grid."""
    bounds = [name for name, variants in scores.items() if name.endswith(".bound")
              and any(bound not in (None, 1.0) for column in variants.values() for bound in column)]
    return bounds + [reading for reading, variant, grid in potentials(scores, study) if not set(scores[reading][variant]) <= set(grid)]
