"""Fourier transforms: the one on the host, and which calls are drawn."""

import math
from typing import Any, Literal

import numpy as np
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec.families import fourier
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from rejections import refused_truths
from tried_answers import rejecting


@pytest.mark.parametrize("size", [1, 2, 67, 256, 1000, 1009, 4100, 8190])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_the_transform_on_the_host_is_numpys(
    size: int, norm: Literal["ortho", "forward"] | None
) -> None:
    x = torch.randn(2, size, dtype=torch.complex128, generator=torch.Generator().manual_seed(0))
    mine = fourier.transform(x, None, (1,), norm)
    true = np.fft.fft(x.numpy(), axis=1, norm=norm)
    assert np.abs(mine.numpy() - true).max() <= 1e-12 * math.sqrt(size) * np.abs(true).max()


def test_several_dimensions_are_cut_and_padded_at_their_end() -> None:
    x = torch.randn(4, 5, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    mine = fourier.transform(x, (7, 3), (2, 0), None)
    true = np.fft.fftn(x.numpy(), s=(7, 3), axes=(2, 0))
    assert mine.shape == (3, 5, 7)
    assert np.allclose(mine.numpy(), true, rtol=0, atol=1e-12)


def test_every_pair_of_fftn_is_called_and_a_transform_of_half_the_input_is_not_one() -> None:
    task = catalog.load("math/fftn")
    assert task.space is not None
    assert find_uncovered_pairs(task.space, range(PARTS)) == ()

    def one_block(input: torch.Tensor, *args: Any, **words: Any) -> Any:
        input = input.clone()
        input[..., 4096:] = 0
        return task.reference(input, *args, **words)

    assert refused_truths(task, 1) == []
    assert {case.options["shape"] for case in rejecting(task, one_block, 1)} == {"long"}
