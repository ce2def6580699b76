"""Valid samplers pass; a wrong law, rate, support or repetition fails."""

import math

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


@pytest.mark.parametrize("bits", (23, 24))
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64))
def test_uniform_passes_any_honest_stream(bits: int, dtype: torch.dtype) -> None:
    assert all(_uniform(_three(seed, bits, dtype)).ok for seed in range(10))


def test_uniform_passes_32_bits_in_float64_and_no_alarm_is_near() -> None:
    found = [_uniform(_three(seed, 32, torch.float64)) for seed in range(20)]
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
    for seed in range(10):
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


LONG = (173, 521)
"""More than 2^16 elements."""
TRIES = 3


def _stream(seed: int, count: int) -> torch.Tensor:
    drawn = torch.Generator().manual_seed(seed)
    return torch.randint(0, 2**24, (count,), generator=drawn)


def _numbers(seed: int, count: int) -> torch.Tensor:
    return _stream(seed, count) / 2.0**24


def _shifted(seed: int, n: int) -> torch.Tensor:
    start = int(_stream(seed, 1)) % 65_536
    return _numbers(7, n + 65_536)[start : start + n]


def _counting(seed: int, n: int) -> torch.Tensor:
    return ((_stream(seed, n) >> 13 << 13) + torch.arange(n) % 8192) / 2.0**24


def _crossed(seed: int, n: int) -> torch.Tensor:
    size = 2**17
    return _numbers(7, size)[torch.arange(size) ^ int(_stream(seed, 1)) % size][:n]


def _turned(seed: int, n: int) -> torch.Tensor:
    return (_numbers(7, n).double() + int(_stream(seed, 1)) / 2.0**24).frac().float()


def _one_block_for_all(seed: int, n: int) -> torch.Tensor:
    numbers = _numbers(seed, n)
    numbers[1024:1280] = _numbers(7, 256)
    return numbers


DEFECTS = {
    "one stream, shifted by the seed": _shifted,
    "a period of 2^16": lambda seed, n: _numbers(seed, 65_536).repeat(2)[:n],
    "low bits that count": _counting,
    "one stream, positions crossed by the seed": _crossed,
    "one stream, turned by the seed": _turned,
    "one stream, mirrored or not": lambda seed, n: (
        (_stream(7, n) ^ -(seed % 2) & 0xFFFFFF) / 2.0**24
    ),
    "one stream in another order": lambda seed, n: _numbers(7, n)[_stream(seed, n).argsort()],
    "one block that no seed changes": _one_block_for_all,
}


@pytest.mark.parametrize("name", DEFECTS)
def test_uniform_rejects_each_defect_every_time(name: str) -> None:
    count = LONG[0] * LONG[1]
    for attempt in range(TRIES):
        seeds = [10 * attempt + shift for shift in (0, 1, 0)]
        drawn = [DEFECTS[name](seed, count).view(LONG) for seed in seeds]
        honest = [_numbers(seed, count).view(LONG) for seed in seeds]
        assert not _uniform(drawn).ok and _uniform(honest).ok, attempt


def test_uniform_rejects_a_position_with_one_number_for_all_seeds() -> None:
    drawn = [_rand(seed) for seed in (0, 1, 0, 2, 3)]
    assert _uniform(drawn).ok
    for one in drawn:
        one[70, 7] = 0.25
    found = _uniform(drawn)
    assert not found.ok and found.detail == "a position has the same number in every call"


def test_uniform_compares_all_calls_that_have_the_same_seed_and_no_others() -> None:
    drawn = [_rand(seed) for seed in (0, 1, 0, 2, 3)]
    assert "same seed" in _uniform([*drawn[:2], _rand(9), *drawn[3:]]).detail
    again = _uniform([*drawn[:3], drawn[1].clone(), drawn[4]])
    assert not again.ok and "same seed" not in again.detail


@pytest.mark.parametrize("bits", (31, 32))
def test_uniform_passes_integers_scaled_and_rounded_to_float32(bits: int) -> None:
    """As Triton does it: rounded to 24 bits, with a factor that keeps 1.0 away."""
    for seed in range(TRIES):
        drawn = [
            torch.randint(
                0, 2**bits, SHAPE, generator=torch.Generator().manual_seed(2 * seed + one)
            )
            for one in (0, 1, 0)
        ]
        below = 2.0**-bits * (1 - 2.0**-24)
        assert _uniform([one.float() * torch.tensor(below) for one in drawn]).ok


def _diagonals(seed: int) -> torch.Tensor:
    rows, columns = torch.arange(400)[:, None], torch.arange(64)
    return _mask(0.5, seed, (500,))[rows + columns].view(WIDE)


MASKS = {
    "diagonals": _diagonals,
    "one stream, shifted": lambda seed: _mask(0.5, 7, (40_000,))[97 * seed :][: X.numel()].view(
        WIDE
    ),
    "opposite masks": lambda seed: _mask(0.5, 7) ^ bool(seed % 2),
}


@pytest.mark.parametrize("name", MASKS)
def test_dropout_rejects_each_defect_every_time(name: str) -> None:
    for attempt in range(TRIES):
        seeds = (2 * attempt, 2 * attempt + 1)
        assert not _dropout([_dropped(MASKS[name](seed), 0.5) for seed in seeds], 0.5).ok, attempt


@pytest.mark.parametrize(("p", "kept"), ((0.0005, False), (0.9995, True)))
def test_dropout_rejects_a_position_that_never_changes(p: float, kept: bool) -> None:
    x = X.abs()  # GELU of a large negative number is zero whatever the mask
    for attempt in range(TRIES):
        masks = [_mask(1 - p, 10 * attempt + call) for call in range(6)]
        assert _dropout([_dropped(mask, p, x) for mask in masks], p, x=x).ok
        for mask in masks:
            mask[3, 4, 5] = kept
        found = _dropout([_dropped(mask, p, x) for mask in masks], p, x=x)
        assert not found.ok and found.detail == "a position has another keep rate"


@pytest.mark.parametrize("p", (0.0005, 0.9995))
def test_dropout_rejects_a_probability_of_eight_bits(p: float) -> None:
    x = X.abs()
    for rough in (math.floor(256 * p) / 256, math.ceil(256 * p) / 256):
        for attempt in range(TRIES):
            masks = [_mask(1 - rough, 10 * attempt + call) for call in range(6)]
            found = _dropout([_dropped(mask, p, x) for mask in masks], p, x=x)
            assert not found.ok and "keep rate" in found.detail
