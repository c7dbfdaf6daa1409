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
        for row in csv.DictReader(file):
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


def claimed_differences(scores, claim):
    """What the claim is about, less what it is compared with, for each pair; nothing where scores are not kept."""
    if scores is None:
        return None
    metric = words(claim["metric"])
    parts = claim.get("contrast") or {claim["candidate"]: 1.0}
    columns = [[weight * one for one in mean_of(scores, variant, metric)] for variant, weight in parts.items()]
    subject = [sum(pair) for pair in zip(*columns, strict=True)]
    if "value" in claim or "contrast" in claim:
        return [one - claim.get("value", 0.0) for one in subject]
    against = mean_of(scores, claim.get("baseline", claim["candidate"]), words(claim.get("against", metric)))
    return [a - b for a, b in zip(subject, against, strict=True)]


def member_differences(scores, metric, variant, reference):
    if scores is None:
        return None
    return [a - b for a, b in zip(scores[metric][variant], scores[metric][reference], strict=True)]
