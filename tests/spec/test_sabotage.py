import pytest
import torch

from kernelbenchx.spec.call import call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Contract, Evidence
from kernelbenchx.spec.distribution import Dropout, Uniform
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.properties import Orthonormal, Property, Reconstructs, Upper
from kernelbenchx.spec.sabotage import SABOTAGES, Sabotage

BY_NAME = {sabotage.name: sabotage for sabotage in SABOTAGES}
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64)


def _draw(dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(9, 31, generator=generator, dtype=dtype)
    return torch.randint(0, 2, (9, 31), generator=generator).to(dtype)


def _rejects(
    contract: Contract, outputs: tuple[torch.Tensor, ...], truth: tuple[torch.Tensor, ...]
) -> bool:
    return not contract.judge(Evidence(call(), (outputs,), truth, truth)).ok


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.name)
@pytest.mark.parametrize("dtype", (*FLOATS, torch.int64, torch.bool), ids=str)
def test_every_sabotage_changes_values_and_is_rejected(
    sabotage: Sabotage, dtype: torch.dtype
) -> None:
    right, previous = (_draw(dtype),), (_draw(dtype, 1),)
    before = right[0].clone()
    spoiled = sabotage.attempt(right, previous)
    assert torch.equal(right[0], before)
    if spoiled is None:
        assert sabotage.name in ("ten bits", "one NaN", "one element off")
        assert sabotage.name != "ten bits" or dtype not in (torch.float32, torch.float64)
        return
    assert [(s.shape, s.dtype) for s in spoiled] == [(r.shape, r.dtype) for r in right]
    wide = torch.complex128 if dtype.is_complex else torch.float64
    exact = right[0].to(wide) if dtype.is_floating_point or dtype.is_complex else right[0]
    assert not Close().judge(Evidence(call(), (spoiled,), (exact,), right)).ok
    assert _rejects(Exact(), spoiled, right)


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.name)
def test_empty_outputs_cannot_be_spoiled(sabotage: Sabotage) -> None:
    empty = (torch.empty(0, 3),)
    assert sabotage.attempt(empty, empty) is None


def test_it_applies_only_where_a_judge_could_tell() -> None:
    zeros, ones = (torch.zeros(4),), (torch.ones(4),)
    assert BY_NAME["zeros"].attempt(zeros, ones) is None
    assert BY_NAME["sign flipped"].attempt(zeros, ones) is None
    assert BY_NAME["narrower dtype"].attempt(ones, zeros) is None
    assert BY_NAME["reversed rows"].attempt(ones, zeros) is None
    assert BY_NAME["previous output"].attempt(ones, ones) is None
    assert BY_NAME["previous output"].attempt(ones, (torch.zeros(5),)) is None
    assert BY_NAME["previous output"].attempt(ones, (torch.full((4,), 2.0),)) is not None
    half = (torch.tensor([1.0, 2.0, 0.0, 0.0]),)
    assert BY_NAME["first half only"].attempt(half, ones) is None


def test_scalars_and_nan_can_be_spoiled() -> None:
    assert BY_NAME["zeros"].attempt((torch.tensor(3.0),), ()) is not None
    assert BY_NAME["last element unwritten"].attempt((torch.tensor(3.0),), ()) is not None
    assert BY_NAME["one NaN"].attempt((torch.tensor([1.0, float("nan")]),), ()) is not None


def test_what_may_be_another_valid_answer_is_free() -> None:
    qr = Property(Orthonormal(0))
    assert not BY_NAME["sign flipped"].must_fail(qr)
    assert BY_NAME["sign flipped"].must_fail(Close())
    assert not BY_NAME["previous output"].must_fail(Uniform())
    assert not BY_NAME["one element off"].must_fail(Uniform())
    assert BY_NAME["zeros"].must_fail(Uniform())
    ten = BY_NAME["ten bits"]
    assert ten.must_fail(Close()) and not ten.must_fail(Close(tf32=True))
    keep = Dropout(lambda: 0.5, torch.ones, Close(tf32=True))
    assert not ten.must_fail(keep) and ten.must_fail(Exact())


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.name)
def test_a_decomposition_rejects_what_it_must(sabotage: Sabotage) -> None:
    contract = Property(
        Reconstructs(lambda f: f[0] @ f[1], lambda c: c.args[0], 64.0), Orthonormal(0), Upper(1)
    )
    a, b = _draw(torch.float32), _draw(torch.float32, 1)
    right, previous = tuple(torch.linalg.qr(a)), tuple(torch.linalg.qr(b))
    spoiled = sabotage.attempt(right, previous)
    assert spoiled is not None
    found = contract.judge(Evidence(call(a), (spoiled,), (), right))
    assert found.ok is not sabotage.must_fail(contract)


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda sabotage: sabotage.name)
def test_random_numbers_reject_what_they_must(sabotage: Sabotage) -> None:
    drawn = [torch.rand(128, 256, generator=torch.Generator().manual_seed(s)) for s in range(6)]
    spoiled = [sabotage.attempt((x,), (y,)) for x, y in zip(drawn[:3], drawn[3:], strict=True)]
    outputs = tuple(one for one in spoiled if one is not None)
    assert len(outputs) == 3
    found = Uniform().judge(Evidence(call(), outputs, (), outputs[0]))
    assert not found.ok or not sabotage.must_fail(Uniform())
