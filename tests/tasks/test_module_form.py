"""The grammar admits a task given as a module, and a submission in another language."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kernelbenchx.tasks
from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.certifying import certify
from kernelbenchx.core.outcome import Correct, Reason, Rejected, Void, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

EXTRA = Path(__file__).parent / "extra" / "tasks"
NAME = "testing/scaled_linear"

KERNEL = "__global__ void linear(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }\n"
CUDA = KERNEL + "void ScaledLinear(const float* x, float* y) { linear<<<1, 32>>>(x, y); }\n"


@pytest.fixture(autouse=True)
def with_the_extra_task(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(kernelbenchx.tasks, "__path__", [str(catalog.ROOT), str(EXTRA)])
    ours = catalog.path_of
    monkeypatch.setattr(
        catalog, "path_of", lambda name: EXTRA / f"{name}.py" if name == NAME else ours(name)
    )
    yield
    facts.cache_clear()


def test_a_module_is_certified_like_a_function(pipeline: Pipeline) -> None:
    certificate = certify(NAME, pipeline)
    assert certificate.problems == ()
    assert certificate.count("mutant", "patch") == 5


def test_its_statement_names_class_and_forward() -> None:
    text = statement(NAME).text()
    assert "class ScaledLinear(torch.nn.Module)" in text
    assert "def forward(" in text
    assert facts(NAME).form == "module"


def test_a_wrong_module_is_wrong(pipeline: Pipeline) -> None:
    source = witness_source(NAME)
    right = Submission(name="right", task=NAME, source=source)
    wrong = Submission(name="wrong", task=NAME, source=source.replace("scale * tl.sum", "tl.sum"))
    assert isinstance(pipeline.evaluate(right).outcome, Correct)
    assert isinstance(pipeline.evaluate(wrong).outcome, Wrong)


def _cuda(source: str) -> Submission:
    return Submission(name="cuda", task=NAME, source=source, language="cuda")


def test_another_language_is_checked_by_its_own_rules(pipeline: Pipeline) -> None:
    accepted = pipeline.evaluate(_cuda(CUDA)).outcome
    assert isinstance(accepted, Void) and accepted.reason is Reason.UNSUPPORTED
    for source in (KERNEL, "I would rather not.", CUDA.replace("linear<<<1, 32>>>(x, y)", "")):
        assert isinstance(pipeline.evaluate(_cuda(source)).outcome, Rejected)


def test_a_task_that_takes_only_triton_says_so(pipeline: Pipeline) -> None:
    submission = Submission(name="c", task="activation/relu", source=CUDA, language="cuda")
    outcome = pipeline.evaluate(submission).outcome
    assert isinstance(outcome, Void) and "takes no submission in cuda" in outcome.detail
