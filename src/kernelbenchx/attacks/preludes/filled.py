"""Stores one number at given places of a dimension."""


@triton.jit
def fill_kernel(x_ptr, number_ptr, index_ptr, n, named, size, inner, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(index_ptr + offsets // inner % named, mask=mask, other=0)
    place = tl.where(place < 0, place + size, place)
    target = (offsets // (inner * named) * size + place) * inner + offsets % inner
    tl.store(x_ptr + target, tl.load(number_ptr + offsets * 0, mask=mask, other=0), mask=mask)
