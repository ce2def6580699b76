import torch
import triton
import triton.language as tl


@triton.jit
def _addmm(
    c, a, b, e, n, m, p, c_row, c_col, a_row, a_col, b_row, b_col, e_row, e_col, alpha, beta,
    ADDED: tl.constexpr, BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
):  # fmt: skip
    rows = (tl.program_id(0) * BN + tl.arange(0, BN)).to(tl.int64)[:, None]
    cols = (tl.program_id(1) * BP + tl.arange(0, BP)).to(tl.int64)[None, :]
    acc = tl.zeros((BN, BP), dtype=tl.float32)
    for start in range(0, m, BM):
        inner = (start + tl.arange(0, BM)).to(tl.int64)
        along, down = inner[None, :], inner[:, None]
        x = tl.load(a + rows * a_row + along * a_col, mask=(rows < n) & (along < m), other=0.0)
        y = tl.load(b + down * b_row + cols * b_col, mask=(down < m) & (cols < p), other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    inside = (rows < n) & (cols < p)
    acc *= alpha
    if ADDED:
        acc += beta * tl.load(e + rows * e_row + cols * e_col, mask=inside, other=0.0).to(
            tl.float32
        )
    tl.store(c + rows * c_row + cols * c_col, acc.to(c.dtype.element_ty), mask=inside)


def addmm(
    input: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: float = 1,
    alpha: float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    n, m, p = mat1.shape[0], mat1.shape[1], mat2.shape[1]
    c = torch.empty((n, p), dtype=mat1.dtype, device=mat1.device) if out is None else out
    if c.numel():
        e = input.expand(n, p)
        _addmm[(triton.cdiv(n, 64), triton.cdiv(p, 64))](
            c, mat1, mat2, e, n, m, p, *c.stride(), *mat1.stride(), *mat2.stride(), *e.stride(),
            float(alpha), float(beta), ADDED=beta != 0, BN=64, BM=32, BP=64,
        )  # fmt: skip
    return c
