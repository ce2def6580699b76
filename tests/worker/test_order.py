from pathlib import Path

import torch

from kernelbenchx.runner.orders import CallPlan, PlannedCall, write_order
from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call
from kernelbenchx.worker.devices import redirect_cuda
from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.order import Order


def _order(one: Call, tmp_path: Path) -> Order:
    plan = CallPlan(
        mode="interpret",
        source="",
        entries=("f",),
        form="function",
        language="triton",
        seed=1,
        calls=(PlannedCall(one, ("x",) * len(one.tensors())),),
    )
    write_order(tmp_path / "order", plan)
    return Order.parse((tmp_path / "order").read_bytes())


def test_arguments_arrive_with_values_strides_and_stand_ins(tmp_path: Path) -> None:
    x = torch.randn(4, 6).t()
    sent = call(x, 3, [1, 2], dtype=torch.float16, device=CaseDevice(), generator=GeneratorSeed(5))
    order = _order(sent, tmp_path)
    with redirect_cuda():
        got = order.arguments(order.calls[0])
    assert torch.equal(got.args[0], x)
    assert got.args[0].stride() == x.stride()
    assert got.args[1:] == (3, [1, 2])
    assert got.kwargs["dtype"] is torch.float16
    assert got.kwargs["device"] == torch.device("cuda")
    assert got.kwargs["generator"].initial_seed() == 5
    assert got.kwargs["generator"].device == torch.device("cuda", 0)


def test_what_was_compiled_ahead_comes_behind_it(tmp_path: Path) -> None:
    _order(call(torch.ones(3)), tmp_path)
    data = (tmp_path / "order").read_bytes()
    alone, followed = Order.parse(data), Order.parse(data + pack({"kind": "compiled"}, b"bytes"))
    assert alone.header == followed.header and alone.payload == followed.payload
    assert alone.compiled == ()
    assert [bytes(frame.payload) for frame in followed.compiled] == [b"bytes"]


def test_what_one_call_writes_the_next_does_not_see(tmp_path: Path) -> None:
    order = _order(call(torch.zeros(3)), tmp_path)
    first = order.arguments(order.calls[0])
    first.args[0].fill_(1)
    second = order.arguments(order.calls[0])
    assert second.args[0].sum() == 0


def test_arguments_that_share_memory_still_share_it(tmp_path: Path) -> None:
    base = torch.zeros(8)
    order = _order(call(base[:4], base[2:]), tmp_path)
    got = order.arguments(order.calls[0])
    got.args[0].fill_(1)
    assert got.args[1][:2].sum() == 2
