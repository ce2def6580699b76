"""On the card: who breaks, hangs or fills it costs nobody else a verdict."""

from collections.abc import Iterator

import pytest
import torch

from kernelbenchx.attacks.canaries import HONEST
from kernelbenchx.core.outcome import Broken, CaseState, Correct, Outcome, Reason, Void
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.gpu_health import probe_gpu
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.session import RunSession, resolve_settings

pytestmark = pytest.mark.gpu

STORE = "tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)"
WILD = HONEST.replace("y_ptr + offsets, tl", "y_ptr + offsets + (1 << 40), tl")
SPINS = HONEST.replace(STORE, f"while tl.atomic_add(y_ptr, 0.0) != 1234.0:\n        {STORE}")
GREEDY = HONEST.replace("    x = input", "    torch.empty(1 << 42, device='cuda')\n    x = input")
ONE_WILD = (
    HONEST.replace("x_ptr, n, BLOCK: tl", "x_ptr, n, shift, BLOCK: tl")
    .replace("y_ptr + offsets, tl", "y_ptr + offsets + shift, tl")
    .replace("(y, x, n, BLOCK", "(y, x, n, int(n == 41 * 81 and x is not input) << 40, BLOCK")
)
"""Wild in one corner of relu's space, which is transposed."""
SPARED = 64 << 20


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    settings = resolve_settings(Settings(device="cuda", jobs=2, checks=False, time_limit_s=20.0))
    with RunSession(settings, tmp_path_factory.mktemp("run")) as session:
        yield session.pipeline


def _outcome(pipeline: Pipeline, source: str) -> Outcome:
    submission = Submission(name="s", task="activation/relu", source=source)
    return pipeline.evaluate(submission).outcome


def test_a_card_that_works_says_so_and_how_much_is_free(pipeline: Pipeline) -> None:
    assert pipeline.gpu_slots is not None
    memory = probe_gpu(pipeline.workers, pipeline.gpu_slots.slots[0])
    assert 0 < memory.free <= memory.total == torch.cuda.mem_get_info()[1]


@pytest.mark.parametrize(
    ("source", "reason", "said"),
    [
        (WILD, Reason.RUNTIME_ERROR, "illegal memory access"),
        (SPINS, Reason.TIMEOUT, "not finished within the time limit"),
        (GREEDY, Reason.RUNTIME_ERROR, "out of memory"),
    ],
)
def test_who_breaks_or_hangs_is_broken_and_the_next_is_correct(
    pipeline: Pipeline, source: str, reason: Reason, said: str
) -> None:
    assert source != HONEST
    outcome = _outcome(pipeline, source)
    assert isinstance(outcome, Broken) and outcome.reason is reason, outcome
    assert said in outcome.detail
    assert isinstance(_outcome(pipeline, HONEST), Correct)


def test_a_wild_store_in_one_case_leaves_the_others_judged(pipeline: Pipeline) -> None:
    submission = Submission(name="s", task="activation/relu", source=ONE_WILD)
    found = pipeline.evaluate(submission)
    assert isinstance(found.outcome, Broken) and "illegal memory access" in found.outcome.detail
    states = {one.case: one.state for one in found.cases}
    assert states.pop(found.outcome.case) is CaseState.BROKEN
    assert set(states.values()) == {CaseState.PASSED}
    assert found.core_correct is True


def test_where_others_hold_all_memory_nobody_is_broken(pipeline: Pipeline) -> None:
    torch.cuda.empty_cache()
    held = torch.empty(torch.cuda.mem_get_info()[0] - SPARED, dtype=torch.uint8, device="cuda")
    try:
        outcome = _outcome(pipeline, HONEST)
        assert isinstance(outcome, Void) and outcome.reason is Reason.EVALUATOR, outcome
    finally:
        del held
        torch.cuda.empty_cache()
    assert isinstance(_outcome(pipeline, HONEST), Correct)
