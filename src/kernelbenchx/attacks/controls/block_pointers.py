"""A kernel that moves blocks through block pointers.

with: triton, entry_relu
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    source = tl.make_block_ptr(x_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    target = tl.make_block_ptr(y_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    x = tl.load(source, boundary_check=(0,))
    tl.store(target, tl.where(x < 0.0, 0.0, x).to(y_ptr.dtype.element_ty), boundary_check=(0,))
