"""On the card: an index that is an int32 fails beyond 2^31 elements, and the witnesses do not."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.attacks.canaries import HONEST
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.huge import HugeState
from kernelbenchx.core.outcome import Correct, Stage
from kernelbenchx.core.performance import Failed, Timed
from kernelbenchx.core.scale import ScaleState
from kernelbenchx.core.scopes import Scope, sum_dtypes
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.session import RunSession, resolve_settings

NEEDED = 60 << 30
pytestmark = [pytest.mark.gpu, pytest.mark.timeout(600)]

WITNESSES = [name for name in catalog.names() if catalog.load(name).huge is not None]
NARROW = {
    "outside": HONEST,
    "wraps": HONEST.replace("mask = offsets < n", "offsets &= 0x7FFFFFFF\n    mask = offsets < n"),
}
"""A kernel that leaves its tensors, and one that stays in them and leaves the end unwritten."""


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evaluation]:
    if torch.cuda.mem_get_info()[0] < NEEDED:
        pytest.skip("too little memory is free on this GPU")
    submissions = [
        Submission(name=name, task=name, source=witness_source(name)) for name in WITNESSES
    ]
    submissions += [
        Submission(name=name, task="activation/relu", source=source)
        for name, source in NARROW.items()
    ]
    settings = resolve_settings(
        Settings(device="cuda", stage=Stage.PERF, jobs=min(8, os.cpu_count() or 1))
    )
    with (
        RunSession(settings, tmp_path_factory.mktemp("run")) as session,
        ThreadPoolExecutor(settings.jobs) as pool,
    ):
        found = list(pool.map(session.pipeline.evaluate, submissions))
    return {one.name: each for one, each in zip(submissions, found, strict=True)}


def _scale(one: Evaluation) -> tuple[int, int]:
    (found,) = [count for count in sum_dtypes(one.scopes) if count.scope is Scope.SCALE]
    return found.failed, found.total


@pytest.mark.parametrize("name", NARROW)
def test_an_int32_index_is_rejected_in_scale_and_nowhere_else(
    name: str, evaluated: dict[str, Evaluation]
) -> None:
    one = evaluated[name]
    assert isinstance(one.outcome, Correct), one.outcome
    assert isinstance(one.performance, Failed), one.performance
    assert one.scale.state is ScaleState.FAILED
    assert one.scale.huge is not None and one.scale.huge.state is HugeState.FAILED
    assert (one.verdict, one.solved) == ("failed at scale", False)
    assert _scale(one)[0] == 1
    assert isinstance(one.core_performance, Timed)


@pytest.mark.parametrize("name", WITNESSES)
def test_the_witness_passes_beyond_int32(name: str, evaluated: dict[str, Evaluation]) -> None:
    one = evaluated[name]
    assert isinstance(one.performance, Timed), one.performance
    assert one.performance.huge is not None
    assert one.performance.huge.state is HugeState.PASSED, one.performance.huge
    assert _scale(one)[0] == 0 and one.solved
