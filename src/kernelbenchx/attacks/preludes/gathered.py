"""Elements at given places, stored by a kernel."""


@triton.jit
def gather_kernel(y_ptr, x_ptr, index_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(index_ptr + offsets, mask=mask, other=0)
    tl.store(y_ptr + offsets, tl.load(x_ptr + place, mask=mask, other=0), mask=mask)


def gathered(x, places):
    if x.is_complex():
        x = x.reshape(-1).view(torch.int64)
    y = torch.empty((places.numel(),), dtype=x.dtype, device=x.device)
    if y.numel():
        gather_kernel[(triton.cdiv(y.numel(), 1024),)](y, x, places, y.numel(), BLOCK=1024)
    return y
