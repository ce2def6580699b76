"""A task's space and its fixed calls, as a person reads them."""

from dataclasses import replace

from kernelbenchx import catalog
from kernelbenchx.cli.task_space import case_lines, space_lines
from kernelbenchx.spec import Task, case
from kernelbenchx.spec.space import PARTS


def test_every_axis_option_and_corner_is_printed() -> None:
    task: Task = catalog.load("activation/gelu")
    assert task.space is not None
    lines = list(space_lines(task))
    for axis in task.space.axes:
        assert f"{axis.name}:" in lines
        for option in axis.options:
            scopes = ", ".join(sorted(option.needs)) or "core"
            (line,) = [
                one
                for one in lines[lines.index(f"{axis.name}:") + 1 :][: len(axis.options)]
                if one.startswith((f"  {option.name} ", f"  {option.name},"))
            ]
            assert line.endswith(f"({scopes})")
    (huge,) = [at for at, one in enumerate(lines) if "huge call" in one]
    assert len(lines[lines.index("and the same 7 corners in every run:") + 1 : huge]) == 7
    assert lines[-1] == "  shape=(2147487748,),dtype=float16"
    assert "  vector, drawn for each call, such as (" in "\n".join(lines)
    assert PARTS == 5  # as the text says


def test_a_task_without_a_huge_call_names_none() -> None:
    assert "huge" not in "\n".join(space_lines(catalog.load("matrix_multiply/addmm")))


def test_corners_and_timings_are_listed_and_drawn_calls_are_not() -> None:
    task: Task = catalog.load("activation/gelu")
    assert task.space is not None
    lines = list(case_lines(task))
    at = lines.index("timings:")
    assert lines[0] == "corners:" and len(lines[1:at]) == len(task.space.corners)
    assert lines[at + 1 : -1] == [f"  {one.name}" for one in task.timings]
    drawn = [one.name for one in task.cases(0) if not one.corner]
    assert drawn and not {f"  {name}" for name in drawn} & set(lines)


def test_a_task_without_a_space_says_so() -> None:
    task: Task = replace(catalog.load("activation/gelu"), space=None, checks=case(shape=(3,)))
    assert list(space_lines(task)) == [
        "no space: every run makes the same calls, which --cases lists"
    ]
    assert "  shape=(3,)" in list(case_lines(task))
