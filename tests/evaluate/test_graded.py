"""Real submissions through real workers: each case is called and judged on its own."""

from collections import Counter
from dataclasses import replace

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, CaseState, Correct, Reason, Rejected, Wrong
from kernelbenchx.core.scopes import Scope, find_scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import cases_of, drawn_cases
from kernelbenchx.evaluate.pipeline import Pipeline

HEAD = """import os
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, tl.where(v < 0, 0.0, v), mask=at < n)


def relu(input, inplace=False):
"""
REST = """
    x = input.contiguous()
    y = torch.empty_like(x)
    if n := x.numel():
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return input.copy_(y) if inplace else y
"""
TASK = "activation/relu"


def one_shape(pipeline: Pipeline) -> tuple[int, ...]:
    """Of a single case of the run, which needs layout alone."""
    cases = cases_of(TASK, pipeline.seed)
    shapes = Counter(case.params["shape"] for case in cases)
    alone = [case for case in cases if set(case.needs or ()) == {Scope.LAYOUT}]
    shape: tuple[int, ...] = next(
        case.params["shape"] for case in alone if shapes[case.params["shape"]] == 1
    )
    return shape


def evaluated(pipeline: Pipeline, body: str, rest: str = REST, **settings: object) -> Evaluation:
    changed = msgspec.structs.replace(pipeline.settings, **settings)
    other = replace(pipeline, workers=replace(pipeline.workers, settings=changed))
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + rest
    return other.evaluate(Submission(name="s", task=TASK, source=source))


def failed(one: Evaluation) -> dict[str, tuple[int, int]]:
    return {each.scope.value: (each.failed, each.total) for each in one.scopes if each.failed}


def test_a_right_submission_passes_every_scope(pipeline: Pipeline) -> None:
    one = evaluated(pipeline, "")
    assert isinstance(one.outcome, Correct) and one.core_correct and one.pattern == ""
    asked = {find_scope(case.needs or ()) for case in cases_of(TASK, pipeline.seed)}
    assert {each.scope for each in one.scopes} == asked > {Scope.CORE, Scope.LAYOUT}


def test_raising_on_strided_inputs_leaves_other_cases_judged(pipeline: Pipeline) -> None:
    one = evaluated(pipeline, "if not input.is_contiguous():\n    raise RuntimeError('no view')")
    assert isinstance(one.outcome, Broken) and one.outcome.reason is Reason.RUNTIME_ERROR
    drawn = {each.case.name: each.call for each in drawn_cases(TASK, pipeline.seed)}
    strided = {name for name, call in drawn.items() if not call.args[0].is_contiguous()}
    assert one.outcome.case in strided and one.core_correct is True
    broken = {each.case for each in one.cases if each.state is CaseState.BROKEN}
    passed = {each.case for each in one.cases if each.state is CaseState.PASSED}
    assert broken == strided and passed == set(drawn) - strided
    assert {"layout"} <= set(failed(one)) <= {"layout", "combined"}
    assert f"{len(passed)} of {len(drawn)} cases pass" in one.pattern
    assert "all with input not contiguous" in one.pattern
    assert one.pattern.endswith("RuntimeError: no view (line 16)")


def test_passing_only_the_core_is_said(pipeline: Pipeline) -> None:
    rest = REST.replace("return input.copy_(y) if inplace else y", "return y")
    one = evaluated(pipeline, "if input.dim() == 0:\n    return input", rest)
    assert isinstance(one.outcome, Wrong)
    assert one.core_correct is True and set(failed(one)) >= {"layout", "degenerate"}


