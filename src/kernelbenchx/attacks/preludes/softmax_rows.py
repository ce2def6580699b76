"""Softmax by two kernels and a workspace."""


@triton.jit
def rows_kernel(work_ptr, x_ptr, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    top = tl.full((BLOCK,), -float("inf"), COMPUTE)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=-float("inf"))
        top = tl.maximum(top, x.to(COMPUTE), propagate_nan=tl.PropagateNan.ALL)
    largest = tl.max(top, axis=0)
    total = tl.zeros((BLOCK,), COMPUTE)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=-float("inf"))
        total += tl.where(offsets < n, tl.exp(x.to(COMPUTE) - largest), 0.0)
    tl.store(work_ptr + 2 * row, largest)
    tl.store(work_ptr + 2 * row + 1, tl.sum(total, axis=0))


@triton.jit
def divide_kernel(y_ptr, x_ptr, work_ptr, n, COMPUTE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.load(work_ptr + 2 * row)
    total = tl.load(work_ptr + 2 * row + 1)
    x = tl.load(x_ptr + row * n + offsets, mask=offsets < n, other=0.0).to(COMPUTE)
    tl.store(y_ptr + row * n + offsets, tl.exp(x - largest) / total, mask=offsets < n)
