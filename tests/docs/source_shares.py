"""Shares of the variance of a study, by the mean squares that are kept."""
from checked import interval
from laws import chi_squared_quantile, f_above


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
