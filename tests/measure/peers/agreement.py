#!/usr/bin/env python3
"""Runs other statistics tools and retrial on the same random scores and says where they agree, and why where they do not.
  agreement.py RETRIAL      run by the interpreter of the peers' environment (environment.py statistics)
Every row is one number of one tool over all inputs: the largest difference and what is allowed. A known disagreement is
a row of its own, which fails when the difference or its explanation is gone. Exit 1 when a row does not hold.
"""
import contextlib, io, json, math, os, subprocess, sys, tempfile, warnings

warnings.filterwarnings("ignore")
import numpy as np
from scipy import stats

retrial = os.path.abspath(sys.argv[1])
rng = np.random.default_rng(20260713)
folder = tempfile.TemporaryDirectory()
failures = 0
digits = 1e-9  # ours are printed with ten digits


def told(text, *words):
    path = os.path.join(folder.name, "s.csv")
    with open(path, "w") as out:
        out.write(text)
    run = subprocess.run([retrial, "compare", "--scores", path, *words, "--json"], text=True, capture_output=True)
    if not run.stdout:
        raise SystemExit(f"retrial {' '.join(words)}: {run.stderr}")
    return json.loads(run.stdout)


def paired(a, b):
    """Columns baseline b, candidate a."""
    return "b,a\n" + "".join(f"{y!r},{x!r}\n" for x, y in zip(a.tolist(), b.tolist()))


def grouped(a, b):
    return "group,score\n" + "".join(f"b,{y!r}\n" for y in b.tolist()) + "".join(f"a,{x!r}\n" for x in a.tolist())


def long(variants, pairs=False):
    """variants: {name: matrix of runs x tasks}."""
    text = "variant,pair,task,score\n"
    for name, matrix in variants.items():
        for i, run in enumerate(matrix.tolist()):
            text += "".join(f"{name},{i if pairs else ''},t{m},{x!r}\n" for m, x in enumerate(run))
    return text


def row(tool, what, difference, allowed, explanation=""):
    global failures
    holds = difference <= allowed
    failures += not holds
    print(f"{'ok  ' if holds else 'FAIL'} {tool:14} {what:58} {difference:9.2g} <= {allowed:7.1g}"
          + (f"  {explanation}" if explanation else ""))


def differs(tool, what, difference, least, explanation):
    """A disagreement that is known: it must be there."""
    global failures
    holds = difference >= least
    failures += not holds
    print(f"{'ok  ' if holds else 'FAIL'} {tool:14} {what:58} {difference:9.2g} >= {least:7.1g}  THEIRS: {explanation}")


def worst(pairs):
    """Largest absolute difference; relative above 1."""
    return max(0.0 if x == y else abs(x - y) / max(1.0, abs(y)) for x, y in pairs)


normals = [(rng.normal(.3, 1, n), rng.normal(0, 1.5, n)) for n in (4, 7, 12, 20, 30)]
unequal = [(rng.normal(.3, 1, n), rng.normal(0, 2, m)) for n, m in ((5, 8), (9, 4), (12, 15), (25, 21))]
decimals = [(np.round(rng.normal(.3, 1, n), 1), np.round(rng.normal(0, 1, n), 1)) for n in (6, 9, 12)]


def of_t_tests():
    pairs, welch = [], []
    for a, b in normals:
        ours, theirs = told(paired(a, b), "--test", "paired_t", "--higher"), stats.ttest_rel(a, b)
        interval = theirs.confidence_interval(.95)
        pairs += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue),
                  (ours["interval"][0], interval.low), (ours["interval"][1], interval.high)]
    for a, b in unequal:
        ours, theirs = told(grouped(a, b), "--test", "welch", "--higher"), stats.ttest_ind(a, b, equal_var=False)
        interval = theirs.confidence_interval(.95)
        welch += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue), (ours["df"], theirs.df),
                  (ours["interval"][0], interval.low), (ours["interval"][1], interval.high)]
    row("scipy", "ttest_rel: t, p, interval", worst(pairs), digits)
    row("scipy", "ttest_ind, Welch: t, p, df, interval", worst(welch), digits)


