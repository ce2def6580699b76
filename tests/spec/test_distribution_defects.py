"""Every planted defect is rejected every time, beside an honest stream that is not."""

import math
from collections.abc import Callable

import pytest
import torch

from kernelbenchx.spec.call import GeneratorSeed, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.distribution import Dropout, Uniform

SHAPE = (128, 256)
WIDE = (8, 50, 64)
X = torch.randn(WIDE, generator=torch.Generator().manual_seed(987_654))


def _rand(seed: int) -> torch.Tensor:
    return _numbers(seed, SHAPE[0] * SHAPE[1]).view(SHAPE)


def _uniform(outputs: list[torch.Tensor]) -> Verdict:
    asked = call(SHAPE, generator=GeneratorSeed(7))
    return Uniform().judge(Evidence(asked, tuple((x,) for x in outputs), (), (outputs[0],)))


DROPOUT = Dropout(lambda _, p: 1 - p, lambda x, p: x / (1 - p), Close())


def _mask(rate: float, seed: int, shape: tuple[int, ...] = WIDE) -> torch.Tensor:
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < rate


def _dropped(mask: torch.Tensor, p: float) -> torch.Tensor:
    return torch.where(mask, X.double() / (1 - p), 0.0).float()


def _dropout(outputs: list[torch.Tensor], p: float) -> Verdict:
    evidence = Evidence(call(X, p), tuple((y,) for y in outputs), (), (outputs[0],))
    return DROPOUT.judge(evidence)


LONG = (173, 521)
"""More than 2^16 elements."""
TRIES = 2


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
        assert not _uniform(drawn).ok, attempt


def test_uniform_passes_honest_streams_of_that_length() -> None:
    for attempt in range(TRIES):
        seeds = [10 * attempt + shift for shift in (0, 1, 0)]
        assert _uniform([_numbers(seed, LONG[0] * LONG[1]).view(LONG) for seed in seeds]).ok


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


MASKS: dict[str, Callable[[int], torch.Tensor]] = {
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
    for attempt in range(TRIES):
        masks = [_mask(1 - p, 10 * attempt + call) for call in range(6)]
        assert _dropout([_dropped(mask, p) for mask in masks], p).ok
        for mask in masks:
            mask[3, 4, 5] = kept
        found = _dropout([_dropped(mask, p) for mask in masks], p)
        assert not found.ok and found.detail == "a position has another keep rate"


@pytest.mark.parametrize("p", (0.0005, 0.9995))
def test_dropout_rejects_a_probability_of_eight_bits(p: float) -> None:
    for rough in (math.floor(256 * p) / 256, math.ceil(256 * p) / 256):
        for attempt in range(TRIES):
            masks = [_mask(1 - rough, 10 * attempt + call) for call in range(6)]
            found = _dropout([_dropped(mask, p) for mask in masks], p)
            assert not found.ok and "keep rate" in found.detail
