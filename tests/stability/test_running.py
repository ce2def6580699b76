"""Verdicts of one kernel under several seeds."""

from pathlib import Path

import pytest

from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluator import Evaluator
from kernelbenchx.stability.kernels import KernelOrigin, StabilityKernel, shipped_kernels
from kernelbenchx.stability.running import Stability, deviating_share, judge_under_seeds
from kernelbenchx.stability.verdicts import open_verdicts

RELU = "activation/relu"
KERNEL = StabilityKernel(
    kind=KernelOrigin.NEAR_MISS, submission=Submission(name="NaN gives NaN", task=RELU, source="")
)


def _stability(*verdicts: str, kind: KernelOrigin = KernelOrigin.NEAR_MISS) -> Stability:
    kernel = StabilityKernel(kind=kind, submission=KERNEL.submission)
    return Stability(kernel=kernel, verdicts=dict(enumerate(verdicts, start=1)))


def test_seeds_that_differ_from_the_majority_are_counted() -> None:
    mixed = _stability("wrong pure", "correct pure basic core strict", "wrong pure")
    same = _stability("wrong pure", "wrong pure", "wrong pure")
    assert (mixed.deviating, same.deviating) == ((2,), ())
    assert deviating_share([mixed, same]) == 1 / 6
    assert deviating_share([]) == 0


def test_a_near_miss_lives_where_it_is_correct_and_a_witness_is_none() -> None:
    verdicts = ("correct pure basic core strict", "wrong pure")
    assert _stability(*verdicts).lives_under == (1,)
    assert _stability(*verdicts, kind=KernelOrigin.WITNESS).lives_under == ()


@pytest.mark.usefixtures("warm_workers")
def test_finished_pairs_are_not_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness, miss = shipped_kernels([RELU])[:2]
    calls: list[tuple[str, int]] = []
    judge = Pipeline.evaluate

    def counted(self: Pipeline, submission: Submission) -> object:
        calls.append((submission.name, self.seed))
        return judge(self, submission)

    monkeypatch.setattr(Pipeline, "evaluate", counted)
    told: list[tuple[int, int]] = []
    settings = Settings(device="interpreter", jobs=1, compile=False)
    with open_verdicts(tmp_path / "kept.sqlite") as kept, Evaluator(settings) as evaluator:
        for kernels, seeds in (([witness], [1]), ([witness, miss], [1, 2])):
            found = judge_under_seeds(
                kernels, seeds, evaluator, kept, lambda *count: told.append(count)
            )
    assert len(calls) == len(set(calls)) == 4
    assert told[:2] == [(0, 1), (1, 1)] and told[2:4] == [(1, 4), (2, 4)] and told[-1] == (4, 4)
    compiled = Settings(device="interpreter", jobs=1)
    with open_verdicts(tmp_path / "kept.sqlite") as kept, Evaluator(compiled) as evaluator:
        judge_under_seeds([witness], [1], evaluator, kept, lambda *_: None)
    assert len(calls) == 5
    right, wrong = (one.majority for one in found)
    assert right == "correct pure basic core strict" and wrong.startswith("wrong pure")
    assert not any(one.deviating or one.lives_under for one in found)