def of_signed_ranks():
    plain, tied = [], []
    for a, b in normals:
        ours = told(paired(a, b), "--test", "wilcoxon", "--higher")
        plain += [(ours["p"], stats.wilcoxon(a, b, method="exact").pvalue),
                  (ours["p_better"], stats.wilcoxon(a, b, method="exact", alternative="greater").pvalue)]
    off = 0.0
    for a, b in decimals:
        ours = told(paired(a, b), "--test", "wilcoxon", "--higher")
        every = stats.PermutationMethod(n_resamples=np.inf)
        d = np.round(a - b, 6)  # so that differences that should tie do
        tied += [(ours["p"], stats.wilcoxon(d[d != 0], method=every).pvalue)]
        off = max(off, abs(ours["p"] - stats.wilcoxon(a - b, method="approx").pvalue))
    row("scipy", "wilcoxon: exact p, one- and two-sided", worst(plain), digits)
    row("scipy", "wilcoxon of decimal scores: p of every sign", worst(tied), digits, "after rounding the differences")
    differs("scipy", "wilcoxon of decimal scores as they are, approx", off, 1e-3,
            "rounding noise breaks ties, and the law is normal")


def of_two_groups():
    plain, tied, off, bm = [], [], 0.0, []
    for a, b in unequal:
        ours = told(grouped(a, b), "--test", "mann_whitney", "--higher")
        plain += [(ours["p"], stats.mannwhitneyu(a, b, method="exact").pvalue),
                  (ours["statistic"], stats.mannwhitneyu(a, b).statistic)]
    for a, b in decimals[:2]:
        ours = told(grouped(a, b), "--test", "mann_whitney", "--higher")
        every = stats.PermutationMethod(n_resamples=np.inf)
        tied += [(ours["p"], stats.mannwhitneyu(a, b, method=every).pvalue)]
        off = max(off, abs(ours["p"] - stats.mannwhitneyu(a, b).pvalue))
    for n in (20, 24, 31):
        a, b = rng.normal(.3, 1, n), rng.normal(0, 2, n + 2)
        ours, theirs = told(grouped(a, b), "--test", "brunner_munzel", "--higher"), stats.brunnermunzel(b, a)
        bm += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue)]
    row("scipy", "mannwhitneyu: U and exact p", worst(plain), digits)
    row("scipy", "mannwhitneyu with ties: p of every labelling", worst(tied), digits)
    differs("scipy", "mannwhitneyu with ties, by default", off, 1e-3, "one tie turns it to a normal approximation")
    row("scipy", "brunnermunzel from 20 runs: W, p", worst(bm), digits)


def of_spreads():
    levene, f, pitman = [], [], []
    for a, b in unequal[:1] + unequal[2:]:
        ours, theirs = told(grouped(a, b), "--test", "brown_forsythe"), stats.levene(a, b, center="median")
        levene += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue)]
        ours, ratio, n, m = told(grouped(a, b), "--test", "variance_ratio"), a.var(ddof=1) / b.var(ddof=1), len(a) - 1, len(b) - 1
        f += [(ours["statistic"], ratio), (ours["p_worse"], stats.f.sf(ratio, n, m)),
              (ours["interval"][0], math.sqrt(ratio / stats.f.ppf(.975, n, m)))]
    for a, b in normals:
        ours, theirs = told(paired(a, b), "--test", "pitman_morgan"), stats.pearsonr(a + b, a - b)
        pitman += [(ours["p"], theirs.pvalue),
                   (ours["statistic"], theirs.statistic * math.sqrt((len(a) - 2) / (1 - theirs.statistic ** 2)))]
    row("scipy", "levene with medians: F and p", worst(levene), digits)
    row("scipy", "f of two variances: F, p, interval of the ratio", worst(f), digits)
    row("scipy", "pearsonr of sums and differences: t and p", worst(pitman), digits)


def of_trimmed_means():
    groups, pairs = [], []
    for a, b in unequal[:1] + unequal[2:]:
        ours, theirs = told(grouped(a, b), "--test", "yuen", "--higher"), stats.ttest_ind(a, b, equal_var=False, trim=.2)
        groups += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue), (ours["df"], theirs.df)]
    for a, b in normals[1:]:
        ours = told(paired(a, b), "--test", "yuen_paired", "--higher")
        theirs = stats.ttest_ind(a - b, np.zeros(len(a)), equal_var=False, trim=.2)
        pairs += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue)]
    row("scipy", "ttest_ind, trim=.2: t, p, df", worst(groups), digits)
    row("scipy", "ttest_ind, trim=.2, of differences against zeros: t, p", worst(pairs), digits)


