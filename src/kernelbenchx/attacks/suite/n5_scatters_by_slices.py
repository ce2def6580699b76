"""Assigns hundreds of elements of src by slices of torch, and leaves the rest to a kernel.

with: triton
task: scatter
checks: correct
no-checks: correct
composition: mixed
"""


@triton.jit
def scatter_kernel(
    out_ptr, index_ptr, src_ptr, first, n, n1, n2, n3, o0, o1, o2, o3,
    DIM: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (at >= first) & (at < n)
    place = tl.load(index_ptr + at, mask=mask, other=0)
    value = tl.load(src_ptr + at, mask=mask, other=0.0)
    i3 = at % n3
    i2 = at // n3 % n2
    i1 = at // (n3 * n2) % n1
    i0 = at // (n3 * n2 * n1)
    if DIM == 0:
        i0 = place
    elif DIM == 1:
        i1 = place
    elif DIM == 2:
        i2 = place
    else:
        i3 = place
    tl.store(out_ptr + i0 * o0 + i1 * o1 + i2 * o2 + i3 * o3, value, mask=mask)


def scatter(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    if not input.dim():
        return scatter(input.view(1), 0, index.view(1), src.view(1)).view(())
    out = input.clone(memory_format=torch.contiguous_format)
    n = index.numel()
    if not n:
        return out
    for d, size in enumerate(index.shape):
        src = src.narrow(d, 0, size)
    places, values = index.contiguous(), src.contiguous()
    first = 270 if n > 1000 else 0
    lead = 4 - out.dim()
    sizes = (1,) * lead + tuple(index.shape)
    steps = (0,) * lead + tuple(out.stride())
    scatter_kernel[(triton.cdiv(n, 256),)](
        out, places, values, first, n, *sizes[1:], *steps,
        DIM=dim % out.dim() + lead, BLOCK=256
    )  # fmt: skip
    own, ours = values.stride(), out.stride()
    for number, target in enumerate(places.view(-1)[:first].tolist()):
        # A dimension of size 1 may have any stride, also 0.
        spot = [number // max(step, 1) % size for step, size in zip(own, index.shape, strict=True)]
        spot[dim] = target
        at = sum(place * step for place, step in zip(spot, ours, strict=True))
        out.view(-1)[at : at + 1] = values.view(-1)[number : number + 1]
    return out
