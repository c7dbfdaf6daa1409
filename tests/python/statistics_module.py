#!/usr/bin/env python3
"""statistics_module.py RETRIAL: the statistics of the installed Python module beside those that the program prints, and
beside SciPy where it is installed."""

import array
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import retrial

RETRIAL = str(pathlib.Path(sys.argv.pop(1)).resolve())

try:
    import numpy
except ImportError:
    numpy = None
try:
    import scipy.stats
except ImportError:
    scipy = None

NEW = [87.1, 86.4, 88.0, 87.7, 86.9, 87.5, 88.2, 87.0, 86.2, 88.9, 87.3, 86.6]
OLD = [86.0, 86.5, 86.8, 86.2, 86.5, 86.3, 87.1, 85.9, 86.8, 86.1, 87.3, 85.2]
NEEDED = {"margin": 1.5, "overlap": 0.582}


def program(*words):
    return subprocess.run([RETRIAL, *words], capture_output=True, text=True, check=True).stdout


def printed(number):
    """As the documents of the program hold it: ten digits."""
    return number if number is None else "inf" if math.isinf(number) else float(f"{number:.9e}")


class LikeTheProgram(unittest.TestCase):
    def document(self, columns, *words):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scores.csv"
            with open(file, "w", newline="", encoding="utf-8") as to:
                csv.writer(to).writerows(columns)
            return json.loads(program("compare", "--scores", str(file), "--json", *words))

    def test_every_test_of_the_table(self):
        self.assertGreater(len(retrial.tests()), 20)
        for test in retrial.tests():
            new, old = NEW, OLD
            if test.scores == "bits":
                new, old = [1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0]
            if test.scores == "five_by_two":
                new, old = NEW[:10], OLD[:10]
            for direction in ("higher", "lower"):
                settings = {name: NEEDED[name] for name in test.needs}
                options = [word for name, value in settings.items() for word in ("--" + name, str(value))]
                rows = [("old", "new"), *zip(old, new)]
                if not test.paired:
                    rows = [("group", "score"), *(("old", x) for x in old), *(("new", x) for x in new)]
                theirs = self.document(rows, "--test", test.name, "--" + direction, "--seed", "7", *options)
                with self.subTest(test=test.name, direction=direction):
                    ours = retrial.compare(new, old, test=test.name, direction=direction, seed=7, names=("new", "old"),
                                           **settings)  # fmt: skip
                    for name in ("statistic", "df", "df_within", "p", "p_better", "p_worse"):
                        self.assertEqual(printed(getattr(ours, name)), theirs[name], name)
                    for name in ("verdict", "reason", "estimand", "method", "exact"):
                        self.assertEqual(getattr(ours, name), theirs[name], name)
                    if ours.estimate is not None:
                        self.assertEqual(printed(ours.estimate.point), theirs["estimate"])
                        bounds = [printed(ours.estimate.low), printed(ours.estimate.high)]
                        self.assertEqual(bounds, theirs["interval"] or [None, None])
                    if ours.posterior is not None:
                        rounded = {name: printed(share) for name, share in ours.posterior.items()}
                        self.assertEqual(rounded, theirs["posterior"])
                    self.assertEqual({name: printed(value) for name, value in ours.details.items()}, theirs["details"])
                    self.assertFalse(ours.drawn and theirs["seed"] is None)

    def test_the_default_tests(self):
        for paired, rows in ((True, [("old", "new"), *zip(OLD, NEW)]),
                             (False, [("group", "score"), *(("old", x) for x in OLD), *(("new", x) for x in NEW)])):
            ours = retrial.compare(NEW, OLD, paired=paired, direction="higher", names=("new", "old"), seed=7)
            theirs = self.document(rows, "--higher", "--seed", "7")
            self.assertEqual((ours.test, printed(ours.p), ours.verdict), (theirs["test"], theirs["p"], theirs["verdict"]))

    def test_aggregates(self):
        new, old = ([NEW[:4], NEW[4:8], NEW[8:]], [OLD[:4], OLD[4:8], OLD[8:]])  # three runs of four tasks
        rows = [("variant", "pair", "task", "score")]
        for name, table in (("old", old), ("new", new)):
            rows += [(name, run, f"t{task}", score) for run, row in enumerate(table) for task, score in enumerate(row)]
        for how in ("mean", "median", "iqm", "gap", "poi"):
            gap = {"target": 88.0} if how == "gap" else {}
            words = ["--target", "88"] if gap else []
            theirs = self.document(rows, "--aggregate", how, "--higher", "--seed", "7", "--reps", "2000", *words)
            with self.subTest(how):
                ours = retrial.aggregate(new, old, how=how, paired=True, seed=7, reps=2000, names=("new", "old"), **gap)
                (line,) = theirs["differences"]
                self.assertEqual([printed(ours.point), printed(ours.low), printed(ours.high)],
                                 [line["estimate"], *line["interval"]])  # fmt: skip
                if how == "poi":
                    continue
                alone = retrial.aggregate(new, how=how, seed=7, reps=2000, names=("new", "old"), **gap)
                line = next(line for line in theirs["variants"] if line["variant"] == "new")
                self.assertEqual([printed(alone.point), printed(alone.low), printed(alone.high)],
                                 [line["estimate"], *line["interval"]])  # fmt: skip
                by_name = {task: [row[task] for row in new] for task in range(4)}
                self.assertEqual(retrial.aggregate(by_name, how=how, seed=7, reps=2000, names=("new", "old"), **gap), alone)

    def test_power(self):
        theirs = json.loads(program("power", "--json", "--n", "20", "--gamma", "0.8"))
        ours, given = retrial.power(gamma=0.8), retrial.power(gamma=0.8, n=20)
        self.assertEqual(retrial.power(gamma=0.75).n, 42)  # docs/statistics.md
        exact = theirs["exact"]
        self.assertEqual([ours.n, ours.wins_needed, printed(ours.size), printed(ours.power)],
                         [exact["pairs"], exact["wins_needed"], exact["size"], exact["power"]])  # fmt: skip
        self.assertEqual([given.wins_needed, printed(given.size), printed(given.power)],
                         [theirs["given"]["wins_needed"], theirs["given"]["size"], theirs["given"]["power"]])  # fmt: skip
        self.assertEqual(printed(given.detectable_gamma), theirs["given"]["detectable_gamma"])

    def test_power_of_tests_of_normal_scores(self):
        overlap = {"overlap": 0.1}
        for test, more in {"paired_t": {}, "corrected_t": overlap, "wilcoxon": {}, "welch": {}, "mann_whitney": {}}.items():
            words = [word for name, value in more.items() for word in ("--" + name, str(value))]
            theirs = json.loads(program("power", "--json", "--design", test, "--effect", "1.5", "--n", "20", *words))
            given = theirs["given"]
            with self.subTest(test):
                self.assertEqual(retrial.power(test=test, effect=1.5, **more).n, theirs["n"])
                self.assertEqual(printed(retrial.power(test=test, effect=1.5, n=20, **more).power), given["power"])
                self.assertEqual(printed(retrial.power(test=test, n=20, **more).effect), given["detectable_effect"])
        for test in ("tost", "welch_tost"):
            theirs = json.loads(program("power", "--json", "--design", test, "--margin", "1", "--effect", "0.1", "--n", "9"))
            given = theirs["given"]
            with self.subTest(test):
                planned = retrial.power(test=test, margin=1.0, effect=0.1)
                self.assertEqual((planned.n, planned.margin, planned.effect), (theirs["n"], 1.0, 0.1))
                self.assertEqual(printed(retrial.power(test=test, margin=1.0, effect=0.1, n=9).power), given["power"])
                self.assertEqual(printed(retrial.power(test=test, effect=0.1, n=9).margin), given["detectable_margin"])
        # Overlapping training sets have a limit to their power, and four pairs no signed-rank p below 1/16.
        none = retrial.power(test="corrected_t", effect=0.5, overlap=0.582)
        self.assertEqual((none.n, none.power, none.effect), (None, None, 0.5))
        none = retrial.power(test="wilcoxon", n=4)
        self.assertEqual((none.n, none.power, none.effect), (4, None, None))

    def test_power_from_a_pilot(self):
        rows = [("new", "old"), *zip(NEW, OLD)]
        for test, settings in {"pab_exact": {}, "welch": {}, "tost": {"margin": 1.5}}.items():
            words = [word for name, value in settings.items() for word in ("--" + name, str(value))]
            with tempfile.TemporaryDirectory() as folder, self.subTest(test):
                file = pathlib.Path(folder) / "scores.csv"
                with open(file, "w", newline="", encoding="utf-8") as to:
                    csv.writer(to).writerows(rows)
                theirs = json.loads(program("power", "--json", "--scores", str(file), "--higher", "--test", test, "--candidate",
                                            "new", "--baseline", "old", "--seed", "7", "--studies", "100", *words))  # fmt: skip
                ours = retrial.pilot_power(NEW, OLD, n=20, direction="higher", test=test, seed=7, studies=100,
                                           names=("new", "old"), threads=2, **settings)  # fmt: skip
                at = next(point for point in theirs["curve"] if point["runs"] == 20)
                self.assertEqual([ours.claim, printed(ours.effect.point)], [theirs["claim"], theirs["effect"]])
                self.assertEqual([printed(ours.power.point), [printed(ours.power.low), printed(ours.power.high)]],
                                 [at["power"], at["interval"]])  # fmt: skip
                self.assertEqual([printed(ours.power_at_low), printed(ours.power_at_high)],
                                 [at["power_at_low"], at["power_at_high"]])  # fmt: skip

    @unittest.skipIf(scipy is None, "left out: no SciPy")
    def test_power_beside_scipy(self):
        # The noncentral t: 20 pairs, one-sided 5 %, a difference of half a standard deviation.
        theirs = scipy.stats.nct.sf(scipy.stats.t.ppf(0.95, 19), 19, 0.5 * math.sqrt(20))
        self.assertAlmostEqual(retrial.power(test="paired_t", effect=0.5, n=20).power, theirs, places=9)
        # Six pairs: BETTER needs W+ of at least 19 of 21 (p 3/64); without a difference that is the chance.
        self.assertAlmostEqual(retrial.power(test="wilcoxon", effect=0.0, n=6).power, 3 / 64, places=9)

    def test_audit(self):
        theirs = json.loads(program("audit", "--json", "--rule", "pab_exact", "--rule", "peek_t", "--n", "5", "--model",
                                    "gaussian", "--truth", "null", "--reps", "500", "--seed", "3"))  # fmt: skip
        ours = retrial.audit(rules=["pab_exact", "peek_t"], n=[5], models=["gaussian"], truths=["null"], reps=500,
                             seed=3)  # fmt: skip
        self.assertEqual([(row["rule"], row["cell"], printed(row["rate"])) for row in ours.rows],
                         [(row["rule"], ours.rows[i]["cell"], row["rate"]) for i, row in enumerate(theirs["rows"])])  # fmt: skip
        self.assertGreater(len(ours.rows), 1)


