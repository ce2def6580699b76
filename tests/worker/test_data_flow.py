from collections.abc import Callable

import numpy as np
import pytest
import torch
import triton.language as tl

from kernelbenchx.worker import data_flow
from kernelbenchx.worker.data_flow import SMALL_BYTES, DataFlow
from kernelbenchx.worker.host_reads import HostReads
from kernelbenchx.worker.tracing import OperatorTrace, zero

LARGE = SMALL_BYTES  # elements of 4 bytes: four times what a call may read or bring
FEW = SMALL_BYTES // 64
Work = Callable[[torch.Tensor], object]


def traced(work: Work, given: torch.Tensor | None = None) -> dict[str, int]:
    """What is named beside operators, when a wrapper does this with its argument."""
    x = torch.randn(LARGE) if given is None else given
    flow = DataFlow()
    flow.begin({0: x})
    with HostReads(flow), OperatorTrace(zero, flow):
        result = work(x)
    flow.note_result(result)
    return flow.operators


def filled(count: int) -> Work:
    def work(_: torch.Tensor) -> torch.Tensor:
        y = torch.empty(LARGE)
        for place in range(count):
            y.narrow(0, place, 1).fill_(2.5 * place)
        return y

    return work


def assigned(count: int) -> Work:
    def work(_: torch.Tensor) -> torch.Tensor:
        y = torch.empty(LARGE)
        for place in range(count):
            y[place] = 2.5 * place
        return y

    return work


@pytest.mark.parametrize(
    ("name", "beyond", "within"),
    [
        (data_flow.READ, lambda x: x.tolist(), lambda x: x[:FEW].tolist()),
        (data_flow.READ, lambda x: x.numpy().sum(), lambda x: x[:FEW].numpy()),
        (data_flow.READ, lambda x: [float(v) for v in x], lambda x: float(x[0])),
        (data_flow.READ, lambda x: [v.item() for v in x], lambda x: bool(x[0] > 0)),
        (data_flow.READ, lambda x: [str(v) for v in x.split(500)], lambda x: str(x[:3])),
        (data_flow.READ, lambda x: f"{x}", lambda x: f"{x[0]}"),
        (data_flow.READ, lambda x: x.untyped_storage()[0], lambda x: x.data_ptr()),
        (data_flow.READ, lambda x: x.__dlpack__(), lambda x: x.cpu()),
        (
            data_flow.FILLED,
            lambda _: torch.tensor([1.5] * LARGE),
            lambda _: torch.tensor([1.5] * FEW),
        ),
        (data_flow.FILLED, filled(LARGE), filled(FEW)),
        (data_flow.FILLED, assigned(LARGE), assigned(FEW)),
        (
            data_flow.FILLED,
            lambda _: [torch.full((1,), float(n)) for n in range(LARGE)],
            lambda _: torch.full((LARGE,), 3.0),
        ),
        (
            data_flow.FILLED,
            lambda _: [torch.arange(v, v + 1.0, 2.0) for v in range(LARGE)],
            lambda _: torch.arange(LARGE),
        ),
        (
            data_flow.FILLED,
            lambda _: torch.from_numpy(np.ones(LARGE, np.float32)).clone(),
            lambda _: torch.from_numpy(np.ones(FEW, np.float32)).clone(),
        ),
        (
            data_flow.DRAWN,
            lambda _: torch.randint(0, 9, (LARGE,)),
            lambda _: torch.randint(0, 9, (4,)),
        ),
        (data_flow.DRAWN, lambda x: torch.empty_like(x).random_(), lambda x: x[:1].random_()),
        (
            data_flow.NEGATED,
            lambda x: torch.view_as_complex(x.view(1, -1, 2)).mH.imag.contiguous(),
            lambda x: torch.view_as_complex(x.view(1, -1, 2)).imag.contiguous(),
        ),
        (
            data_flow.NEGATED,
            lambda x: torch.view_as_complex(x.view(-1, 2)).conj().resolve_conj(),
            lambda x: torch.view_as_complex(x.view(-1, 2)).resolve_conj(),
        ),
        (
            data_flow.NEGATED,
            lambda x: torch.view_as_complex(x.view(-1, 2)).conj(),
            lambda x: x.conj(),
        ),
        (
            data_flow.ROUNDED,
            lambda x: x.to(torch.int64).to(torch.float32),
            lambda x: x.contiguous().to(torch.float16),
        ),
        (
            data_flow.ROUNDED,
            lambda x: x.contiguous().bool(),
            lambda x: x[:FEW].int(),
        ),
        (
            data_flow.ROUNDED,
            lambda x: torch.empty_like(x).to(torch.bool),
            lambda x: torch.empty_like(x).to(torch.bfloat16),
        ),
        (
            data_flow.ROUNDED,
            lambda x: torch.empty(LARGE, dtype=torch.int32).copy_(torch.empty_like(x)),
            lambda x: torch.empty_like(x).copy_(torch.empty(LARGE, dtype=torch.int32)),
        ),
        (
            data_flow.MOVED,
            lambda x: [
                piece.copy_(of) for piece, of in zip(torch.empty(LARGE), x.flip(0), strict=True)
            ],
            lambda x: [torch.empty_like(x).copy_(x), x.clone()],
        ),
        (
            data_flow.MOVED,
            lambda x: [torch.empty(2 * LARGE).narrow(0, 0, LARGE).fill_(1.0), x],
            lambda x: [torch.empty(LARGE).fill_(1.0), x],
        ),
    ],
)
def test_beyond_an_allowance_it_is_named(name: str, beyond: Work, within: Work) -> None:
    assert name in traced(beyond)
    assert name not in traced(within)