def of_permutations():
    two, one = [], []
    mean = lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis)
    for a, b in [(rng.normal(.5, 1, 7), rng.normal(0, 1, 7)), (rng.normal(.5, 1, 9), rng.normal(0, 1, 9))]:
        ours = told(paired(a, b), "--test", "paired_permutation", "--higher")
        theirs = stats.permutation_test((a, b), mean, permutation_type="samples", n_resamples=np.inf)
        two.append((ours["p"], theirs.pvalue))
        ours = told(grouped(a[:6], b[:6]), "--test", "permutation", "--higher")
        theirs = stats.permutation_test((a[:6], b[:6]), mean, n_resamples=np.inf)
        one.append((ours["p"], theirs.pvalue))
    row("scipy", "permutation_test of pairs, every sign", worst(two), digits)
    row("scipy", "permutation_test of groups, every labelling", worst(one), digits)


def of_counts():
    exact, wilson, p, off = [], [], [], 0.0
    for wins, n in ((0, 5), (3, 7), (9, 12), (20, 29), (30, 30)):
        text = "b,a\n" + "0,1\n" * wins + "1,0\n" * (n - wins)
        theirs = stats.binomtest(wins, n)
        for name, list_, how in (("clopper_pearson", exact, "exact"), ("wilson", wilson, "wilson")):
            ours = told(text, "--test", "sign", "--higher", "--interval", name)
            interval = theirs.proportion_ci(.95, how)
            list_ += [(ours["interval"][0], interval.low), (ours["interval"][1], interval.high)]
        p.append((ours["p"], theirs.pvalue))
    row("scipy", "binomtest: Clopper-Pearson", worst(exact), digits)
    row("scipy", "binomtest: Wilson", worst(wilson), digits)
    row("scipy", "binomtest: two-sided p of the sign test", worst(p), digits)


def of_many_methods():
    from statsmodels.stats.multitest import multipletests
    chi, adjusted = [], {}
    for k, n in ((3, 8), (4, 14), (6, 9)):
        table = np.round(rng.normal(0, 1, (n, k)) + np.arange(k) * .4, 2)
        text = ",".join(f"m{j}" for j in range(k)) + "\n" + "".join(",".join(map(repr, line)) + "\n" for line in table.tolist())
        ours, theirs = told(text, "--test", "friedman", "--higher"), stats.friedmanchisquare(*table.T)
        chi += [(ours["statistic"], theirs.statistic), (ours["p"], theirs.pvalue)]
        for how, name in (("bonferroni", "bonferroni"), ("sidak", "sidak"), ("holm", "holm"), ("hochberg", "simes-hochberg"),
                          ("hommel", "hommel"), ("bh", "fdr_bh"), ("by", "fdr_by")):
            claims = told(text, "--test", "paired_t", "--higher", "--adjust", how)["claims"]
            corrected = multipletests([c["p"] for c in claims], method=name)[1]
            adjusted.setdefault(how, []).extend(zip([c["p_adjusted"] for c in claims], corrected.tolist()))
    row("scipy", "friedmanchisquare: chi-squared and p, with ties", worst(chi), digits)
    for how, values in adjusted.items():
        row("statsmodels", "multipletests: " + how, worst(values), digits)


def of_statsmodels():
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.weightstats import ttost_ind, ttost_paired
    exact, chi, equivalence = [], [], []
    for b, c in ((3, 9), (6, 6), (20, 31), (40, 22)):
        text = "b,a\n" + "1,0\n" * b + "0,1\n" * c + "1,1\n" * 10
        ours = told(text, "--test", "mcnemar", "--higher")["details"]
        table = [[10, b], [c, 0]]
        exact.append((ours["p_exact"], mcnemar(table, exact=True).pvalue))
        if b != c:
            chi.append((ours["p_chi_squared"], mcnemar(table, exact=False, correction=True).pvalue))
    for a, b in normals:
        ours = told(paired(a, b), "--test", "tost", "--margin", "0.8", "--higher")
        equivalence.append((ours["p"], ttost_paired(a, b, -.8, .8)[0]))
    for a, b in unequal:
        ours = told(grouped(a, b), "--test", "welch_tost", "--margin", "0.8", "--higher")
        equivalence.append((ours["p"], ttost_ind(a, b, -.8, .8, usevar="unequal")[0]))
    row("statsmodels", "mcnemar: exact p", worst(exact), digits)
    row("statsmodels", "mcnemar: chi-squared with correction", worst(chi), digits)
    row("statsmodels", "ttost_paired and ttost_ind: p", worst(equivalence), digits)


