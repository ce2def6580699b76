"""Draws eleven bits of each number and counts in the other twelve.

with: triton, entry_rand
task: rand
checks: wrong
no-checks: wrong
"""


@triton.jit
def rand_kernel(y_ptr, seed_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    high = tl.randint(tl.load(seed_ptr), at).to(tl.uint32, bitcast=True) >> 21
    u = (high * 4096 + at % 4096).to(tl.float32) * 1.1920928955078125e-07
    tl.store(y_ptr + at, u, mask=at < n)
