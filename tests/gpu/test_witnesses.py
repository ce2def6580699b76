"""On the card: every witness is right, and what is wrong there too is told apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Composition, Correct, Wrong
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.session import Session, resolved

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def on_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    settings = resolved(Settings(device="cuda", jobs=1))
    with Session(settings, tmp_path_factory.mktemp("run")) as session:
        yield session.pipeline


@pytest.mark.parametrize("name", catalog.names())
def test_the_witness_is_correct_on_the_card(name: str, on_card: Pipeline) -> None:
    submission = Submission(name="witness", task=name, source=witness_source(name))
    evaluation = on_card.evaluate(submission)
    assert isinstance(evaluation.outcome, Correct), evaluation.outcome
    assert evaluation.composition is Composition.PURE
    assert not evaluation.provisional


@pytest.mark.parametrize("sample", ["gelu__always_tanh", "log1p__naive", "addmm__tf32"])
def test_a_wrong_kernel_is_wrong_on_the_card(sample: str, on_card: Pipeline) -> None:
    path = Path(__file__).parents[2] / "examples" / "submissions" / f"{sample}.py"
    task = catalog.select(sample.partition("__")[0])[0]
    submission = Submission(name=sample, task=task, source=path.read_text())
    assert isinstance(on_card.evaluate(submission).outcome, Wrong)