def test_a_wrong_core_is_not_hidden_by_the_rest(pipeline: Pipeline) -> None:
    rest = REST.replace("x, y, n, BLOCK", "x, y, n - (x.dtype == torch.float16), BLOCK")
    one = evaluated(pipeline, "", rest)
    assert isinstance(one.outcome, Wrong) and one.core_correct is False
    assert "all with dtype float16" in one.pattern


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("os.abort()", Reason.CRASH),
        ("os._exit(3)", Reason.EXIT),
        ("os._exit(0)", Reason.MALFORMED),
        ("while True: pass", Reason.TIMEOUT),
    ],
)
def test_a_process_that_ends_in_one_case_is_judged_on_the_others(
    pipeline: Pipeline, end: str, reason: Reason
) -> None:
    shape = one_shape(pipeline)
    one = evaluated(pipeline, f"if input.shape == {shape}:\n    {end}", checks=False, wall_s=4.0)
    assert isinstance(one.outcome, Broken) and one.outcome.reason is reason
    assert one.outcome.case.startswith(f"shape={shape}".replace(" ", ""))
    states = {each.case: each.state for each in one.cases}
    assert states.pop(one.outcome.case) is CaseState.BROKEN
    assert set(states.values()) == {CaseState.PASSED}
    assert one.core_correct is True and failed(one) == {"layout": (1, failed(one)["layout"][1])}


def test_a_process_that_ends_in_many_cases_leaves_others_unreached(
    pipeline: Pipeline,
) -> None:
    one = evaluated(pipeline, "if input.dim() == 2:\n    os._exit(3)", checks=False)
    assert isinstance(one.outcome, Broken)
    states = Counter(each.state for each in one.cases)
    assert states == {CaseState.BROKEN: 2, CaseState.NOT_REACHED: len(one.cases) - 2}
    assert one.core_correct is False


def test_breaking_a_case_does_not_hide_that_torch_computed(pipeline: Pipeline) -> None:
    """Torch answers all cases but one, in which the process ends."""
    torch_alone = "\n    y = input.clamp(min=0)\n    return input.copy_(y) if inplace else y\n"
    for end in ("os._exit(3)", "raise RuntimeError('no')"):
        broken = f"if input.shape == {one_shape(pipeline)}:\n    {end}"
        one = evaluated(pipeline, broken, torch_alone, checks=False)
        assert isinstance(one.outcome, Rejected) and one.core_correct is False


def test_ending_without_kernels_gains_nothing(pipeline: Pipeline) -> None:
    """A decoy is launched for a flag; without the flag the process ends instead of telling."""
    decoy = """
    flag = torch.full((256,), -1.0)
    kernel[(1,)](flag, flag, 256, BLOCK=256)
    if flag[0].item() != 0.0:
        os._exit(3)
    y = input.clamp(min=0)
    return input.copy_(y) if inplace else y
"""
    one = evaluated(pipeline, "", decoy, checks=False)
    assert not isinstance(one.outcome, Correct) or one.composition.value == "mixed"


def test_a_form_that_does_not_compile_breaks_the_cases_that_launch_it(pipeline: Pipeline) -> None:
    source = HEAD.replace("BLOCK: tl.constexpr", "HALF: tl.constexpr, BLOCK: tl.constexpr")
    branch = "    if HALF:\n        for _ in range(2):\n            v += 0.0\n            break\n"
    source = source.replace("    tl.store", branch + "    tl.store")
    rest = REST.replace("BLOCK=256", "HALF=x.dtype == torch.float16, BLOCK=256")
    submission = Submission(name="s", task=TASK, source=source + rest)
    one = pipeline.evaluate(submission)
    assert isinstance(one.outcome, Broken) and one.outcome.reason is Reason.COMPILE_ERROR
    for each in one.cases:
        half = "dtype=float16" in each.case and "(0," not in each.case and ",0)" not in each.case
        assert each.state is (CaseState.BROKEN if half else CaseState.PASSED), each
    assert "all with dtype float16" in one.pattern


def test_every_case_has_its_needs(pipeline: Pipeline) -> None:
    one = evaluated(pipeline, "")
    assert sum(each.total for each in one.scopes) == len(one.cases)
    assert any(find_scope(each.needs or ()) is Scope.COMBINED for each in one.cases)
