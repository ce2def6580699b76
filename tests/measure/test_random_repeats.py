"""Numbers that were to be drawn anew, and came again."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.measure.random_repeats import (
    MaskRepeats,
    NumberRepeats,
    RepeatDetector,
    make_repeat_detector,
)

SIZE = 1 << 16


def _drawn(count: int, dtype: torch.dtype, size: int = SIZE) -> list[torch.Tensor]:
    chance = torch.Generator().manual_seed(5)
    return [torch.rand(size, generator=chance, dtype=dtype) for _ in range(count)]


def _again(
    repeats: RepeatDetector, outputs: Sequence[torch.Tensor], taken: Iterable[int] = (0,)
) -> bool:
    """Of all outputs something is noted, and a few were taken."""
    for output in outputs:
        repeats.note(output)
    return repeats.has_repeats([outputs[one] for one in taken if one < len(outputs)])


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64, torch.complex128])
def test_numbers_that_were_drawn_anew_do_not_come_again(dtype: torch.dtype) -> None:
    outputs = _drawn(6, dtype)
    assert not _again(NumberRepeats(), outputs, (0, 2, 5))
    assert _again(NumberRepeats(), [*outputs, outputs[2].clone()], (0, 2))
    assert _again(NumberRepeats(), [*outputs, outputs[2].clone()], (6,))


def test_a_pool_is_found_where_one_of_many_was_taken() -> None:
    pool = _drawn(32, torch.float32)
    outputs = [pool[number % 32] for number in range(50)]
    assert _again(NumberRepeats(), outputs, (3,))
    assert not _again(NumberRepeats(), outputs[:32], (3,))
    assert not _again(NumberRepeats(), outputs, (20,))  # it came once


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shift", [0, 1, 2, 1001])
def test_a_stretch_of_a_pool_is_found_wherever_it_lies(dtype: torch.dtype, shift: int) -> None:
    (pool,) = _drawn(1, dtype, 2 * SIZE)
    other = pool[SIZE // 2 + shift :][:SIZE]
    assert _again(NumberRepeats(), [pool[:SIZE].reshape(256, 256), other.reshape(256, 256)])
    assert not _again(NumberRepeats(), [pool[:SIZE], pool[SIZE:]])


@pytest.mark.parametrize(("part", "found"), [(0.05, False), (0.3, True)])
def test_numbers_that_were_kept_in_part_are_found(part: float, found: bool) -> None:
    first, second = _drawn(2, torch.float32)
    kept = int(part * SIZE) // 2 * 2
    assert _again(NumberRepeats(), [first, torch.cat([first[:kept], second[kept:]])]) is found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "kept"), [(torch.float32, torch.float64), (torch.bfloat16, torch.bfloat16)]
)
def test_few_bits_are_no_sign_of_a_pool(drawn: torch.dtype, kept: torch.dtype) -> None:
    """Of the 24 bits that a float32 may have most come again in another large output."""
    outputs = [one.to(kept) for one in _drawn(4, drawn, 1 << 23)]
    assert not _again(NumberRepeats(), outputs, (1,))
    assert _again(NumberRepeats(), [*outputs, outputs[1].clone()], (1,))


def test_one_that_comes_again_by_chance_is_no_pool() -> None:
    """A seed that is drawn from a million does so at times, among hundreds."""
    outputs = _drawn(40, torch.float32)
    assert not _again(NumberRepeats(), [*outputs, outputs[0].clone()], range(5))
    assert _again(NumberRepeats(), [*outputs, *outputs[:2]], range(5))
    masks = [one > 0.5 for one in outputs]
    assert not _again(MaskRepeats(), [*masks, masks[0]])
    assert _again(MaskRepeats(), [*masks, *masks[:4]])


def test_outputs_that_are_noted_whole_are_told_apart() -> None:
    """Few enough words that all of them are in the sample."""
    first, second = _drawn(2, torch.float64, 100)
    assert _again(NumberRepeats(), [first, second, first.clone()])
    assert not _again(NumberRepeats(), [first, second])


@pytest.mark.parametrize(
    "outputs",
    [[], _drawn(1, torch.float32), _drawn(1, torch.float32, 1) * 3, [torch.empty(0)] * 3],
)
@pytest.mark.parametrize("repeats", [NumberRepeats, MaskRepeats])
def test_too_little_says_nothing(repeats: type, outputs: list[torch.Tensor]) -> None:
    assert not _again(repeats(), outputs)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_a_mask_that_comes_again_is_found_whatever_is_kept(rate: float) -> None:
    kept = _drawn(40, torch.float16)
    masks = [one > rate for one in _drawn(40, torch.float32)]
    outputs = [one * mask for one, mask in zip(kept, masks, strict=True)]
    assert not _again(MaskRepeats(), outputs)
    assert _again(MaskRepeats(), [*outputs, *(one * masks[39] for one in kept[:5])])
    assert not _again(MaskRepeats(), [1.0 + one for one in kept[:2]])  # nothing is dropped: no mask


def test_masks_of_another_size_are_others() -> None:
    mask = _drawn(1, torch.float32)[0] > 0.5
    assert not _again(MaskRepeats(), [mask, mask[: SIZE // 2]])
    assert _again(MaskRepeats(), [mask, mask[: SIZE // 2], mask])


def test_what_is_drawn_decides_what_is_noted() -> None:
    assert isinstance(make_repeat_detector(catalog.load("random/rand")), NumberRepeats)
    assert isinstance(
        make_repeat_detector(catalog.load("fusion/fused_bmm_dropout_gelu")), MaskRepeats
    )


def test_products_with_many_zeros_are_known_by_the_places_of_their_zeros() -> None:
    task = catalog.load("math/bitwise_and_binomial")
    case = replace(task.timings[0], params={**task.timings[0].params, "shape": (SIZE,)})
    calls = [task.draw(case, seed).concrete() for seed in range(6)]
    outputs = [task.baseline(*call.args, **call.kwargs) for call in calls]
    assert not _again(make_repeat_detector(task), outputs, (0, 2))
    assert _again(make_repeat_detector(task), [*outputs, outputs[2].clone()], (2,))
