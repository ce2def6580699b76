"""Triton's `/` is approximate, yet exact where the contract of quantised tasks relies on it."""

import pytest
import torch
import triton
import triton.language as tl

pytestmark = pytest.mark.gpu


@triton.jit  # type: ignore[untyped-decorator]
def _codes(q, scales, x, levels, N: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at)
    scale = tl.max(tl.abs(v), axis=0) / levels
    tl.store(scales + tl.program_id(0), scale)
    tl.store(q + at, v / scale)


@pytest.mark.parametrize("levels", (7, 127))
def test_a_scale_that_is_a_power_of_two_and_its_quotients_are_exact(levels: int) -> None:
    units = 2.0 ** torch.arange(-20, 21, device="cuda")[:, None]
    halves = torch.randint(-2 * levels + 1, 2 * levels, (len(units), 256), device="cuda") / 2
    halves[:, 0] = levels
    x, q, scales = (units * halves).contiguous(), torch.empty_like(halves), torch.empty_like(units)
    _codes[(len(units),)](q, scales, x, float(levels), N=256)
    assert torch.equal(scales, units)
    assert torch.equal(q, halves)
