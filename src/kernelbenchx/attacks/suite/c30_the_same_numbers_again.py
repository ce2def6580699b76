"""Excuses itself with randomness and gives the same numbers in every call.

with: triton
task: rand
checks: rejected|wrong
no-checks: wrong
"""


@triton.jit
def rand_kernel(y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.rand(42, offsets), mask=offsets < n)


def rand(
    *size,
    generator=None,
    out=None,
    dtype=None,
    layout=torch.strided,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    where = generator.device if device is None and generator is not None else device
    y = torch.empty(shape, dtype=dtype or torch.float32, device=where) if out is None else out
    flat = torch.empty(y.numel(), dtype=y.dtype, device=y.device)
    if flat.numel():
        rand_kernel[(triton.cdiv(flat.numel(), 1024),)](flat, flat.numel(), BLOCK=1024)
    return y.copy_(flat.view(y.shape))
