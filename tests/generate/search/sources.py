"""Sources as models write them, for the tests of the search."""

HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n\n"

KERNEL = """@triton.jit
def _scale(y, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


"""

NAMED = (
    HEAD
    + KERNEL
    + """def scale(x):
    y = torch.empty_like(x)
    BLOCK = 1024  # a size: 1024
    _scale[(triton.cdiv(x.numel(), BLOCK),)](y, x, x.numel(), BLOCK=BLOCK, num_warps=4)
    return y
"""
)

PLAIN = (
    HEAD
    + KERNEL
    + """def scale(x):
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
    _scale[grid](
        y,
        x,
        x.numel(),
        BLOCK=256,  # last, with a comma
    )
    return y
"""
)

REPEATED = (
    HEAD
    + KERNEL
    + """def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    blocks = (n + 511) // 512
    _scale[(blocks,)](y, x, n, 512)
    return y
"""
)

PRODUCT = (
    HEAD
    + """@triton.jit
def _product(c, a, b, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        acc = tl.dot(a, b, acc)


def product(a, b):
    m, k = a.shape
    n = b.shape[1]
    c = torch.empty((m, n))
    _product[(triton.cdiv(m, 64) * triton.cdiv(n, 64),)](c, a, b, m, n, k, BM=64, BN=64, BK=32)
    return c
"""
)

TUNED = (
    HEAD
    + """@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 128}, num_warps=2),
        triton.Config({"BLOCK": 2048}, num_warps=8),  # wide
    ],
    key=["n"],
)
"""
    + KERNEL
    + """def scale(x):
    y = torch.empty_like(x)
    _scale[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](y, x, x.numel())
    return y
"""
)
