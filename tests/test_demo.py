"""The sample kernels of `make demo` and what the README shows of them."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from kernelbenchx.cli.evaluation_table import why
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "examples" / "submissions"
REFUSAL = '    assert input.is_contiguous(), "input must be contiguous"\n'


def _evaluated(pipeline: Pipeline, source: str) -> Evaluation:
    settings = msgspec.structs.replace(pipeline.settings, compile=False)
    here = replace(pipeline, workers=replace(pipeline.workers, settings=settings))
    return here.evaluate(Submission(name="s", task="activation/relu", source=source))


def test_the_near_miss_is_core_correct_and_its_pattern_is_in_words(pipeline: Pipeline) -> None:
    source = (SAMPLES / "relu__assumes_contiguous.py").read_text()
    one = _evaluated(pipeline, source)
    assert isinstance(one.outcome, Broken) and one.core_correct is True
    assert {each.scope for each in one.scopes if each.failed} <= {Scope.LAYOUT, Scope.COMBINED}
    first, second = why(one).split("\n")
    assert first.startswith("core correct; fails layout")
    assert "fail, all with input not contiguous: AssertionError: input must be cont" in second
    assert REFUSAL in source
    right = source.replace(REFUSAL, "").replace("n = input.numel()", "n = x.numel()")
    right = right.replace("result = input if inplace else torch.empty_like(input)", _COPIED)
    right = right.replace("](input, result,", "](x, result,").replace("return result", _WRITTEN)
    assert isinstance(_evaluated(pipeline, right).outcome, Correct)


_COPIED = "x = input.contiguous()\n    result = torch.empty_like(x)"
_WRITTEN = "return input.copy_(result) if inplace else result"


@pytest.fixture(scope="module")
def shown() -> list[tuple[str, str]]:
    """Names and outcomes in the README's table."""
    table = (ROOT / "README.md").read_text().partition("┡")[2].partition("└")[0]
    rows = [[cell.strip() for cell in line.split("│")[1:4]] for line in table.splitlines()]
    return [(row[0], row[2]) for row in rows if len(row) == 3 and row[0]]


def test_the_readme_shows_samples_that_are_there(shown: list[tuple[str, str]]) -> None:
    there = {path.stem for path in SAMPLES.iterdir()}
    assert {name for name, _ in shown} <= there and len(shown) > 5
    assert ("relu__assumes_contiguous", "broken") in shown
