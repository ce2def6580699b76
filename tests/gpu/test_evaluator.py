"""On the card: times come through the Python API, and a second batch finds the workers warm."""

from pathlib import Path

import pytest

import kernelbenchx as kbx
from kernelbenchx.core.performance import Timed
from spellings import spell

pytestmark = pytest.mark.gpu


def test_batches_are_timed_and_kept(tmp_path: Path) -> None:
    batches = (["relu", "gelu"], ["selu", "relu"])
    found: dict[str, kbx.Evaluation] = {}
    with kbx.Evaluator(device="cuda", stage="perf", jobs=4, out=tmp_path) as evaluator:
        for names in batches:
            sources = [kbx.task(name).witness for name in names]
            found |= zip(names, evaluator.map(sources, task=names), strict=True)
    for one in found.values():
        assert one.verdict == "correct" and not one.provisional, one.outcome
        assert isinstance(one.performance, Timed), one.performance
        value = kbx.reward(one).value
        assert value is not None and value > 0.3
    run = kbx.load_run(tmp_path)
    assert len(run.results) == 3, "relu was read the second time"
    assert run.query("select count(*) as n from timings")[0]["n"] > 0


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("index/index_fill_", "torch"),
        ("math/abs", "published prompt"),
        ("math/sub", "reversed"),
        ("optimizer/Lion", "published file"),
    ],
)
def test_a_kernel_in_another_spelling_is_correct_and_timed(task: str, kind: str) -> None:
    found = kbx.evaluate(spell(task, kind), task=task, device="cuda", stage="perf")
    assert found.verdict == "correct", found.outcome
    assert isinstance(found.performance, Timed), found.performance
