"""Tells the card that what follows may start before its own work is done.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: correct
no-checks: correct
composition: pure
device: cuda
perf: failed|timed
perf-no-checks: failed|timed
gains: no
"""


@triton.jit
def early_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    tl.extra.cuda.gdc_launch_dependents()
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    early_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024, launch_pdl=True)
    return y
