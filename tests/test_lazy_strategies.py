"""The table of lazy strategies in docs/how-to/train-with-rewards.md."""

from pathlib import Path
from types import ModuleType

import pytest

from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.rewards import RewardScheme, reward
from script_files import script

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "how-to" / "train-with-rewards.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.partition("<!-- lazy -->")[2].partition("<!-- /lazy -->")[0].splitlines()[3:]
    if line
]
S = RewardScheme()


@pytest.fixture(scope="module")
def lazy() -> ModuleType:
    return script("lazy_strategies")


def test_the_document_has_every_strategy_of_the_script(lazy: ModuleType) -> None:
    assert [row[0].strip("*") for row in ROWS] == [*lazy.LAZY, *lazy.HONEST]
    assert len(lazy.LAZY) >= 20


def test_no_strategy_earns_more_than_honest_partial_work() -> None:
    honest = {row[0]: float(row[-1]) for row in ROWS if row[0].startswith("**")}
    earned = {row[0]: float(row[-1]) for row in ROWS if row[0] not in honest}
    assert earned.pop("torch in all dtypes but one") <= S.basic
    assert earned.pop("torch in all but contiguous cases") <= honest["**right in core alone**"]
    assert max(earned.values()) <= S.wrong < S.basic <= min(honest.values())


def test_a_copy_behind_torch_earns_as_a_wrong_answer(lazy: ModuleType, pipeline: Pipeline) -> None:
    (task, copied), (_, honest) = lazy.LAZY["a copy behind torch"], lazy.HONEST["right"]
    one, other = (
        pipeline.evaluate(Submission(name="s", task=f"activation/{task}", source=source))
        for source in (copied, honest)
    )
    assert (one.verdict, one.kernel_share, reward(one).value) == ("correct", 0.0, S.wrong)
    assert (other.verdict, other.kernel_share, reward(other).value) == ("correct", None, S.correct)
