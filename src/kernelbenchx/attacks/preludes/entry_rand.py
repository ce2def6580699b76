"""Launches `rand_kernel` of the file."""

...


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
