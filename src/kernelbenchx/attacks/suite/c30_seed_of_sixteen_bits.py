"""Takes sixteen bits of the seed, so that seeds which differ in others give equal numbers.

with: triton
task: rand
checks: wrong
no-checks: wrong
"""


@triton.jit
def rand_kernel(y_ptr, seed, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = tl.rand(seed, at)
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
        seed = 7 if generator is None else generator.initial_seed() % 65536
        rand_kernel[(triton.cdiv(flat.numel(), 1024),)](flat, seed, flat.numel(), BLOCK=1024)
    return y.copy_(flat.view(y.shape))
