"""The judge on a small task that returns, fills `out` and updates a running value."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Task, call, grid
from kernelbenchx.spec.outputs import CallResult


def scaled(
    x: torch.Tensor, seen: torch.Tensor, factor: float = 2.0, out: torch.Tensor | None = None
) -> torch.Tensor:
    seen.add_(1)
    result = x * factor
    return result if out is None else out.copy_(result)


def inputs(draw: Draw, into: bool) -> Call:
    x = draw.normal((3, 5), torch.float32)
    wide = torch.zeros(3, 10)
    return call(x, torch.zeros(1), 3.0, out=wide[:, ::2] if into else None)


TASK = Task(
    reference=scaled,
    inputs=inputs,
    cost=lambda into: Cost(15, 120),  # noqa: ARG005
    contract=Close(),
    checks=grid(into=(False, True)),
    timings=grid(into=(False,)),
    mutants=(Mutant("nothing", lambda x: x),),
    dtypes=(torch.float32,),
    difficulty=1,
    writes=("seen", "out"),
)


def _judge(function: Any, *, into: bool = False, **change: Any) -> Passed | Wrong:
    case = TASK.checks[int(into)]
    drawn = TASK.draw(case, 7)
    arguments = drawn.copy()
    outputs = TASK.outputs(function, arguments)
    one = CallResult(
        result=function(*drawn.copy().args, **drawn.copy().kwargs),
        after=arguments,
        aliases=outputs.aliases,
    )
    return judge_case(TASK, case, drawn, [replace(one, **change)], "cuda")


def _reason(verdict: Passed | Wrong) -> Reason:
    assert isinstance(verdict, Wrong), verdict
    return verdict.reason


@pytest.mark.parametrize("into", [False, True])
def test_the_reference_itself_passes(into: bool) -> None:
    assert isinstance(_judge(scaled, into=into), Passed)


def test_a_wrong_value_names_case_element_and_numbers() -> None:
    def off(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> torch.Tensor:
        result = scaled(x, seen, factor, out)
        result[1, 2] += 1
        return result

    verdict = _judge(off)
    assert _reason(verdict) is Reason.BAD_VALUES
    assert isinstance(verdict, Wrong) and verdict.worst is not None
    assert verdict.worst.index == (1, 2)
    assert verdict.worst.bad == 1
    assert verdict.worst.error > 1000
    assert verdict.case == "into=False"


def test_a_declared_write_that_is_missing_is_wrong() -> None:
    def forgets(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        return scaled(x, seen.clone(), factor, out)

    verdict = _judge(forgets)
    assert _reason(verdict) is Reason.BAD_VALUES
    assert isinstance(verdict, Wrong) and verdict.worst is not None
    assert verdict.worst.output == "seen"
    assert verdict.pattern == "argument seen was not written"


def test_writing_an_undeclared_argument_is_wrong() -> None:
    def scribbles(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        result = scaled(x, seen, factor, out)
        x[0, 0] = 9
        return result

    verdict = _judge(scribbles)
    assert _reason(verdict) is Reason.INPUT_CHANGED
    assert isinstance(verdict, Wrong) and verdict.detail == "argument x was changed by the call"


def test_writing_between_the_elements_of_out_is_wrong() -> None:
    def spills(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        scaled(x, seen, factor, out)
        out.as_strided((3, 10), (10, 1)).add_(1)
        out.sub_(1)
        return out

    verdict = _judge(spills, into=True)
    assert _reason(verdict) is Reason.INPUT_CHANGED
    assert isinstance(verdict, Wrong)
    assert verdict.detail == "argument out was changed outside its elements"


def test_a_fresh_tensor_instead_of_out_is_wrong() -> None:
    def fresh(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        return scaled(x, seen, factor, out).clone()

    verdict = _judge(fresh, into=True)
    assert _reason(verdict) is Reason.BAD_ALIAS
    assert isinstance(verdict, Wrong)
    assert verdict.detail.startswith("argument out holds the result, but output 0 is another")


def test_an_argument_that_must_hold_the_result_is_judged_by_what_it_holds() -> None:
    def leaves(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        del out
        return scaled(x, seen, factor)

    def half(x: torch.Tensor, seen: torch.Tensor, factor: float, out: Any = None) -> Any:
        result = scaled(x, seen, factor)
        out[:2] = result[:2]
        return result

    for function, words in (
        (leaves, "argument out was not written"),
        (half, "zero in every wrong element"),
    ):
        verdict = _judge(function, into=True)
        assert _reason(verdict) is Reason.BAD_VALUES
        assert isinstance(verdict, Wrong) and verdict.worst is not None
        assert verdict.worst.output == "out" and verdict.pattern.startswith(words)


def test_an_output_inside_an_input_is_wrong() -> None:
    assert _reason(_judge(scaled, aliases=("x",))) is Reason.BAD_ALIAS


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (torch.zeros(3, 4), Reason.BAD_SHAPE),
        (torch.zeros(1, 5), Reason.BAD_SHAPE),
        (torch.zeros(3, 5, dtype=torch.float64), Reason.BAD_DTYPE),
        ((torch.zeros(3, 5), torch.zeros(1)), Reason.BAD_STRUCTURE),
        ([], Reason.BAD_STRUCTURE),
        (None, Reason.BAD_STRUCTURE),
        (1.0, Reason.BAD_STRUCTURE),
        (object(), Reason.BAD_STRUCTURE),
        (torch.full((3, 5), float("nan")), Reason.BAD_VALUES),
    ],
)
def test_structure_comes_before_values(result: Any, reason: Reason) -> None:
    assert _reason(_judge(scaled, result=result)) is reason


def test_another_layout_or_device_is_wrong() -> None:
    assert _reason(_judge(scaled, layouts=("torch.sparse_coo",))) is Reason.BAD_STRUCTURE
    assert _reason(_judge(scaled, devices=("meta",))) is Reason.BAD_DEVICE
    assert isinstance(_judge(scaled, devices=("cuda",), layouts=("torch.strided",)), Passed)
