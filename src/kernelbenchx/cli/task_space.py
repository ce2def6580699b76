"""A task's space and its fixed calls, as lines."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kernelbenchx.cli.number_format import format_count
from kernelbenchx.spec.space import PARTS, FreshValue

if TYPE_CHECKING:
    from kernelbenchx.spec.space import Option, Space
    from kernelbenchx.spec.task import Task


def case_lines(task: "Task") -> Iterator[str]:
    """Calls that are the same in every run, and those that are timed."""
    fixed = [case for case in task.cases(0) if case.corner]
    for label, group in (("corners", fixed), ("timings", task.timings)):
        yield f"{label}:"
        for case in group:
            yield f"  {case.name}"
    if task.space is not None:
        yield f"beside them each run draws about {task.space.calls} calls: --space"


def space_lines(task: "Task") -> Iterator[str]:
    """Every axis with its options, the corners, and the call beyond 2^31 elements."""
    space = task.space
    if space is None:
        yield "no space: every run makes the same calls, which --cases lists"
        return
    examples = _examples(space)
    for axis in space.axes:
        yield f"{axis.name}:"
        for option in axis.options:
            yield f"  {option.name}{_value(option, examples.get((axis.name, option.name)))}"
    pairs = len(space.possible_pairs())
    yield f"a run draws about {space.calls} calls; five seeds in a row make all {pairs} pairs"
    yield f"and the same {format_count(len(space.corners), 'corner')} in every run:"
    yield from (f"  {_describe_corner(corner)}" for corner in space.corners)
    if task.huge is not None:
        yield "on a GPU with the memory, --stage perf also judges slices of one huge call:"
        yield f"  {task.huge.case().name}"


def _examples(space: "Space") -> dict[tuple[str, str], Any]:
    """A value for each option, from the first seed that calls it."""
    found: dict[tuple[str, str], Any] = {}
    for seed in range(PARTS):
        for case in space.cases(seed):
            for axis, option in case.options.items():
                found.setdefault((axis, option), case.params.get(axis))
    return found


def _value(option: "Option", example: Any) -> str:
    """What it stands for, and the scopes that a call with it asks about."""
    scopes = ", ".join(sorted(option.needs)) or "core"
    said = str(example).removeprefix("torch.")
    if example in (None, "") or said == option.name:
        return f" ({scopes})"
    word = ", drawn for each call, such as" if isinstance(option.value, FreshValue) else " ="
    return f"{word} {said} ({scopes})"


def _describe_corner(corner: Mapping[str, Any]) -> str:
    return ", ".join(f"{axis}: {option}" for axis, option in corner.items()) or "all first options"
