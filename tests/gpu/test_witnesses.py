"""On the card: every witness is right, and what is wrong there too is told apart."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct, Wrong
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.session import RunSession, resolve_settings

pytestmark = pytest.mark.gpu

SAMPLES = Path(__file__).parents[2] / "examples" / "submissions"
WITNESSED = [name for name in catalog.names() if catalog.witness_path(name).is_file()]
WRONG = ("gelu__always_tanh", "log1p__naive", "addmm__tf32")


def _wrong(sample: str) -> Submission:
    task = catalog.select(sample.partition("__")[0])[0]
    return Submission(name=sample, task=task, source=(SAMPLES / f"{sample}.py").read_text())


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evaluation]:
    """All at once: one after another they would take minutes of a card."""
    submissions = [
        Submission(name=name, task=name, source=witness_source(name)) for name in WITNESSED
    ]
    submissions += [_wrong(sample) for sample in WRONG]
    settings = resolve_settings(Settings(device="cuda", jobs=min(8, os.cpu_count() or 1)))
    with (
        RunSession(settings, tmp_path_factory.mktemp("run")) as session,
        ThreadPoolExecutor(settings.jobs) as pool,
    ):
        found = list(pool.map(session.pipeline.evaluate, submissions))
    return {one.name: each for one, each in zip(submissions, found, strict=True)}


@pytest.mark.parametrize("name", WITNESSED)
def test_the_witness_is_correct_on_the_card(name: str, evaluated: dict[str, Evaluation]) -> None:
    evaluation = evaluated[name]
    assert isinstance(evaluation.outcome, Correct), evaluation.outcome
    assert evaluation.composition is Composition.PURE
    assert not evaluation.provisional


@pytest.mark.parametrize("sample", WRONG)
def test_a_wrong_kernel_is_wrong_on_the_card(sample: str, evaluated: dict[str, Evaluation]) -> None:
    assert isinstance(evaluated[sample].outcome, Wrong)
