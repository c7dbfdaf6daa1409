#!/usr/bin/env python3
"""Fits the tables of tests/variance/components/reml_references.hpp by lme4 and statsmodels and compares with that file.
  components.py [--write]     run by the interpreter of the peers' environment (environment.py statistics)
lme4 is Debian's r-cran-lme4, run as a program: only its results are used. The deviances of both are computed here, from
their estimates, by one formula with dense matrices. Exit 1 when a number differs from that of the file by more than 1e-6.
"""
import json, os, subprocess, sys, tempfile, warnings

warnings.filterwarnings("ignore")
import numpy as np
import pandas as pd
import statsmodels
from statsmodels.regression.mixed_linear_model import MixedLM

here = os.path.dirname(os.path.abspath(__file__))
header = os.path.join(os.path.dirname(os.path.dirname(here)), "variance", "components", "reml_references.hpp")

program = r"""
suppressMessages(library(lme4))
words <- commandArgs(TRUE)
table <- read.csv(words[1])
factors <- setdiff(names(table), "y")
for (f in factors) table[[f]] <- factor(table[[f]])
formula <- as.formula(paste("y ~ 1 +", paste0("(1|", factors, ")", collapse = " + ")))
fit <- suppressMessages(lmer(formula, table, REML = TRUE, control = lmerControl(
  optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5))))
parts <- as.data.frame(VarCorr(fit))
value <- setNames(parts$vcov, parts$grp)
cat(format(value[c(factors, "Residual")], digits = 17), as.character(packageVersion("lme4")), "\n")
"""


def clusters(groups):
    return [x for g in groups for x in g], [[i for i, g in enumerate(groups) for _ in g]]


def crossed(seed, rows, columns, sds, lost):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0, sds[0], rows), rng.normal(0, sds[1], columns)
    noise, hole = rng.normal(0, sds[2], (rows, columns)), rng.uniform(size=(rows, columns)) < lost
    cells = [(i, j) for i in range(rows) for j in range(columns) if not hole[i, j]]
    return [round(float(80 + a[i] + b[j] + noise[i, j]), 4) for i, j in cells], [[i for i, _ in cells], [j for _, j in cells]]


def three(seed):
    """Three crossed factors, half of the cells at random."""
    rng = np.random.default_rng(seed)
    effects = [rng.normal(0, sd, 6) for sd in (1, .5, .2)]
    cells = [c for c in np.ndindex(6, 6, 6) if rng.uniform() < .3]
    scores = [round(float(sum(e[i] for e, i in zip(effects, c)) + rng.normal(0, .7)), 4) for c in cells]
    return scores, [[int(c[k]) for c in cells] for k in range(3)]


tables = {
    "clusters of 7, 2, 2, 1 and 1 runs whose variance between is 0": clusters(
        [[10.412191, 9.026881, 11.55975, 10.478674, 10.686943, 10.433388, 8.637903], [9.540742, 8.971869],
         [10.106204, 10.704526], [11.924206], [8.72773]]),
    "clusters of 3, 2, 4 and 1 runs": clusters([[.70, .72, .71], [.75, .74], [.69, .73, .70, .71], [.78]]),
    "clusters with a second, higher minimum at 0": clusters(
        [[.88, -1.3], [3.19], [.15, 1.12], [.25], [.63, 1.05, .71, -.67, 1.2, .37, -1.13]]),
    "5 x 5 with holes": crossed(1, 5, 5, (1, .5, .5), 1 / 8),
    "5 x 5 with holes, a second source without effect": crossed(11, 5, 5, (1, 0, .5), 1 / 8),
    "5 x 5 with holes, noise alone": crossed(3, 5, 5, (0, 0, 1), 1 / 4),
    "8 x 8 with holes": crossed(4, 8, 8, (.3, .6, 1), 1 / 8),
    "8 x 8 with half of the runs": crossed(5, 8, 8, (.3, .3, 1), 1 / 2),
    "8 x 8 with holes, little noise": crossed(6, 8, 8, (1, 1, .1), 1 / 8),
    "three sources": three(7),
}


def deviance(scores, factors, variances):
    """log|V| + log|X'V^-1 X| + y'Py, by its definition."""
    y, v = np.array(scores), np.eye(len(scores)) * variances[-1]
    for levels, variance in zip(factors, variances):
        levels = np.array(levels)
        v += variance * (levels[:, None] == levels[None, :])
    if variances[-1] <= 0:
        return np.inf
    inverse = np.linalg.inv(v)
    precision = inverse.sum()
    rest = y - inverse.sum(0) @ y / precision
    return float(np.linalg.slogdet(v)[1] + np.log(precision) + rest @ inverse @ rest)


