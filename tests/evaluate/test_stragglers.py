"""Kernels that never end, in real workers: they cost the others little, and have their verdict."""

from pathlib import Path

import pytest

from kernelbenchx import Evaluator
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core import time_limit
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, CaseState, Correct, Reason
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import slot_scheduler, time_limits

RELU = witness_source("activation/relu")
SPINS = """
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, flag, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    while tl.load(flag) == 0:
        pass
    tl.store(y + at, tl.load(x + at, mask=at < n, other=0.0), mask=at < n)


def relu(input, inplace=False):
    y = torch.empty_like(input)
    flag = torch.zeros((1,), dtype=torch.int32, device=input.device)
    kernel[(1,)](input, y, flag, input.numel(), BLOCK=1024)
    return y
"""


class _Order:
    """Remembers the order of verdicts."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self, total: int, finished: int) -> None:
        """Not of interest."""

    def stage(self, submission: str, stage: str) -> None:
        """Not of interest."""

    def done(self, evaluation: Evaluation) -> None:
        self.names.append(evaluation.submission)


def _submissions(spinning: int, honest: int) -> list[Submission]:
    sources = [SPINS] * spinning + [RELU] * honest
    return [
        Submission(name=f"s{n}", task="activation/relu", source=f"{source}\nNUMBER = {n}\n")
        for n, source in enumerate(sources)
    ]


def _is_timeout(one: Evaluation, said: str) -> bool:
    outcome = one.outcome
    if not isinstance(outcome, Broken) or outcome.reason is not Reason.TIMEOUT:
        return False
    return said in outcome.detail


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_a_call_is_ended_by_its_own_limit_and_the_rest_of_it_comes_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_limit, "LEAST_S", 0.5)
    monkeypatch.setattr(time_limits, "LEAST_S", 0.5)
    order = _Order()
    with Evaluator(device="interpreter", jobs=1, seed=1, out=tmp_path, compile=False) as evaluator:
        found = list(evaluator.map(_submissions(1, 2), watcher=order))
        noted = evaluator.session.database.read_note("time_limit activation/relu")
    assert order.names == ["s1", "s2", "s0"], "the others did not wait for it"
    assert _is_timeout(found[0], f"a call did not finish within the CPU time limit of {noted} s")
    assert 0.5 <= float(noted) < 60.0
    ended = [one for one in found[0].cases if one.state is CaseState.BROKEN]
    assert len(ended) >= 2, "a second process made other calls and was ended, too"
    assert all(isinstance(one.outcome, Correct) for one in found[1:])
    with Evaluator(device="interpreter", jobs=1, seed=1, out=tmp_path, compile=False) as evaluator:
        again = list(evaluator.map(_submissions(1, 2)))
    assert again == found


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_what_runs_long_in_more_than_half_of_the_slots_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slot_scheduler, "LONG_S", 0.2)
    ended: list[bool] = []
    real = slot_scheduler.Turn.end

    def end(turn: slot_scheduler.Turn) -> bool:
        ended.append(real(turn))
        return ended[-1]

    monkeypatch.setattr(slot_scheduler.Turn, "end", end)
    order = _Order()
    options = {"device": "interpreter", "jobs": 2, "seed": 1, "compile": False}
    with Evaluator(time_limit_s=1.5, **options) as evaluator:  # type: ignore[arg-type]
        found = list(evaluator.map(_submissions(2, 1), watcher=order))
    assert ended.count(True) == 1
    assert order.names[0] == "s2"
    assert all(_is_timeout(one, "CPU time limit of 1.5 s") for one in found[:2])
    assert isinstance(found[2].outcome, Correct)
