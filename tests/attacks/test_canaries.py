import pytest

from kernelbenchx.attacks.canaries import HONEST, WRONG
from kernelbenchx.core.outcome import Correct, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline


@pytest.mark.parametrize(("source", "kind"), [(HONEST, Correct), (WRONG, Wrong)])
def test_each_gets_its_outcome(pipeline: Pipeline, source: str, kind: type) -> None:
    submission = Submission(name="canary", task="activation/relu", source=source)
    assert isinstance(pipeline.evaluate(submission).outcome, kind)


def test_they_differ_in_one_place() -> None:
    lines = list(zip(HONEST.splitlines(), WRONG.splitlines(), strict=True))
    assert sum(one != other for one, other in lines) == 1
