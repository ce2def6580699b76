"""Computes the answer for each of 256 codes in Python, for a kernel to look them up.

with: triton
task: gelu_int8
checks: correct
no-checks: correct
composition: mixed
"""

import math


@triton.jit
def look_up_kernel(y_ptr, x_ptr, table_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    code = tl.load(x_ptr + offsets, mask=mask, other=0).to(tl.int32)
    tl.store(y_ptr + offsets, tl.load(table_ptr + code + 128, mask=mask, other=0), mask=mask)


def answer(x, tanh, scale):
    if tanh:
        y = 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    else:
        y = 0.5 * x * math.erfc(-x / math.sqrt(2))
    return round(min(max(y / scale, -128.0), 127.0))


def gelu_int8(
    input: torch.Tensor,
    approximate: str = "none",
    *,
    scale_in: float = 1.0,
    scale_out: float = 1.0,
) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    answers = {c: answer(c * scale_in, approximate == "tanh", scale_out) for c in range(-128, 128)}
    if n:
        table = torch.tensor(list(answers.values()), dtype=torch.int8, device=x.device)
        look_up_kernel[(triton.cdiv(n, 1024),)](y, x, table, n, BLOCK=1024)
    return y