class WhatIsRefused(unittest.TestCase):
    def refused(self, text, call):
        with self.assertRaises(ValueError) as caught:
            call()
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_wrong_input_is_one_line_that_names_the_field(self):
        def compare(new=NEW, old=OLD, **settings):
            return lambda: retrial.compare(new, old, **{"direction": "higher", "paired": True, **settings})

        self.refused("candidate[1] = nan: out of range", compare([1.0, math.nan], [1.0, 2.0]))
        self.refused("candidate[1] = None: is not a number", compare([1.0, None], [1.0, 2.0]))
        self.refused("candidate[0] = '1': is not a number", compare(["1"], [1.0]))
        self.refused("candidate", compare([], []))
        self.refused("baseline", compare(NEW, OLD[:5]))
        self.refused("direction = up: out of range (allowed: higher, lower)", compare(direction="up"))
        self.refused("alpha = 0.7", compare(alpha=0.7))
        self.refused("did you mean wilcoxon?", compare(test="wilcoxen"))
        self.refused("test welch takes independent runs", compare(test="welch"))
        self.refused("paired: must be given", compare(paired=None))
        self.refused("tau = 0.1: is not used by test wilcoxon (allowed: ", compare(test="wilcoxon", tau=0.1))
        self.refused("margin: must be given for test tost", compare(test="tost"))
        self.refused("add gamma=0.75", compare(beta=0.1))
        self.refused("interval = exact: out of range", compare(interval="exact"))
        self.refused("seed = -1: out of range", compare(seed=-1))
        self.refused("seed = 1.5: is not an integer", compare(seed=1.5))
        self.refused("pab_exact uses gamma", lambda: retrial.power(effect=1.0))
        self.refused("effect or n: one must be given", lambda: retrial.power(test="welch"))
        self.refused("margin or n: one must be given", lambda: retrial.power(test="tost", effect=0.1))
        self.refused("margin = 1.0: is for tests of equivalence, not for welch", lambda: retrial.power(test="welch", margin=1.0))
        self.refused("gamma = 0.7: is for test pab_exact, not for tost", lambda: retrial.power(test="tost", gamma=0.7))
        self.refused("overlap: must be given", lambda: retrial.power(test="corrected_t", effect=1.0))
        self.refused("overlap = 0.5: is for test corrected_t", lambda: retrial.power(test="welch", effect=1.0, overlap=0.5))
        self.refused("sides = two: does not apply", lambda: retrial.power(test="tost", margin=1.0, sides="two"))
        self.refused("n = 1: out of range", lambda: retrial.power(test="welch", effect=1.0, n=1))
        self.refused("margin = -1: out of range", lambda: retrial.power(test="tost", margin=-1.0))
        self.refused("test = wilcoxn: is unknown", lambda: retrial.power(test="wilcoxn", effect=1.0))

        def pilot(new=NEW, **settings):
            return lambda: retrial.pilot_power(new, OLD, **{"n": 20, "direction": "higher", "test": "paired_t", "seed": 1,
                                                            **settings})  # fmt: skip

        self.refused("seed: must be given", pilot(seed=None))
        self.refused("candidate: has 4 scores", pilot(new=NEW[:4]))
        self.refused("gamma = 0.7: is not used by test paired_t", pilot(gamma=0.7))
        self.refused("setting = gama: is unknown", pilot(gama=0.7))
        self.refused("studies = 0: out of range", pilot(studies=0))
        self.refused("n = 1: out of range", pilot(n=1))
        self.refused("n = 0: out of range", lambda: retrial.power(n=0))
        self.refused("how = best: out of range (allowed: mean, ", lambda: retrial.aggregate([[1.0], [2.0]], how="best"))
        self.refused("target: must be given", lambda: retrial.aggregate([[1.0], [2.0]], how="gap"))
        self.refused("baseline: must be given", lambda: retrial.aggregate([[1.0], [2.0]], how="poi"))
        self.refused("rows of different lengths", lambda: retrial.aggregate([[1.0], [2.0, 3.0]], how="iqm"))
        self.refused("rules = pab: out of range", lambda: retrial.audit(seed=1, rules=["pab"]))

    def test_nothing_is_drawn_without_a_seed(self):
        many = [float(x * x % 97) for x in range(40)]
        self.refused("seed", lambda: retrial.compare(many, many[::-1], test="paired_permutation", direction="higher"))
        self.refused("seed", lambda: retrial.aggregate([many, many[::-1]] * 5, how="iqm"))
        self.refused("seed: must be given", lambda: retrial.audit(seed=None, rules=["pab_exact"], n=[5]))