def by_lme4(scores, factors):
    frame = pd.DataFrame({f"f{k}": levels for k, levels in enumerate(factors)} | {"y": scores})
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as out:
        frame.to_csv(out, index=False)
        out.flush()
        words = subprocess.run(["Rscript", "-e", program, out.name], text=True, capture_output=True, check=True).stdout.split()
    return [float(w) for w in words[:-1]], words[-1]


def by_statsmodels(scores, factors):
    frame = pd.DataFrame({f"f{k}": levels for k, levels in enumerate(factors)} | {"y": scores, "all": 0})
    parts = {f"f{k}": f"0 + C(f{k})" for k in range(len(factors))}
    fit = MixedLM.from_formula("y ~ 1", groups="all", vc_formula=parts, re_formula="0", data=frame).fit(
        reml=True, method=["bfgs", "lbfgs"], maxiter=500)
    named = dict(zip(fit.model.exog_vc.names, fit.vcomp))
    return [float(named[f"f{k}"]) for k in range(len(factors))] + [float(fit.scale)]


def fitted():
    out = []
    for name, (scores, factors) in tables.items():
        lme4, version = by_lme4(scores, factors)
        other = by_statsmodels(scores, factors)
        out.append([name, scores, factors, lme4, deviance(scores, factors, lme4), deviance(scores, factors, other)])
    return out, version


def wrapped(numbers, indent):
    lines, line = [], ""
    for text in (f"{n!r}" for n in numbers):
        if len(line) + len(text) + 2 > 118 - indent:
            lines.append(line)
            line = ""
        line += ("" if not line else " ") + text + ","
    return ("\n" + " " * indent).join(lines + [line.rstrip(",")])


def write(rows, lme4):
    with open(header, "w") as out:
        out.write(f"""#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Written by tests/measure/peers/components.py --write: restricted maximum likelihood by lme4 {lme4}
// (lmer(y ~ 1 + (1|f0) + ..., REML = TRUE), bobyqa with rhoend 1e-12) and statsmodels {statsmodels.__version__}
// (MixedLM.from_formula("y ~ 1", groups = one group, vc_formula = one term per factor).fit(reml = True)).
namespace retrial::tests {{

struct RemlReference {{
  std::string name;
  std::vector<double> scores;
  std::vector<std::vector<std::uint32_t>> factors;  // level of each run
  std::vector<double> variances;                    // lme4: factors in order, then noise
  double lme4, statsmodels;                         // log|V| + log|X'V^-1 X| + y'Py at the estimates of each
}};

// clang-format off
inline const std::vector<RemlReference> reml_references{{
""")
        for name, scores, factors, variances, own, other in rows:
            levels = ",\n    ".join("{" + wrapped(one, 5) + "}" for one in factors)
            out.write(f"  {{\"{name}\",\n   {{{wrapped(scores, 4)}}},\n   {{{levels}}},\n   {{{wrapped(variances, 4)}}},\n"
                      f"   {own!r}, {other!r}}},\n")
        out.write("};\n// clang-format on\n\n}  // namespace retrial::tests\n")


def stored_rows():
    text = open(header).read()
    rows = text[text.index("reml_references{") + len("reml_references{"):text.index("};\n// clang-format on")]
    return json.loads("[" + rows.replace("{", "[").replace("}", "]").rstrip().rstrip(",") + "]")


def compared(rows):
    """Number of rows that differ from the file."""
    wrong = 0
    for row, stored in zip(rows, stored_rows(), strict=True):
        scale = sum(stored[3])
        off = max(abs(a - b) / scale for a, b in zip(row[3], stored[3], strict=True))
        off = max(off, *(abs(a - b) / max(1, abs(b)) for a, b in zip(row[4:], stored[4:], strict=True)))
        same = row[:3] == stored[:3]
        wrong += not (same and off <= 1e-6)
        print(f"{'ok  ' if same and off <= 1e-6 else 'FAIL'} {row[0]:66} {off:8.1g} <= 1e-06; deviance of lme4 "
              f"{row[4]:.9f}, of statsmodels {row[5] - row[4]:.1e} more")
    return wrong


rows, version = fitted()
if "--write" in sys.argv:
    write(rows, version)
sys.exit(1 if compared(rows) else 0)
