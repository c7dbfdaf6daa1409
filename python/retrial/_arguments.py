"""What a caller of the statistics gives, as plain numbers; else a ValueError of one line with field and value."""

import difflib
import operator
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

Scores = Iterable[float]
TaskTable = Union[Mapping[Any, Scores], Sequence[Sequence[float]]]


def refuse(problem: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} = {value}: {problem}")


def unknown(field: str, value: Any, allowed: List[str]) -> ValueError:
    near = difflib.get_close_matches(str(value), allowed, n=1)
    return ValueError(f"{field} = {value}: is unknown (allowed: {', '.join(allowed)})"
                      + (f"; did you mean {near[0]}?" if near else ""))  # fmt: skip


def number(field: str, value: Any) -> float:
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise ValueError(f"{field} = {value!r}: is not a number")


def integer(field: str, value: Any, at_least: int = -(2**63)) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{field} = {value!r}: is not an integer") from None
    if not at_least <= number < 2**63:
        raise ValueError(f"{field} = {number}: out of range (allowed: {at_least} to 2^63 - 1)")
    return number


def seed_number(seed: Optional[int]) -> Optional[int]:
    if seed is None:
        return None
    try:
        number = operator.index(seed)
    except TypeError:
        raise ValueError(f"seed = {seed!r}: is not an integer") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"seed = {number}: out of range (allowed: 0 to 2^64 - 1)")
    return number


def numbers(field: str, values: Scores) -> List[float]:
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        raise ValueError(f"{field}: has {dimensions} dimensions (allowed: one, with a score for each run)")
    if isinstance(values, (str, bytes, Mapping)):
        raise ValueError(f"{field}: is not a list of numbers")
    try:
        listed = list(values)
    except TypeError:
        raise ValueError(f"{field} = {values!r}: is not a list of numbers") from None
    return [number(f"{field}[{i}]", value) for i, value in enumerate(listed)]


def tasks(field: str, table: TaskTable) -> Dict[Any, List[float]]:
    """The scores of each task by its name, or by the number of its column."""
    if isinstance(table, Mapping):
        return {task: numbers(f"{field}[{task!r}]", scores) for task, scores in table.items()}
    if getattr(table, "ndim", 2) != 2:
        raise ValueError(f"{field}: has {table.ndim} dimensions (allowed: two, a row for each run, a column for each task)")
    rows = [numbers(f"{field}[{run}]", row) for run, row in enumerate(table)]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"{field}: has rows of different lengths; give tasks with unequal runs as {{task: scores}}")
    return dict(enumerate(map(list, zip(*rows))))
