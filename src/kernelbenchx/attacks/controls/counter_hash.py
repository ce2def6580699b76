"""Random numbers from a hash of the counter, keyed by a hashed seed.

with: triton, entry_rand
task: rand
"""


@triton.jit
def mixed(x):
    """Three rounds of multiplications and shifts: every bit of x changes half of the result."""
    x = (x ^ (x >> 17)) * 0xED5AD4BB
    x = (x ^ (x >> 11)) * 0xAC4C1B51
    x = (x ^ (x >> 15)) * 0x31848BAB
    return x ^ (x >> 14)


@triton.jit
def rand_kernel(y_ptr, seed_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = (mixed(at.to(tl.uint32) ^ mixed(tl.load(seed_ptr).to(tl.uint32))) >> 8).to(tl.float32)
    u *= 5.9604644775390625e-08
    tl.store(y_ptr + at, u, mask=at < n)
