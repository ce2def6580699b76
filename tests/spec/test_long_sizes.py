"""One size at a time is long, so that a kernel which stops early is found."""

import torch
from torch.nn import functional

from kernelbenchx import catalog
from kernelbenchx.spec.problem import LONG, LONG_ROWS, Problem
from kernelbenchx.tasks.level1.kl_div_loss import Model


def _problem(name: str) -> Problem:
    task = catalog.load(name)
    assert isinstance(task, Problem)
    return task


def _long(task: Problem, seed: int) -> list[dict[str, int]]:
    return [
        {name: case.params[name] for name in task.ranges if case.params[name] > 1000}
        for case in task.cases(seed)
    ]


def test_each_size_is_long_in_one_case_and_no_two_are() -> None:
    found = [one for one in _long(_problem("level1/kl_div_loss"), 3) if one]
    assert found == [{"rows": LONG_ROWS}, {"columns": LONG}]


def test_what_would_take_minutes_is_not_long() -> None:
    assert not any(_long(_problem("level1/square_matrix_multiplication"), 3))
    steps = [case.params["seq"] for case in _problem("level3/gru").cases(3)]
    assert max(steps) <= 9


class FirstRows(Model):
    """Adds up no more rows than its one block holds."""

    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        some = functional.kl_div(predictions[:1024].log(), targets[:1024], reduction="sum")
        return some / len(targets)


def test_a_kernel_that_stops_after_1024_rows_is_right_only_where_there_are_no_more() -> None:
    task = _problem("level1/kl_div_loss")
    for case in task.cases(5):
        call = task.draw(case, 5)
        right, found = (task.outputs(one, call).leaves[0].value for one in (Model, FirstRows))
        assert torch.allclose(right, found) == (case.params["rows"] <= 1024)