def of_baycomp():
    from baycomp.multiple import SignedRankTest, SignTest
    from baycomp.single import CorrelatedTTest
    t, sign, ranks = [], [], []
    draws = 50_000
    for a, b in normals[2:]:
        for rope in (0.0, .2):
            # Their left: the first is better; ours is asked of the second as candidate, and baseline first.
            ours = told(paired(a, b), "--bayes", "correlated_t", "--rope", repr(rope), "--rho", repr(2 / len(a)), "--higher")
            theirs = CorrelatedTTest.probs(b, a, rope=rope, runs=2)
            found = ours["posterior"]
            theirs = theirs if len(theirs) == 3 else (theirs[0], 0.0, theirs[1])
            t += list(zip((found["worse"], found["rope"], found["better"]), theirs))
            if rope == 0.0:
                continue
            found = told(paired(a, b), "--bayes", "sign", "--rope", repr(rope), "--higher")["posterior"]
            theirs = SignTest.probs(b, a, rope=rope, nsamples=draws)
            sign += list(zip((found["worse"], found["rope"], found["better"]), theirs))
            found = told(paired(a, b), "--bayes", "signed_rank", "--rope", repr(rope), "--reps", str(draws), "--seed", "1",
                         "--higher")["posterior"]
            theirs = SignedRankTest.probs(b, a, rope=rope, nsamples=draws)
            ranks += list(zip((found["worse"], found["rope"], found["better"]), theirs))
    error = math.sqrt(.25 / draws)
    row("baycomp", "CorrelatedTTest, rho = 1 / folds", worst(t), digits)
    row("baycomp", "SignTest: theirs drawn, ours by quadrature", worst(sign), 4.5 * error)
    row("baycomp", "SignedRankTest: both drawn", worst(ranks), 4.5 * error * math.sqrt(2))
    a, b = normals[3]
    ours = told(paired(a, b), "--bayes", "correlated_t", "--higher")["posterior"]["better"]
    try:
        theirs = CorrelatedTTest.probs(b, a, rope=0, runs=len(a))[-1]
    except ZeroDivisionError:
        theirs = math.nan
    differs("baycomp", f"independent seeds as runs of one fold: {theirs:.3g}, ours {ours:.3g}",
            1.0 if math.isnan(theirs) else abs(ours - theirs), 1e-3,
            "rho = 1 / 1 divides by zero; ours takes rho 0 and refuses 1")


def of_rliable():
    from rliable import library, metrics
    points, improvement, intervals = [], [], []
    for n, m in ((5, 26), (3, 7), (10, 4)):
        x, y = rng.normal(0, 1, (n, m)), rng.normal(.2, 1, (n, m))
        text = long({"y": y, "x": x})
        for what, theirs in (("mean", metrics.aggregate_mean), ("median", metrics.aggregate_median),
                             ("iqm", metrics.aggregate_iqm), ("gap", metrics.aggregate_optimality_gap)):
            ours = told(text, "--aggregate", what, "--higher", "--seed", "1", "--reps", "1000")["variants"]
            points += [(ours[0]["estimate"], theirs(y)), (ours[1]["estimate"], theirs(x))]
        ours = told(text, "--aggregate", "poi", "--higher", "--seed", "1", "--reps", "1000")
        improvement.append((ours["estimate"], metrics.probability_of_improvement(x, y)))
    x = rng.normal(0, 1, (8, 10))
    np.random.seed(3)  # their random_state is accepted and never used: the global generator draws
    for what, theirs in (("mean", metrics.aggregate_mean), ("iqm", metrics.aggregate_iqm), ("median", metrics.aggregate_median)):
        for method in ("percentile", "bca"):
            ours = told(long({"x": x}), "--aggregate", what, "--higher", "--seed", "1", "--method", method)["variants"][0]
            _, bounds = library.get_interval_estimates({"x": x}, lambda s: np.array([theirs(s)]), reps=10_000,
                                                       method="bca" if method == "bca" else "percentile")
            width = ours["interval"][1] - ours["interval"][0]
            found = max(abs(ours["interval"][i] - bounds["x"][i, 0]) / width for i in (0, 1))
            intervals.append((what, method, found))
    row("rliable", "mean, median, iqm, optimality gap", worst(points), digits)
    row("rliable", "probability of improvement", worst(improvement), digits)
    row("rliable", "percentile intervals, in widths", max(f for _, m, f in intervals if m == "percentile"), .04)
    # Theirs leaves out whole runs (rows of all tasks), ours single scores: the acceleration differs, hardly the interval.
    row("rliable", "BCa intervals, in widths", max(f for _, m, f in intervals if m == "bca"), .08,
        "their jackknife is not stratified")


