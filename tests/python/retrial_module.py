#!/usr/bin/env python3
"""retrial_module.py RETRIAL FOLDER: the Python module alone, and in a study that is run by the program."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

RETRIAL, SOURCE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
sys.path.insert(0, str(SOURCE / "python"))
import retrial  # noqa: E402


def environment(**variables):
    """The environment without any variable of a trial, and these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TRIAL_")}
    return mock.patch.dict(os.environ, {**kept, **variables}, clear=True)


class OutsideOfATrial(unittest.TestCase):
    def test_nothing_is_written_and_nothing_fails(self):
        out = io.StringIO()
        with environment(), contextlib.redirect_stdout(out):
            retrial.log(accuracy=0.5, step=1)
            retrial.log(text="not a number")
        self.assertEqual(out.getvalue(), "")

    def test_a_line_is_printed_only_if_asked_for(self):
        out = io.StringIO()
        with environment(TRIAL_LOG="-"), contextlib.redirect_stdout(out):
            retrial.log(accuracy=0.5, step=1)
        self.assertEqual(json.loads(out.getvalue()), {"step": 1, "accuracy": 0.5})

    def test_the_seed_is_the_default(self):
        with environment():
            self.assertEqual((retrial.seed(), retrial.seed("init"), retrial.seed("init", 7)), (0, 0, 7))


class InsideOfATrial(unittest.TestCase):
    def lines(self, use):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "log"
            with environment(TRIAL_LOG=str(file), TRIAL_OUT=folder):
                use()
            return file.read_text() if file.exists() else ""

    def test_lines_are_appended(self):
        def use():
            retrial.log(accuracy=0.5, loss=2, step=1)
            retrial.log(epoch=2, **{"val/loss": 1.5})

        records = [json.loads(line) for line in self.lines(use).splitlines()]
        self.assertEqual(records, [{"step": 1, "accuracy": 0.5, "loss": 2.0}, {"epoch": 2, "val/loss": 1.5}])

    def test_what_float_takes_is_a_number(self):
        class Tensor:
            def __float__(self):
                return 0.25

        self.assertEqual(json.loads(self.lines(lambda: retrial.log(a=Tensor()))), {"a": 0.25})
        self.assertEqual(self.lines(lambda: retrial.log(a=float("nan"), b=float("-inf"))), '{"a": NaN, "b": -Infinity}\n')

    def test_what_is_no_number_is_refused_and_nothing_written(self):
        for wrong in ({"a": "0.5"}, {"a": None}, {"a": [1, 2]}, {"a": 1, "step": 1.5}):
            with self.subTest(wrong), self.assertRaises(TypeError):
                self.lines(lambda: retrial.log(**wrong))

    def test_every_double_comes_back_to_the_bit(self):
        for value in (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0):
            self.assertEqual(json.loads(self.lines(lambda: retrial.log(a=value)))["a"].hex(), value.hex())

    def test_seeds_are_those_of_the_environment(self):
        with environment(TRIAL_OUT="/x", TRIAL_SEED="5", TRIAL_SEED_DATA_ORDER="6"):
            self.assertEqual((retrial.seed(), retrial.seed("data-order")), (5, 6))
            with self.assertRaisesRegex(RuntimeError, "add --env-seed init"):
                retrial.seed("init")


PROGRAM = """
import random, sys
import retrial
draw = random.Random(retrial.seed())
for epoch in range(1, 4):
    retrial.log(epoch=epoch, score=epoch + draw.random() / 10 + float(sys.argv[1]))
"""


class InAStudy(unittest.TestCase):
    def test_the_log_is_read_and_its_curve_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder, environment(PYTHONPATH=str(SOURCE / "python")):
            (pathlib.Path(folder) / "train.py").write_text(PROGRAM)

            def call(*words):
                return subprocess.run([RETRIAL, *words], cwd=folder, capture_output=True, text=True, check=False)

            ran = call("run", "--command", "a=python3 train.py 0", "--command", "b=python3 train.py 5", "--env-seed",
                       "--read", "score:higher", "--pairs", "6", "--seed", "1", "--db", "log.db", "--json")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            verdict = json.loads(call("compare", "log.db", "--json").stdout)
            self.assertEqual(verdict["direction"], "higher")
            report = json.loads(call("report", "log.db", "--format", "json", "-o", "-").stdout)
            self.assertIn('"score"', json.dumps(report["curves"]))
            steps = {row[1] for row in report["curves"][0]["rows"]}
            self.assertEqual(steps, {1, 2, 3})


if __name__ == "__main__":
    unittest.main()
