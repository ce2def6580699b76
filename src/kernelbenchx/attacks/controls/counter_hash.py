"""Random numbers from a hash of the counter, keyed by a hashed seed.

task: rand
"""

import torch
import triton
import triton.language as tl


@triton.jit
def mixed(x):
    """Three rounds of multiplications and shifts: every bit of x changes half of the result."""
    x = (x ^ (x >> 17)) * 0xED5AD4BB
    x = (x ^ (x >> 11)) * 0xAC4C1B51
    x = (x ^ (x >> 15)) * 0x31848BAB
    return x ^ (x >> 14)


@triton.jit
def rand_kernel(y_ptr, seed_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = (mixed(at.to(tl.uint32) ^ mixed(tl.load(seed_ptr).to(tl.uint32))) >> 8).to(tl.float32)
    u *= 5.9604644775390625e-08
    tl.store(y_ptr + at, u, mask=at < n)


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
        seed = torch.randint(0, 2**31 - 1, (1,), generator=generator, device=y.device)
        rand_kernel[(triton.cdiv(flat.numel(), 1024),)](flat, seed, flat.numel(), BLOCK=1024)
    return y.copy_(flat.view(y.shape))
