"""Some of the tuned configurations need more shared memory than there is.

with: triton, entry_relu_of_a_grid
"""


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 256, "WIDTH": 16}),
        triton.Config({"BLOCK": 512, "WIDTH": 256}),
        triton.Config({"BLOCK": 1024, "WIDTH": 16}, num_warps=8),
    ],
    key=[],
)
@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    row = tl.arange(0, WIDTH)
    ones = tl.full((WIDTH, WIDTH), 1.0, tl.float32) * (row[:, None] == row[None, :])
    same = tl.dot(ones, ones)
    x += (tl.sum(tl.sum(same, 1), 0) - WIDTH).to(x.dtype)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
