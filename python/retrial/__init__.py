"""Two lines for a program that retrial puts on trial; without retrial they do nothing.

    import retrial
    random.seed(retrial.seed())            # the seed of this trial; 0 outside of one
    retrial.log(accuracy=0.91, step=3)     # a point of a learning curve

retrial starts the program and tells it by its environment where to write:

    retrial run --command a='python3 train.py' --command b='python3 train.py --lr 0.5' \\
                --env-seed --read accuracy:higher --pairs 20

This file needs Python 3.8 and nothing else. It may be copied next to a program instead of being installed.

The installed package has the statistics too, where its compiled part was made for this Python: compare, power,
pilot_power, aggregate, audit and tests (help(retrial.compare)).
"""

import json
import operator
import os
from typing import Any, Dict, List, Optional

__all__ = ["log", "seed"]

_STATISTICS = ("aggregate", "audit", "compare", "pilot_power", "power", "tests")


def __getattr__(name: str) -> Any:
    """Load the statistics when one of them is first used: a program on trial does not pay for them."""
    if name not in _STATISTICS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from . import statistics
    except ImportError as problem:
        raise ImportError(f"retrial.{name}: this copy of retrial is the one file; install the package") from problem
    return getattr(statistics, name)


def __dir__() -> List[str]:
    return sorted({*globals(), *_STATISTICS})


def seed(source: str = "seed", default: int = 0) -> int:
    """Return the seed of a source of variation: 31 bits, as NumPy, PyTorch and random.seed take it.

    `source` is "seed" for a program with one seed, or a name such as "init" or "data-order" where several vary
    independently (`retrial run --env-seed init,data-order`). Outside of a trial this is `default`. Inside of one, a
    source without a seed is an error (RuntimeError): the program would not be the one that the study describes.
    """
    name = "TRIAL_SEED" if source == "seed" else "TRIAL_SEED_" + source.upper().replace("-", "_")
    value = os.environ.get(name)
    if value is not None:
        return int(value)
    if "TRIAL_OUT" not in os.environ:
        return default
    raise RuntimeError(
        f"this trial has no seed for {source!r}: {name} is not set; add --env-seed {source} to retrial run"
    )


def log(*, step: Optional[int] = None, epoch: Optional[int] = None, **metrics: Any) -> None:
    """Record numbers by name: a point of a learning curve with `step` or `epoch`, else a final value.

    The last value of a metric is its final one. A metric is a number or what float() takes: a NumPy scalar, a tensor of
    one element. Names that are no Python names go in a dictionary: `log(step=3, **{"val/loss": 0.4})`.

    Inside of a trial this appends a line of JSON to the file that TRIAL_LOG names. Outside of one it does nothing;
    with TRIAL_LOG=- in the environment it prints the line. In a program of several processes, only one may log.
    """
    target = os.environ.get("TRIAL_LOG", "")
    if not target:
        return
    line = _line(step, epoch, metrics)
    if target == "-":
        print(line, flush=True)
        return
    with open(target, "a", encoding="utf-8") as file:
        file.write(line + "\n")


def _line(step: Optional[int], epoch: Optional[int], metrics: Dict[str, Any]) -> str:
    """Return one line of JSON; NaN and Infinity are written as Python writes them."""
    record: Dict[str, Any] = {}
    for name, value in (("step", step), ("epoch", epoch)):
        if value is not None:
            record[name] = operator.index(value)
    for name, value in metrics.items():
        if isinstance(value, (str, bytes)):
            raise TypeError(f"retrial.log: {name} is text, not a number: {value!r}")
        record[name] = float(value)
    return json.dumps(record)
