"""Masked loads without `other`: zeros decide and the load is named; what cannot be interpreted."""

from dataclasses import replace

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Stage, Void, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import undefined_lanes
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.runner.orders import WorkerReport

SOURCE = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n{other})
    BODY
    tl.store(y + at, tl.where(v < 0, 0.0, v), mask=at < n)


def relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        kernel[(triton.cdiv(n, {block}),)](x, y, n, BLOCK={block})
    return input.copy_(y) if inplace else y
"""
SUM = "v += tl.sum(tl.where(at < n, 0.0, v.to(tl.float32)), axis=0)"
"""Adds what lies in lanes that are masked off."""
LOAD_LINE = 9


def _source(body: str, *, other: str = "", block: int = 256) -> str:
    return SOURCE.replace("BODY", body).format(other=other, block=block)


def _evaluate(pipeline: Pipeline, source: str, **settings: object) -> Evaluation:
    changed = msgspec.structs.replace(pipeline.settings, **settings)
    other = replace(pipeline, workers=replace(pipeline.workers, settings=changed))
    return other.evaluate(Submission(name="s", task="activation/relu", source=source))


def test_who_is_right_with_zeros_is_correct_and_the_load_is_named(pipeline: Pipeline) -> None:
    evaluation = _evaluate(pipeline, _source(SUM))
    assert isinstance(evaluation.outcome, Correct)
    (flag,) = [flag for flag in evaluation.flags if "without other" in flag]
    assert f"kernel kernel, line {LOAD_LINE}" in flag
    assert all(kernel.ok for kernel in evaluation.kernels) and evaluation.kernels


def test_who_says_what_lanes_hold_has_no_flag(pipeline: Pipeline) -> None:
    evaluation = _evaluate(pipeline, _source(SUM, other=", other=0.0"))
    assert isinstance(evaluation.outcome, Correct)
    assert evaluation.flags == ()


LOOP = """length = tl.load(x + tl.arange(0, 1), mask=tl.arange(0, 1) < 0)
    count = tl.sum(tl.where(length == 0, 0, 1 << 30), axis=0)
    while count > 0:
        count -= 1"""


@pytest.mark.slow
def test_who_never_ends_beside_poison_alone_is_correct(pipeline: Pipeline) -> None:
    """Poison is NaN, and no number of steps: a loop over it has no end."""
    source = _source(LOOP, other=", other=0.0")
    evaluation = _evaluate(pipeline, source, wall_s=2.0)
    assert isinstance(evaluation.outcome, Correct)
    assert any("without other" in flag for flag in evaluation.flags)


@pytest.mark.parametrize(
    "body",
    [
        f"{SUM}; v += tl.where(at == 7, 1.0, 0.0)",
        # Right beside poison only: NaN differs from itself, zero does not.
        "v += tl.sum(tl.where((at >= n) & (v == v), 1.0, 0.0), axis=0)",
    ],
)
def test_zeros_excuse_nothing_else(pipeline: Pipeline, body: str) -> None:
    evaluation = _evaluate(pipeline, _source(body))
    assert isinstance(evaluation.outcome, Wrong)
    assert evaluation.outcome.reason is Reason.BAD_VALUES
    assert not any("masked load" in flag for flag in evaluation.flags), "zeros changed nothing"


ASM = 'v = tl.inline_asm_elementwise("{} $0, $1;", "=r,r", [v.to(tl.int32)], tl.int32, True, 1)'


def test_what_cannot_be_interpreted_is_void_where_it_compiles(pipeline: Pipeline) -> None:
    evaluation = _evaluate(pipeline, _source(ASM.replace("{}", "mov.b32"), other=", other=0.0"))
    assert isinstance(evaluation.outcome, Void)
    assert evaluation.outcome.reason is Reason.NOT_INTERPRETABLE
    assert "inline assembly" in evaluation.outcome.detail
    assert evaluation.kernels and all(kernel.ok for kernel in evaluation.kernels)


def test_what_does_not_compile_is_broken_though_it_cannot_be_interpreted(
    pipeline: Pipeline,
) -> None:
    evaluation = _evaluate(pipeline, _source(ASM.replace("{}", "no.such"), other=", other=0.0"))
    assert isinstance(evaluation.outcome, Broken)
    assert evaluation.outcome.reason is Reason.COMPILE_ERROR


SLOW = """for _ in range(4000):
        v += 0.0"""
ENDLESS = """while tl.load(x) * 0.0 == 0.0:
        v += 0.0"""


@pytest.mark.slow
def test_many_slow_programs_are_void_and_one_without_end_is_broken(pipeline: Pipeline) -> None:
    slow = _evaluate(pipeline, _source(SLOW, other=", other=0.0", block=4), wall_s=1.0)
    assert isinstance(slow.outcome, Void)
    assert slow.outcome.reason is Reason.TOO_SLOW
    endless = _evaluate(pipeline, _source(ENDLESS, other=", other=0.0"), wall_s=1.0)
    assert isinstance(endless.outcome, Broken)
    assert endless.outcome.reason is Reason.TIMEOUT


def _report(*lines: int) -> WorkerReport:
    loads = [{"kernel": "k", "line": line} for line in lines]
    return WorkerReport(traces={0: {"undefined_loads": loads}})


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Wrong(case="c", reason=Reason.BAD_VALUES, detail=""), True),
        (Broken(stage=Stage.CALL, reason=Reason.OUT_OF_BOUNDS, detail=""), True),
        (Broken(stage=Stage.CALL, reason=Reason.COMPILE_ERROR, detail=""), False),
        (Correct(cases=1, worst=0.0), False),
        (Void(reason=Reason.EVALUATOR, detail=""), False),
    ],
)
def test_only_values_are_tried_again(outcome: Outcome, expected: bool) -> None:
    assert undefined_lanes.may_decide_outcome(outcome, CallResults(_report(3))) is expected
    assert (
        undefined_lanes.may_decide_outcome(outcome, CallResults(_report(), undefined=True))
        is expected
    )
    assert not undefined_lanes.may_decide_outcome(outcome, CallResults(_report()))


def test_of_many_loads_some_are_named() -> None:
    flags = undefined_lanes.describe_loads(_report(*range(1, 9)))
    assert len(flags) == 6
    assert "line 1" in flags[0]
    assert "3 more" in flags[-1]
