"""Kernels as a model might write them: they parse, and differ in length, branches and comments."""

import random

_HEAD = """import torch
import triton
import triton.language as tl


@triton.jit
def _{name}(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
"""
_TAIL = """    tl.store(y + at, value.to(y.dtype.element_ty), mask=mask)


def {name}(input: torch.Tensor) -> torch.Tensor:
{checks}    flat = input.contiguous()
    result = torch.empty_like(flat)
    count = flat.numel()
    _{name}[(triton.cdiv(count, {block}),)](result, flat, count, BLOCK={block})
    return result
"""
_STEPS = (
    "value = value * {number}",
    "value = tl.exp(value - {number})",
    "value = tl.where(value > {number}, value, 0.0)",
    "value = value / (1.0 + tl.abs(value))",
    "value = tl.maximum(value, {number})",
    "value += tl.sum(value, axis=0) * {number}",
    "value = tl.sqrt(tl.abs(value) + {number})",
)
_COMMENTS = ("# keep the sum in float32", "# the tail is masked", "# one block per program")
_CHECKS = (
    '    if input.dim() > {number}:\n        raise ValueError("too many dimensions")\n',
    "    if input.numel() == 0:\n        return torch.empty_like(input)\n",
    "    for size in input.shape:\n        if size < {number}:\n            break\n",
)
_BLOCKS = (128, 256, 512, 1024)


def kernel_source(name: str, draw: random.Random, length: int = 6) -> str:
    """A source for the task `name` with about `length` lines of arithmetic."""
    word = name.rpartition("/")[2]
    lines = []
    for _ in range(max(1, round(draw.gauss(length, 2)))):
        if draw.random() < 0.3:
            lines.append(f"    {draw.choice(_COMMENTS)}\n")
        step = draw.choice(_STEPS).format(number=round(draw.random(), 4))
        lines.append(f"    {step}\n")
    checks = "".join(one.format(number=draw.randrange(9)) for one in _CHECKS if draw.random() < 0.4)
    block = draw.choice(_BLOCKS)
    return (
        _HEAD.format(name=word)
        + "".join(lines)
        + _TAIL.format(name=word, checks=checks, block=block)
    )


def broken_source(name: str, draw: random.Random) -> str:
    """A reply that is not Python."""
    return kernel_source(name, draw).replace("def ", "def def ", 1)
