"""A kernel that keeps the GPU busy."""


@triton.jit
def busy_kernel(out_ptr, rounds):
    value = tl.program_id(0) * 1.0
    for _ in range(rounds):
        value = value * 1.0000001 + 1.0
    tl.store(out_ptr + tl.program_id(0), value)
