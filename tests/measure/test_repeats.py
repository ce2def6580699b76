"""Numbers that were to be drawn anew, and came again."""

import pytest
import torch

from kernelbenchx.measure.repeats import masks_come_again, numbers_come_again

SIZE = 1 << 16


def _drawn(count: int, dtype: torch.dtype, size: int = SIZE) -> list[torch.Tensor]:
    chance = torch.Generator().manual_seed(5)
    return [torch.rand(size, generator=chance, dtype=dtype) for _ in range(count)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_numbers_that_were_drawn_anew_do_not_come_again(dtype: torch.dtype) -> None:
    outputs = _drawn(6, dtype)
    assert not numbers_come_again(outputs)
    assert numbers_come_again([*outputs, outputs[2].clone()])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shift", [0, 1, 2, 1001])
def test_a_stretch_of_a_pool_is_found_wherever_it_lies(dtype: torch.dtype, shift: int) -> None:
    (pool,) = _drawn(1, dtype, 2 * SIZE)
    other = pool[SIZE // 2 + shift :][:SIZE]
    assert numbers_come_again([pool[:SIZE].reshape(256, 256), other.reshape(256, 256)])
    assert not numbers_come_again([pool[:SIZE], pool[SIZE:]])


@pytest.mark.parametrize("outputs", [[], _drawn(1, torch.float32), _drawn(3, torch.float32, 1)])
def test_too_little_says_nothing(outputs: list[torch.Tensor]) -> None:
    assert not numbers_come_again(outputs)
    assert not masks_come_again(outputs)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_a_mask_that_comes_again_is_found_whatever_is_kept(rate: float) -> None:
    kept = _drawn(4, torch.float16)
    masks = [one > rate for one in _drawn(4, torch.float32)]
    assert not masks_come_again([one * mask for one, mask in zip(kept, masks, strict=True)])
    assert masks_come_again([one * masks[0] for one in kept[:2]])
    assert not masks_come_again(
        [1.0 + one for one in kept[:2]]
    )  # nothing is dropped: no mask to be seen
