from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx.runner.orders import (
    CallPlan,
    PlannedCall,
    WorkerReport,
    parse_report,
    write_order,
)
from kernelbenchx.spec.call import call
from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.order import Order
from kernelbenchx.worker.replies import call_frame


def _plan(*tensors: torch.Tensor) -> CallPlan:
    names = tuple("xyz"[: len(tensors)])
    return CallPlan(
        mode="interpret",
        source="",
        entries=("f",),
        form="function",
        language="triton",
        seed=1,
        calls=(PlannedCall(call(*tensors), names),),
    )


def _exchange(plan: CallPlan, tmp_path: Path, result: Any, change: Any = None) -> WorkerReport:
    """What a worker would answer when its function returned `result(args)`."""
    placed = write_order(tmp_path / "order", plan)
    order = Order.parse((tmp_path / "order").read_bytes())
    arguments = order.arguments(order.calls[0])
    frame = call_frame(0, "first", result(*arguments.args), arguments)
    data = (change or (lambda one: one))(frame) + pack({"kind": "done"})
    return parse_report(data, plan, placed)


def test_a_result_and_the_arguments_after_it_come_back(tmp_path: Path) -> None:
    x, y = torch.randn(3, 4).t(), torch.randn(4, 3)

    def function(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, float]:
        y.add_(1)
        return x + y, 2.5

    report = _exchange(_plan(x, y), tmp_path, function)
    returned = report.returned[0]
    assert report.done
    assert torch.equal(returned.result[0], x + (y + 1))
    assert returned.result[1] == 2.5
    assert torch.equal(returned.after.args[1], y + 1)
    assert torch.equal(returned.after.args[0], x)
    assert returned.after.args[0].stride() == x.stride()
    assert returned.aliases == ("",)


def test_a_result_keeps_its_order_of_dimensions_and_loses_its_gaps(tmp_path: Path) -> None:
    x = torch.randn(4, 6)
    plan = _plan(x)
    turned = _exchange(plan, tmp_path, lambda x: x.clone().T).returned[0].result
    assert torch.equal(turned, x.T) and turned.stride() == (1, 6)
    dense = _exchange(plan, tmp_path, lambda x: x.T.contiguous()).returned[0].result
    assert torch.equal(dense, x.T) and dense.is_contiguous()
    kinds: tuple[Any, ...] = (lambda x: x.clone()[:, ::2], lambda x: x[:1].clone().expand(4, 6))
    for kind in kinds:
        gaps = _exchange(plan, tmp_path, kind).returned[0].result
        assert torch.equal(gaps, kind(x)) and gaps.untyped_storage().nbytes() == gaps.nbytes


def test_a_result_that_is_an_argument_says_so(tmp_path: Path) -> None:
    report = _exchange(_plan(torch.zeros(3), torch.ones(3)), tmp_path, lambda *args: args[1])
    assert report.returned[0].aliases == ("y",)


def test_an_object_that_means_nothing_here_is_only_that(tmp_path: Path) -> None:
    report = _exchange(_plan(torch.zeros(3)), tmp_path, lambda *_: object())
    assert not isinstance(report.returned[0].result, torch.Tensor)


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame[:-3],
        lambda frame: frame + frame,
        lambda frame: frame.replace(b'"call":0', b'"call":9'),
        lambda frame: frame.replace(b'"shape":[3]', b'"shape":[9]'),
        lambda frame: frame.replace(b'"after"', b'"aftre"'),
        lambda frame: b"\x80\x04" + frame,
        lambda frame: frame + pack({"kind": "verdict", "outcome": "correct"}),
        lambda frame: frame + pack({"kind": "done"}),
    ],
)
def test_what_a_worker_may_not_say_makes_the_report_malformed(tmp_path: Path, change: Any) -> None:
    assert _exchange(_plan(torch.zeros(3)), tmp_path, lambda x: x + 1).malformed == ""
    report = _exchange(_plan(torch.zeros(3)), tmp_path, lambda x: x + 1, change)
    assert report.malformed
    assert not report.done
