"""The parts of the loop that its method's own tests do not reach."""

import pytest

from desks import TASK, FakeBench, FakeModel, desk, office
from generate.search.sources import NAMED
from generate.search.timed_sources import RIGHT, at_speed, bench_of, number
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Outcome, Reason, Void
from kernelbenchx.core.performance import Performance, Unmeasured
from kernelbenchx.generate.allowance import Allowance, AllowanceUse
from kernelbenchx.generate.search.kernel_search import KernelSearch, SearchPlan

PLAN = SearchPlan(side_by_side=2, rewrites=2, worth=0.005, near=0.95, untimed=4, temperature=None)


def _searched(bench: FakeBench, *, evaluations: int = 12, requests: int = 0) -> KernelSearch:
    model = FakeModel(lambda *_: NAMED)
    own = desk(office(model, bench=bench))
    spent = AllowanceUse(Allowance(requests=requests, evaluations=evaluations))
    made = KernelSearch(PLAN, statement(TASK), own, spent, round=1)
    made.run(own.judge("round 0", NAMED, round=0))
    return made


def test_a_size_whose_best_lies_at_the_end_of_its_range_goes_on_beyond() -> None:
    bench = bench_of(lambda source: 1.0 * number(source, "BLOCK", 1024))
    made = _searched(bench, evaluations=24)
    assert made.trials.best is not None
    assert number(made.trials.best.source, "BLOCK", 0) > 8192
    assert len({space.family for space in made.spaces}) == 1


def test_where_all_settings_are_alike_the_budget_is_not_used_up() -> None:
    def speed(source: str) -> float:
        return 1.0 + 0.001 * (number(source, "num_warps", 4) % 3)

    assert _searched(bench_of(speed), evaluations=30).spent.evaluations < 30


def test_a_kernel_that_cannot_be_timed_is_not_searched() -> None:
    def verdict(_: str) -> tuple[Outcome, Performance]:
        return RIGHT, Unmeasured(reason=Reason.DISTURBED, detail="strangers")

    assert _searched(FakeBench(verdict)).spent.evaluations == 0


LOST = Void(reason=Reason.EVALUATOR, detail="lost a worker")
DISTURBED = (RIGHT, Unmeasured(reason=Reason.DISTURBED, detail="strangers"))


@pytest.mark.parametrize("failed", [LOST, DISTURBED])
def test_what_the_evaluator_failed_on_is_neither_right_nor_wrong(
    failed: Outcome | tuple[Outcome, Performance],
) -> None:
    def verdict(source: str) -> Outcome | tuple[Outcome, Performance]:
        if number(source, "BLOCK", 0) == 1024:
            return RIGHT, at_speed(1.0)
        return failed

    made = _searched(FakeBench(verdict), evaluations=6)
    faults = [one for one in made.trials.all if one.fault]
    assert faults
    assert all(one.speed is None for one in faults)
    assert not any(one.fault for one in made.trials.like(made.spaces[0]))


def test_an_allowance_that_is_spent_ends_it_at_once() -> None:
    bench = bench_of(lambda _: 1.0)
    assert _searched(bench, evaluations=0).spent.evaluations == 0
    assert len(bench.judged) == 1
