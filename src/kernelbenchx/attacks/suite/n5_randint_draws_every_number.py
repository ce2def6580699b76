"""Lets torch draw every number as an integer, and a kernel scale them.

with: triton
task: rand
checks: correct
no-checks: correct
composition: mixed
"""

from typing import Any


@triton.jit
def scale_kernel(out_ptr, drawn_ptr, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    drawn = tl.load(drawn_ptr + offsets, mask=offsets < n, other=0)
    if WIDE:
        value = drawn.to(tl.float64) * 1.1102230246251565e-16
    else:
        value = (drawn >> 29).to(tl.float32) * 5.9604644775390625e-08
    tl.store(out_ptr + offsets, value, mask=offsets < n)


def rand(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> torch.Tensor:
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    kind, where = torch.float32 if dtype is None else dtype, device
    if out is not None:
        kind, where = out.dtype, out.device
    elif device is None and generator is not None:
        where = generator.device
    values = torch.empty(shape, dtype=kind, device=where)
    n = values.numel()
    if n:
        drawn = torch.randint(0, 2**53, shape, generator=generator, device=where)
        scale_kernel[(triton.cdiv(n, 1024),)](
            values, drawn, n, WIDE=kind == torch.float64, BLOCK=1024
        )
    return values if out is None else out.copy_(values)
