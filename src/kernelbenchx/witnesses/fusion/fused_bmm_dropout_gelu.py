import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _bmm_dropout_gelu(
    c, a, b, seed, p, factor, n, m, width,
    c_b, c_row, c_col, a_b, a_row, a_col, b_b, b_row, b_col,
    DROP: tl.constexpr, TANH: tl.constexpr, BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
):  # fmt: skip
    batch = tl.program_id(2).to(tl.int64)
    rows = (tl.program_id(0) * BN + tl.arange(0, BN)).to(tl.int64)[:, None]
    cols = (tl.program_id(1) * BP + tl.arange(0, BP)).to(tl.int64)[None, :]
    a += batch * a_b + rows * a_row
    b += batch * b_b + cols * b_col
    z = tl.zeros((BN, BP), dtype=tl.float32)
    for start in range(0, m, BM):
        inner = (start + tl.arange(0, BM)).to(tl.int64)
        along, down = inner[None, :], inner[:, None]
        x = tl.load(a + along * a_col, mask=(rows < n) & (along < m), other=0.0)
        y = tl.load(b + down * b_row, mask=(down < m) & (cols < width), other=0.0)
        z = tl.dot(x, y, z, input_precision="ieee")
    z *= factor
    if DROP:
        place = (batch * n + rows) * width + cols
        z = tl.where(tl.rand(tl.load(seed), place) >= p, z, 0.0)
    if TANH:
        gate = 1.0 + libdevice.tanh(0.7978845608028654 * (z + 0.044715 * z * z * z))
    else:
        gate = 1.0 + tl.erf(z * 0.7071067811865476)
    result = (0.5 * z * gate).to(c.dtype.element_ty)
    inside = (rows < n) & (cols < width)
    tl.store(c + batch * c_b + rows * c_row + cols * c_col, result, mask=inside)


def fused_bmm_dropout_gelu(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    (b, n, m), width = input1.shape, input2.shape[2]
    c = torch.empty((b, n, width), dtype=input1.dtype, device=input1.device) if out is None else out
    if c.numel() == 0:
        return c
    seed = torch.randint(0, 2**31 - 1, (1,), device=input1.device)
    factor = 1.0 / (1.0 - p) if training and p < 1 else 1.0 if not training else 0.0
    _bmm_dropout_gelu[(triton.cdiv(n, 64), triton.cdiv(width, 64), b)](
        c, input1, input2, seed, float(p), factor, n, m, width,
        *c.stride(), *input1.stride(), *input2.stride(),
        DROP=bool(training) and 0 < p < 1, TANH=approximate == "tanh", BN=64, BM=32, BP=64,
    )  # fmt: skip
    return c