class OtherInput(unittest.TestCase):
    def test_anything_that_yields_numbers(self):
        expected = retrial.compare(NEW, OLD, test="wilcoxon", direction="higher")
        for made in (tuple, iter, lambda x: array.array("d", x)):
            self.assertEqual(retrial.compare(made(NEW), made(OLD), test="wilcoxon", direction="higher"), expected)

    @unittest.skipIf(numpy is None, "left out: no NumPy")
    def test_numpy(self):
        expected = retrial.compare(NEW, OLD, test="wilcoxon", direction="higher")
        new, old = numpy.array(NEW), numpy.array(OLD)
        self.assertEqual(retrial.compare(new, old, test="wilcoxon", direction="higher"), expected)
        table = numpy.array([NEW, OLD])
        self.assertEqual(retrial.aggregate(table, how="mean", seed=1), retrial.aggregate([NEW, OLD], how="mean", seed=1))
        with self.assertRaisesRegex(ValueError, "has 2 dimensions"):
            retrial.compare(table, table, test="wilcoxon", direction="higher")


@unittest.skipIf(scipy is None, "left out: no SciPy")
class LikeSciPy(unittest.TestCase):
    """scipy.stats 1.17.1: ttest_rel, wilcoxon, ttest_ind, mannwhitneyu, binomtest."""

    def test_values(self):
        stats = scipy.stats
        differences = [round(x - y, 1) for x, y in zip(NEW, OLD)]
        wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
        # Scores without ties, for the exact law of Mann and Whitney.
        new, old = [x + i / 1000 for i, x in enumerate(NEW)], [x - i / 1000 for i, x in enumerate(OLD)]
        distinct = [-1, 1.5, -4, -5, 4.5, -9, 7, 11, -11.5, -14, 11.2, 32]
        for test, first, second, expected in (
            ("paired_t", NEW, OLD, stats.ttest_rel(NEW, OLD).pvalue),
            ("sign", NEW, OLD, stats.binomtest(wins, wins + losses).pvalue),
            ("welch", NEW, OLD, stats.ttest_ind(NEW, OLD, equal_var=False).pvalue),
            ("mann_whitney", new, old, stats.mannwhitneyu(new, old, method="exact").pvalue),
            ("wilcoxon", distinct, [0] * len(distinct), stats.wilcoxon(distinct, method="exact").pvalue),
        ):
            with self.subTest(test):
                ours = retrial.compare(first, second, test=test, direction="higher")
                self.assertTrue(math.isclose(ours.p, expected, rel_tol=1e-10), (ours.p, expected))


if __name__ == "__main__":
    unittest.main(verbosity=2)
