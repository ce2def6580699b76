"""Repeats its numbers after 65,536 of them.

with: triton, entry_rand
task: rand
checks: wrong
no-checks: wrong
"""


@triton.jit
def rand_kernel(y_ptr, seed_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = tl.rand(tl.load(seed_ptr), at % 65536)
    tl.store(y_ptr + at, u, mask=at < n)