def test_what_a_wrapper_needs_is_not_named() -> None:
    def work(x: torch.Tensor) -> object:
        y = torch.empty_like(x).copy_(x)
        torch.promote_types(x.dtype, torch.float16)
        views = (x.view(32, -1).diagonal(), x.as_strided((4,), (1,)), x.unfold(0, 2, 2))
        return y.reshape(-1, 2).t().contiguous(), views, x.half().float(), torch.zeros(LARGE)

    assert traced(work) == {}


def test_a_strided_input_may_be_written_as_a_whole() -> None:
    memory = torch.zeros(2 * LARGE)
    work: Work = lambda _: memory[::2].copy_(torch.empty(LARGE))  # noqa: E731
    assert data_flow.MOVED not in traced(work, memory)
    assert data_flow.MOVED in traced(work, torch.zeros(1))


def test_numbers_of_launches_count_once_each() -> None:
    flow = DataFlow()
    flow.begin({})
    for row in range(5000):
        flow.before({"row": row, "start": 409 * row, "eps": 1e-5, "BLOCK": tl.constexpr(64)})
    assert flow.operators == {}
    for row in range(500):
        flow.before({"value": row + 0.5})
    assert flow.operators == {data_flow.SCALARS: 8 * 501}
    flow.begin({})
    assert flow.operators == {}


@pytest.mark.parametrize(
    "many",
    [
        tuple(n + 0.5 for n in range(LARGE)),
        [1 << 100_000],
        tl.constexpr("x" * 20_000),
        tuple(n * n * 7919 % 2**31 for n in range(4 * LARGE)),
    ],
    ids=["tuple of floats", "one long integer", "a text", "many integers"],
)
def test_a_program_passed_as_numbers_is_named(many: object) -> None:
    flow = DataFlow()
    flow.begin({})
    flow.before({"many": many})
    assert list(flow.operators) == [data_flow.SCALARS]


@pytest.mark.parametrize("asked", [torch.int32, torch.float32])
def test_an_input_is_cast_to_the_dtype_that_the_call_asks_for(asked: torch.dtype) -> None:
    flow, x = DataFlow(), torch.randn(LARGE)
    flow.begin([x], ((x,), {"dtype": asked}))
    with OperatorTrace(zero, flow):
        x.contiguous().to(torch.int32)
    assert (data_flow.ROUNDED in flow.operators) is (asked is not torch.int32)
    with OperatorTrace(zero, flow):
        torch.empty(LARGE).to(torch.int32)  # what a kernel made
    assert data_flow.ROUNDED in flow.operators


def test_an_address_that_is_used_again_is_not_mistaken() -> None:
    flow, x = DataFlow(), torch.randn(LARGE)
    flow.begin([x], ((x,), {"dtype": torch.int32}))
    with OperatorTrace(zero, flow):
        whole = x.clone()
        flow.operator("aten.empty.memory_format", ((), {}), whole)  # as if it were made anew
        whole.to(torch.int32)
    assert data_flow.ROUNDED in flow.operators


SQUARE = torch.randn(64, 64)


@pytest.mark.parametrize(
    ("given", "work", "moves"),
    [
        (SQUARE, lambda x: x.t().contiguous(), True),
        (SQUARE, lambda x: torch.empty(64, 64).t().copy_(x), True),
        (SQUARE, lambda x: x[:, ::2].clone(), True),
        (SQUARE, lambda x: x.expand(2, 64, 64).reshape(-1), True),
        (SQUARE, lambda x: torch.empty_like(x).t().contiguous(), True),
        (SQUARE, lambda x: x.t().clone(), False),
        (SQUARE, lambda x: x[3:].clone(), False),
        (SQUARE, lambda x: x.view(-1).contiguous().clone(), False),
        (SQUARE.t(), lambda x: x.contiguous(), False),
        (SQUARE.t(), lambda x: x.unsqueeze(1).contiguous(), False),
        (SQUARE.t(), lambda x: x.clone().flatten(), False),
        (SQUARE[:, ::2], lambda x: x.contiguous(), False),
        (SQUARE[:, ::2], lambda x: x.copy_(torch.empty(64, 32)), False),
        (SQUARE[:1].expand(64, 64), lambda x: x.contiguous(), False),
    ],
)
def test_a_copy_that_reorders_the_only_tensor_moves(
    given: torch.Tensor, work: Work, *, moves: bool
) -> None:
    beside = torch.zeros(3, dtype=torch.int64)
    for further, named in (((), moves), ((beside,), False)):
        flow = DataFlow()
        flow.begin([given, *further], ((given, *further), {}))
        with OperatorTrace(zero, flow):
            work(given)
        assert (data_flow.MOVED in flow.operators) is named


@pytest.mark.parametrize("make", [torch.arange, lambda n: torch.eye(n // 16)])
def test_a_sequence_computes_where_only_numbers_are_given(make: Callable[[int], object]) -> None:
    for given, named in (([], True), ([torch.zeros(())], True), ([torch.zeros(4)], False)):
        flow = DataFlow()
        flow.begin(given, (given, {}))
        with OperatorTrace(zero, flow):
            make(LARGE)
        assert (data_flow.COUNTED in flow.operators) is named
