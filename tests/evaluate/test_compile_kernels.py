"""What is judged is what compiles: every form of launch, and the compiler's own words."""

import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Void
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import compile_kernels, launch_forms
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.workers import WorkerRun

SOURCE = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, HALF: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, tl.where(v < 0, 0.0, v), mask=at < n)


def relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    if n := x.numel():
        kernel[(triton.cdiv(n, 64),)](x, y, n, HALF=x.dtype == torch.float16, BLOCK=64)
    return input.copy_(y) if inplace else y
"""
LOADED = "    v = tl.load(x + at, mask=at < n, other=0.0)\n"


def evaluated(pipeline: Pipeline, source: str, **settings: Any) -> tuple[Outcome, list[str]]:
    changed = msgspec.structs.replace(pipeline.settings, **settings)
    other = replace(pipeline, workers=replace(pipeline.workers, settings=changed))
    found = other.evaluate(Submission(name="s", task="activation/relu", source=source))
    return found.outcome, list(found.flags)


def refused(pipeline: Pipeline, source: str, **settings: Any) -> Broken:
    outcome, _ = evaluated(pipeline, source, **settings)
    assert isinstance(outcome, Broken), outcome
    return outcome


@pytest.mark.slow
def test_a_kernel_that_compiles_in_every_form_is_correct(pipeline: Pipeline) -> None:
    outcome, flags = evaluated(pipeline, SOURCE)
    assert isinstance(outcome, Correct) and flags == []


def test_a_branch_of_one_dtype_that_does_not_compile_is_a_compile_error(
    pipeline: Pipeline,
) -> None:
    branch = "    if HALF:\n        for _ in range(2):\n            v += 0.0\n            break\n"
    outcome = refused(pipeline, SOURCE.replace(LOADED, LOADED + branch))
    assert outcome.reason is Reason.COMPILE_ERROR and outcome.line == 13
    assert "Break" in outcome.detail


def test_each_dtype_that_does_not_compile_has_its_own_message(pipeline: Pipeline) -> None:
    source = SOURCE.replace(LOADED, LOADED + "    v = tl.log(tl.exp(v))\n")
    found = pipeline.evaluate(Submission(name="s", task="activation/relu", source=source))
    said = {
        re.sub(r".*dtype=(\w+).*but got (\w+)$", r"\1 \2", f"{case.case} {case.detail}")
        for case in found.cases
        if case.state == "broken"
    }
    assert said == {"float16 fp16", "bfloat16 bf16"}
    assert any(case.state == "passed" for case in found.cases if "=float32" in case.case)


ASKS = SOURCE.replace(
    "        kernel[(triton",
    """        made = kernel.warmup(x, y, n, HALF=x.dtype == torch.float16, BLOCK=64, grid=(1,))
        made._init_handles()
        assert made.n_regs > 0
        fits = 200000 // made.metadata.shared
        kernel[(triton""",
)
"""Divides by the shared memory of a kernel that needs none."""


@pytest.mark.slow
def test_a_wrapper_that_asks_what_a_kernel_needs_is_told_by_the_compiler(
    pipeline: Pipeline,
) -> None:
    outcome = refused(pipeline, ASKS)
    assert outcome.reason is Reason.RUNTIME_ERROR and "ZeroDivisionError" in outcome.detail
    careful = ASKS.replace("made.metadata.shared", "(made.metadata.shared + 1)")
    accepted, flags = evaluated(pipeline, careful)
    assert isinstance(accepted, Correct) and flags == []
    accepted, flags = evaluated(pipeline, ASKS, compile=False)
    assert isinstance(accepted, Correct)
    assert flags == ["registers and shared memory of kernel are a guess, and the wrapper read them"]


@pytest.mark.parametrize("compiles", [True, False])
def test_a_name_that_triton_does_not_have_is_a_compile_error_at_its_line(
    pipeline: Pipeline, compiles: bool
) -> None:
    outcome = refused(pipeline, SOURCE.replace("v = tl.load", "v = tl.lod"), compile=compiles)
    assert (outcome.reason, outcome.line) == (Reason.COMPILE_ERROR, 9)
    assert "module 'triton.language' has no attribute 'lod'" in outcome.detail


@pytest.mark.slow
@pytest.mark.parametrize("compiles", [True, False])
def test_an_integer_of_one_is_a_constant_for_interpreter_and_compiler(
    pipeline: Pipeline, compiles: bool
) -> None:
    outcome = refused(pipeline, SOURCE.replace("at < n,", "at < n.to(tl.int64),"), compile=compiles)
    assert (outcome.reason, outcome.line) == (Reason.COMPILE_ERROR, 9)
    assert "no attribute 'to'" in outcome.detail


def test_what_an_interpreter_says_of_itself_is_said_by_the_compiler(pipeline: Pipeline) -> None:
    outcome = refused(pipeline, SOURCE.replace("where(v < 0", "where(v < x.to(tl.float32)"))
    assert (outcome.reason, outcome.line) == (Reason.COMPILE_ERROR, 10)
    assert "cannot cast" in outcome.detail and not re.search(r"\d{6}", outcome.detail)


@pytest.mark.slow
def test_a_kernel_that_only_the_wrapper_can_find_is_compiled_where_it_is_launched(
    pipeline: Pipeline,
) -> None:
    before, mark, after = SOURCE.partition("@triton.jit")
    body, _, wrapper = (mark + after).partition("\n\n\ndef relu")
    hidden = "def made():\n" + "\n".join(f"    {line}" for line in body.splitlines())
    source = before + hidden + "\n\n    return kernel\n\n\ndef relu" + wrapper
    source = source.replace("    x = input", "    kernel = made()\n    x = input")
    assert isinstance(evaluated(pipeline, source, checks=False)[0], Correct)
    broken = source.replace("v = tl.load(x", "v = tl.lod(x")
    assert refused(pipeline, broken, checks=False).reason is Reason.COMPILE_ERROR


@pytest.mark.slow
def test_of_too_many_forms_some_are_left_out_and_a_flag_says_so(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch_forms, "MOST_COMBINATIONS", 1)
    monkeypatch.setattr(launch_forms, "MOST_FORMS", 2)
    outcome, flags = evaluated(pipeline, SOURCE)
    assert isinstance(outcome, Correct)
    assert any(flag.startswith("not all forms were compiled") for flag in flags)


@pytest.mark.slow
def test_forms_that_take_too_long_leave_no_verdict(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = compile_kernels._read_trace

    def nothing_was_reached(run: WorkerRun) -> dict[str, Any]:
        return {**original(run), "kernels": [], "left_out": 1}

    monkeypatch.setattr(compile_kernels, "_read_trace", nothing_was_reached)
    outcome, _ = evaluated(pipeline, SOURCE)
    assert isinstance(outcome, Void) and outcome.reason is Reason.TOO_SLOW