def of_rliable_seed():
    from rliable import library, metrics
    x, call = rng.normal(0, 1, (5, 6)), lambda s: np.array([metrics.aggregate_iqm(s)])
    bounds = [library.get_interval_estimates({"x": x}, call, reps=2_000, random_state=np.random.RandomState(7))[1]["x"]
              for _ in range(2)]
    ours = [told(long({"x": x}), "--aggregate", "iqm", "--higher", "--seed", "7", "--reps", "2000") for _ in range(2)]
    row("retrial", "one seed, the same interval", float(ours[0] != ours[1]), 0)
    differs("rliable", "one random_state, another interval", float(np.abs(bounds[0] - bounds[1]).max() > 0), 1,
            "the seed never reaches the resampler")


def of_deepsig():
    import deepsig
    from deepsig.aso import compute_violation_ratio
    grid, bounds = [], []
    for n, m in ((20, 20), (50, 40), (200, 200)):
        a, b = rng.normal(.2, 1, n), rng.normal(0, 1, m)
        ours = told(grouped(a, b), "--aso", "--higher", "--seed", "1")
        grid.append(abs(ours["estimate"] - compute_violation_ratio(a, b, dt=.005)))
        theirs = deepsig.aso(a, b, num_bootstrap_iterations=2000, show_progress=False, seed=1)
        bounds.append(abs(ours["interval"][1] - theirs))
    row("deepsig", "violation ratio", max(grid), .02, "theirs on a grid of .005, ours exact")
    differs("deepsig", "violation ratio", max(grid), 1e-5, "the grid: 2/3 is printed as .6555")
    row("deepsig", "upper bound of one comparison, both drawn", max(bounds), .05)
    # The level that the bounds of one, three and ten comparisons imply, by how far they lie above the ratio.
    a, b = rng.normal(.2, 1, 60), rng.normal(0, 1, 60)
    ratio = compute_violation_ratio(a, b, dt=.005)
    above = {m: deepsig.aso(a, b, num_comparisons=m, num_bootstrap_iterations=2000, show_progress=False, seed=1) - ratio
             for m in (1, 3, 10)}
    level = {m: stats.norm.cdf(above[m] / above[1] * stats.norm.ppf(.95)) for m in above}
    differs("deepsig", f"level of ten comparisons {level[10]:.3f} below that of three {level[3]:.3f}", level[3] - level[10], .005,
            ".95 + .05 / m where 1 - .05 / m belongs: more comparisons, less strict")
    ours = [told(long({"b": rng.normal(0, 1, (20, m)), "a": rng.normal(.2, 1, (20, m))}), "--aso", "--higher", "--seed", "1")
            ["claims"][0]["alpha"] for m in (3, 10)]
    row("retrial", "of m comparisons each takes alpha / m", worst(zip(ours, (.05 / 3, .005))), digits)


def of_autorank():
    import autorank
    import pandas as pd
    table = rng.normal(0, 1, (14, 4)) ** 3 + np.arange(4) * .4
    with contextlib.redirect_stdout(io.StringIO()):
        result = autorank.autorank(pd.DataFrame(table, columns=list("abcd")), alpha=.05, verbose=False, force_mode="nonparametric")
    ours = told("a,b,c,d\n" + "".join(",".join(map(repr, line)) + "\n" for line in table.tolist()), "--test", "friedman", "--higher")
    row("autorank", "p of Friedman", abs(ours["p"] - result.pvalue), digits)
    exact = stats.studentized_range.ppf(.95, 4, np.inf) / math.sqrt(2) * math.sqrt(4 * 5 / (6 * 14))
    row("scipy", "critical difference of Nemenyi", abs(ours["nemenyi_distance"] - exact), digits)
    differs("autorank", "critical difference of Nemenyi", abs(ours["nemenyi_distance"] - result.cd), 1e-6,
            "a rounded table of quantiles")
    # The level of its decision for two methods: the direction is taken from the data, then tested one-sided.
    draws = 4000
    a, b = rng.normal(0, 1, (draws, 10)), rng.normal(0, 1, (draws, 10))
    told_by_data = np.median(a, axis=1) > np.median(b, axis=1)
    first, second = np.where(told_by_data[:, None], a, b), np.where(told_by_data[:, None], b, a)
    level = np.mean([stats.wilcoxon(x, y, alternative="greater").pvalue < .05 for x, y in zip(first, second)])
    differs("autorank", "level of its one-sided test of two equal methods", level, .07,
            "the larger median chooses the side, so .05 becomes this")


for part in (of_t_tests, of_signed_ranks, of_two_groups, of_spreads, of_trimmed_means, of_permutations, of_counts,
             of_many_methods, of_statsmodels, of_baycomp, of_rliable, of_rliable_seed, of_deepsig, of_autorank):
    part()
print(f"{failures} rows do not hold" if failures else "all rows hold")
sys.exit(1 if failures else 0)
