"""Tasks of the family `binary` that take other dtypes, or fewer kinds of operands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kernelbenchx.spec.families.axes import without
from kernelbenchx.spec.families.operands import NUMBERS, is_valid
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Chosen, Space
from kernelbenchx.spec.task import Task


def binary_variant(  # noqa: PLR0913 - a form to fill in
    task: Task,
    *,
    axes: Sequence[Axis],
    corners: Sequence[Chosen],
    dropped: Sequence[str] = (),
    promises: Sequence[Promise] = (),
    numbers: bool = True,
    valid: Callable[[Chosen], bool] = is_valid,
    **fields: Any,
) -> Task:
    """The task with these `axes` in place of those with the same name, and its own `corners`.

    `dropped`: how promises begin that do not hold; `promises` come after the others. Without
    `numbers` the second operand is a tensor in every call. `fields`: of `Task`.
    """
    assert task.space is not None
    known: Mapping[str, Axis] = {axis.name: axis for axis in axes}
    unknown = set(known) - set(task.space.by_name)
    if unknown:
        raise ValueError(f"no axis is called {', '.join(sorted(unknown))}")
    if not numbers:
        dropped = (*dropped, "`other` is a tensor or a number")
    idle = [word for word in dropped if not any(_begins(one, word) for one in task.promises)]
    if idle:
        raise ValueError(f"no promise begins with {idle[0]!r}")
    kept = (one for one in task.promises if not any(_begins(one, word) for word in dropped))
    less = () if numbers else NUMBERS
    return replace(
        task,
        space=Space(
            tuple(without(known.get(one.name, one), *less) for one in task.space.axes),
            valid=valid,
            corners=tuple(corners),
        ),
        promises=(*kept, *promises),
        **fields,
    )


def _begins(promise: Promise, word: str) -> bool:
    return promise.text.startswith(word)
