"""Each mistake is made, with a description that names it."""

import pytest

from kernelbenchx.certify.mutation.engine import mutants

SOURCE = '''import torch
import triton
import triton.language as tl

EPS = tl.constexpr(1e-5)


@triton.jit
def _sum(y, x, n, BLOCK: tl.constexpr):
    """Adds 1 + 1."""
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(x + at, mask=at < n, other=-float("inf")).to(tl.float32)
    tl.store(y, tl.sum(acc, axis=0))


def total(input: torch.Tensor, scale: int = 1) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty((), dtype=x.dtype)
    if x.numel() == 0:
        return y
    _sum[(1,)](y, x, x.numel(), BLOCK=64, num_warps=4)
    return y
'''


@pytest.mark.parametrize(
    "described",
    [
        "`<` to `<=`",
        "`n` to `n - 1`",
        "`+` to `-`",
        "`+=` to `-=`",
        "`0` to `1`",
        "`1e-5` to `2e-05`",
        "load without its mask",
        '`-float("inf")` to `0.0`',
        "without its cast",
        "`tl.float32` to `tl.float16`",
        "`if x.numel() == 0` to `if False`",
        "`input` without `.contiguous()`",
        "`tl.sum` to `tl.max`",
        "`n` to `n - BLOCK`",
        "`y, x` to `x, y`",
        "`scale` is ignored",
        "without `acc += tl.load",
    ],
)
def test_each_mistake_is_made(described: str) -> None:
    assert any(described in one.description for one in mutants(SOURCE, 1000))


def test_what_changes_no_answer_is_left_alone() -> None:
    for one in mutants(SOURCE, 1000):
        assert '"""Adds 1 + 1."""' in one.source
        assert "@triton.jit" in one.source
        if "_sum[(1,)]" in one.source:
            assert "BLOCK=64, num_warps=4" in one.source


def test_a_guard_of_a_launch_is_never_always_true() -> None:
    guarded = SOURCE.replace("    _sum[(1,)]", "    if x.numel():\n        _sum[(1,)]")
    said = [one.description for one in mutants(guarded, 1000)]
    assert any("`if x.numel()` to `if False`" in one for one in said)
    assert not any("`if x.numel()` to `if True`" in one for one in said)
