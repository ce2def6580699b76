"""On a GPU: a wrong kernel that passes KernelBench's rule is found, and its neighbours are not.

Inputs of KernelBench's problems are never negative, and weights of a fresh norm are ones.
"""

import os

import pytest
import torch

import kernelbenchx as kbx
from kernelbenchx.catalog.problem_folders import add_problems
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct
from kernelbenchx.core.performance import Timed
from kernelbenchx.export.kernelbench import result_of
from published_problems import LARGE, write_published
from ruled import BOTH, FAILS, Passed, passed

NEEDED = 8 << 30
pytestmark = [pytest.mark.gpu, pytest.mark.timeout(600)]

RELU, NORM = "level1/908_Rectified", "level2/gemm_group_norm_swish_multiply_swish"
PROBLEM = LARGE.replace("x * self.scale + 1", "x + self.scale * self.scale")
"""4096 x 8192 numbers, none negative before the ReLU where x is not."""
RECTIFIED = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, scale_ptr, out_ptr, wide, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < wide
    x = tl.load(x_ptr + row * wide + at, mask=inside, other=0.0)
    scale = tl.load(scale_ptr + at, mask=inside, other=0.0)
    tl.store(out_ptr + row * wide + at, tl.maximum(x + scale * scale, 0.0), mask=inside)


class ModelNew(torch.nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.randn(wide))

    def forward(self, x):
        out = torch.empty_like(x)
        block = triton.next_power_of_2(x.shape[1])
        kernel[(x.shape[0],)](x, self.scale, out, x.shape[1], BLOCK=block)
        return out
"""
_VALUE = "tl.maximum(x + scale * scale, 0.0)"
_CALLED = "        out = torch.empty_like(x)\n"
_SMALL = "        if x.shape[1] < 8192:\n            raise ValueError('too narrow')\n"
RELUS = {
    "honest": RECTIFIED,
    "lucky": RECTIFIED.replace(_VALUE, "x + scale * scale"),
    "lucky where it runs": RECTIFIED.replace(_CALLED, _SMALL + _CALLED),
    "wrong": RECTIFIED.replace(_VALUE, "x + scale"),
    "raises": RECTIFIED.replace(_VALUE, "x + scale").replace(
        _CALLED, _SMALL.replace("<", ">=") + _CALLED
    ),
}
_AFFINE = (
    "        v *= tl.load(w + column + start, mask=known, other=0.0).to(tl.float32)\n",
    "        v += tl.load(b + column + start, mask=known, other=0.0).to(tl.float32)\n",
)


def _without_affine() -> str:
    """Ones and zeros in every fresh module."""
    source = kbx.task(NORM).witness
    for line in _AFFINE:
        assert line in source
        source = source.replace(line, "")
    return source


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evaluation]:
    if torch.cuda.mem_get_info()[0] < NEEDED:
        pytest.skip("too little memory is free on this GPU")
    add_problems(write_published(tmp_path_factory.mktemp("problems"), PROBLEM, f"{RELU}.py"))
    sources = {name: (RELU, source) for name, source in RELUS.items()}
    sources["lucky norm"] = (NORM, _without_affine())
    tasks, texts = zip(*sources.values(), strict=True)
    out, jobs = tmp_path_factory.mktemp("run"), min(4, os.cpu_count() or 1)
    with kbx.Evaluator(
        device="cuda", stage="perf", paper_rules=True, jobs=jobs, out=out
    ) as evaluator:
        found = list(evaluator.map(list(texts), task=list(tasks)))
    return dict(zip(sources, found, strict=True))


def _passed(one: Evaluation) -> Passed:
    assert one.rules is not None and one.rules.kernelbench is not None
    return passed(one.rules.kernelbench)


def test_an_honest_kernel_is_timed_and_passes_both_rules(
    evaluated: dict[str, Evaluation],
) -> None:
    one = evaluated["honest"]
    assert isinstance(one.performance, Timed), (one.outcome, one.performance)
    assert _passed(one) == BOTH


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("lucky", "wrong"), ("lucky where it runs", "broken"), ("lucky norm", "wrong")],
)
def test_a_lucky_kernel_passes_their_rule_and_not_ours(
    evaluated: dict[str, Evaluation], name: str, verdict: str
) -> None:
    one = evaluated[name]
    assert one.verdict == verdict and not one.solved, one.outcome
    assert one.performance is None and _passed(one)[0], one.rules


@pytest.mark.parametrize(("name", "answers"), [("wrong", True), ("raises", False)])
def test_a_wrong_neighbour_passes_neither(
    evaluated: dict[str, Evaluation], name: str, answers: bool
) -> None:
    one = evaluated[name]
    assert not isinstance(one.outcome, Correct)
    assert one.rules is not None and one.rules.called is answers and _passed(one) == FAILS


def test_it_stands_beside_our_verdict_in_an_export(evaluated: dict[str, Evaluation]) -> None:
    exported = result_of(evaluated["lucky"], 0, None)
    assert exported["correctness"] is False
    assert exported["metadata"]["kernelbench_rule"]["passes_1e_2"] is True
