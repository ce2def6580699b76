"""Valid samplers pass; a wrong law, rate, support or repetition fails."""

import pytest
import torch

from kernelbenchx.spec.call import Call, GeneratorSeed, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Contract, Evidence, Verdict
from kernelbenchx.spec.distribution import Dropout, Uniform, has_generator
from rounded_answers import gelu

SHAPE = (128, 256)
SEEDED = call(SHAPE, generator=GeneratorSeed(7))
UNSEEDED = call(SHAPE)


def _rand(seed: int, bits: int = 24, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randint(0, 2**bits, SHAPE, generator=generator)
    return torch.ldexp(drawn.double(), torch.tensor(-bits)).to(dtype)


def _uniform(outputs: list[torch.Tensor], asked: Call = SEEDED) -> Verdict:
    return Uniform().judge(Evidence(asked, tuple((x,) for x in outputs), (), (outputs[0],)))


def _three(seed: int, bits: int = 24, dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    return [_rand(100 + 2 * seed + shift, bits, dtype) for shift in (0, 1, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("bits", (23, 24))
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64))
def test_uniform_passes_any_honest_stream(bits: int, dtype: torch.dtype) -> None:
    assert all(_uniform(_three(seed, bits, dtype)).ok for seed in range(4))


@pytest.mark.slow
def test_uniform_passes_32_bits_in_float64_and_no_alarm_is_near() -> None:
    found = [_uniform(_three(seed, 32, torch.float64)) for seed in range(8)]
    assert all(one.ok for one in found) and max(one.worst for one in found) < 0.6


@pytest.mark.parametrize("bits", (8, 16, 20))
def test_uniform_rejects_few_bits(bits: int) -> None:
    assert not _uniform(_three(0, bits)).ok


@pytest.mark.parametrize("value", (1.0, -1e-9, float("nan"), float("inf")))
def test_uniform_support_is_exact_even_in_small_tensors(value: float) -> None:
    small = torch.tensor([0.5, 0.25, 0.0, 0.75, 0.1, 0.9999999])
    other = torch.tensor([0.3, 0.6, 0.2, 0.7, 0.4, 0.8])
    assert _uniform([small, other, small]).ok
    spoiled = small.clone()
    spoiled[3] = value
    found = _uniform([spoiled, other, spoiled])
    assert not found.ok and found.index == (3,) and "not in [0, 1)" in found.detail


def test_uniform_rejects_another_law() -> None:
    first, second, third = _three(0)
    assert not _uniform([first**1.1, second, third**1.1]).ok
    assert not _uniform([first * 0.95, second * 0.95, third * 0.95]).ok
    assert not _uniform([(first + second) / 2, second, (first + second) / 2]).ok


def test_uniform_rejects_another_answer_to_the_same_seed() -> None:
    first, second, _ = _three(0)
    found = _uniform([first, second, _rand(5)])
    assert not found.ok and "same seed" in found.detail
    assert _uniform([first, second, _rand(5)], UNSEEDED).ok


def test_uniform_rejects_the_same_answer_to_another_seed() -> None:
    first = _rand(0)
    assert not _uniform([first, first, first]).ok
    assert not _uniform([first, _rand(1), first], UNSEEDED).ok
    assert not _uniform([first, first.flatten().roll(1).reshape(SHAPE), first]).ok


@pytest.mark.parametrize("period", (1, 32, 256, 1024, 4096))
def test_uniform_rejects_repeated_rows_and_blocks(period: int) -> None:
    def repeated(seed: int) -> torch.Tensor:
        return _rand(seed).flatten()[:period].repeat(SHAPE[0] * SHAPE[1] // period).reshape(SHAPE)

    assert not _uniform([repeated(0), repeated(1), repeated(0)]).ok


def test_uniform_rejects_stuck_values() -> None:
    spoiled = [x.clone() for x in _three(0)]
    for x in spoiled:
        x[-1, -16:] = 0.0
    assert not _uniform(spoiled).ok


def test_uniform_rejects_a_written_tensor_that_is_not_the_returned_one() -> None:
    first, second, third = _three(0)
    right = ((first, first.clone()), (second, second.clone()), (third, third.clone()))
    wrong = ((first, second), (second, second), (third, third))
    assert Uniform().judge(Evidence(SEEDED, right, (), (first, first))).ok
    assert not Uniform().judge(Evidence(SEEDED, wrong, (), (first, first))).ok


def test_uniform_on_another_interval() -> None:
    moved = [x * 4 - 1 for x in _three(0, 23)]
    evidence = Evidence(SEEDED, tuple((x,) for x in moved), (), (moved[0],))
    assert Uniform(-1.0, 3.0).judge(evidence).ok
    assert not Uniform(-1.0, 3.5).judge(evidence).ok


def test_a_generator_is_found_wherever_it_is() -> None:
    assert has_generator(SEEDED) and has_generator(call([1, (GeneratorSeed(1),)]))
    assert not has_generator(UNSEEDED)


def test_both_are_contracts() -> None:
    for contract in (Uniform(), DROPOUT):
        assert isinstance(contract, Contract) and not contract.needs_truth
    assert (Uniform().calls, DROPOUT.calls) == (3, 2)


def _keep(x: torch.Tensor, p: float, training: bool = True) -> float:
    return 1.0 - p if training else 1.0


def _given(x: torch.Tensor, p: float, training: bool = True) -> torch.Tensor:
    keep = _keep(x, p, training)
    return gelu(x / keep) if keep else torch.zeros_like(x)


def _local(x: torch.Tensor, p: float, training: bool = True) -> torch.Tensor:
    return x.abs() / max(1 - p, 0.1)


DROPOUT = Dropout(_keep, _given, Close(scale=_local))
WIDE = (8, 50, 64)
X = torch.randn(WIDE, generator=torch.Generator().manual_seed(987_654))


def _mask(rate: float, seed: int, shape: tuple[int, ...] = WIDE) -> torch.Tensor:
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < rate


def _dropped(mask: torch.Tensor, p: float, x: torch.Tensor = X) -> torch.Tensor:
    return gelu(torch.where(mask, x.double() / (1 - p), 0.0)).to(x.dtype)


def _dropout(
    outputs: list[torch.Tensor], p: float, training: bool = True, x: torch.Tensor = X
) -> Verdict:
    evidence = Evidence(call(x, p, training), tuple((y,) for y in outputs), (), (outputs[0],))
    return DROPOUT.judge(evidence)


@pytest.mark.parametrize("p", (0.1, 0.5, 0.9))
def test_dropout_passes_any_honest_mask(p: float) -> None:
    for seed in range(5):
        masks = [_mask(1 - p, 2 * seed), _mask(1 - p, 2 * seed + 1)]
        found = _dropout([_dropped(mask, p) for mask in masks], p)
        assert found.ok and found.worst < 0.8


@pytest.mark.parametrize("p", (0.1, 0.3, 0.5, 0.9))
@pytest.mark.parametrize("off", (0.05, -0.05))
def test_dropout_rejects_a_keep_rate_that_is_off(p: float, off: float) -> None:
    masks = [_mask(1 - p + off, 0), _mask(1 - p + off, 1)]
    found = _dropout([_dropped(mask, p) for mask in masks], p)
    assert not found.ok and "keep rate" in found.detail


@pytest.mark.parametrize("p", (0.1, 0.5, 0.9))
def test_dropout_rejects_the_same_mask_in_two_calls(p: float) -> None:
    mask = _mask(1 - p, 0)
    assert not _dropout([_dropped(mask, p)] * 2, p).ok


@pytest.mark.parametrize("p", (0.1, 0.5, 0.9))
@pytest.mark.parametrize("shape", ((64,), (1, 50, 64), (8, 50, 1), (8, 1, 64)), ids=str)
def test_dropout_rejects_a_mask_repeated_by_row_batch_or_column(
    p: float, shape: tuple[int, ...]
) -> None:
    masks = [_mask(1 - p, seed, shape).expand(WIDE) for seed in (0, 1)]
    assert not _dropout([_dropped(mask, p) for mask in masks], p).ok


@pytest.mark.parametrize("block", (32, 128, 1024, 4096))
def test_dropout_rejects_a_mask_repeated_by_program(block: int) -> None:
    count = X.numel() // block + 1
    masks = [_mask(0.5, seed, (block,)).repeat(count)[: X.numel()].reshape(WIDE) for seed in (0, 1)]
    assert not _dropout([_dropped(mask, 0.5) for mask in masks], 0.5).ok


def test_dropout_rejects_wrong_values_whatever_the_mask() -> None:
    masks = [_mask(0.5, 0), _mask(0.5, 1)]
    unscaled = [_dropped(mask, 0.5, X / 2) for mask in masks]
    assert not _dropout(unscaled, 0.5).ok
    spoiled = _dropped(masks[0], 0.5)
    spoiled[0, 0, int(masks[0][0, 0].int().argmax())] *= 1.05
    found = _dropout([spoiled, _dropped(masks[1], 0.5)], 0.5)
    assert not found.ok and "neither dropped nor" in found.detail
    spoiled[:] = float("nan")
    assert not _dropout([spoiled, spoiled], 0.5).ok


def test_dropout_rejects_a_tail_that_is_never_dropped() -> None:
    masks = [_mask(0.5, seed) for seed in (0, 1)]
    for mask in masks:
        mask[-1] = True
    assert not _dropout([_dropped(mask, 0.5) for mask in masks], 0.5).ok


@pytest.mark.parametrize(("p", "training"), ((0.0, True), (0.5, False)))
def test_without_dropping_every_element_is_kept(p: float, training: bool) -> None:
    right = gelu(X)
    assert _dropout([right, right], p, training).ok
    one = right.clone()
    one[3, 4, 5] = 0.0
    assert not _dropout([one, right], p, training).ok


def test_with_probability_one_every_element_is_zero() -> None:
    zeros = torch.zeros_like(X)
    assert _dropout([zeros, -zeros], 1.0).ok
    one = zeros.clone()
    one[3, 4, 5] = 1e-30
    assert not _dropout([one, zeros], 1.0).ok


def test_elements_that_are_zero_anyway_say_nothing() -> None:
    x = X.clone()
    x[:4] = 0.0
    masks = [_mask(0.5, seed) for seed in (0, 1)]
    assert _dropout([_dropped(mask, 0.5, x) for mask in masks], 0.5, x=x).ok


def test_small_tensors_are_judged_by_their_values() -> None:
    x = X[0, :2, :3]
    mask = torch.ones_like(x, dtype=torch.bool)
    kept = _dropped(mask, 0.5, x)
    assert _dropout([kept, kept], 0.5, x=x).ok
    assert not _dropout([kept * 1.01, kept], 0.5, x=x).ok
