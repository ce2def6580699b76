import torch
import triton
import triton.language as tl

BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def _block(y, x, mask):
    # The bits as an integer: its sign is the sign bit, of zeros and NaN too.
    tl.store(y, tl.load(x, mask=mask) < 0, mask=mask)


@triton.jit
def _signbit(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def signbit(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    n = x.numel()
    if n:
        _signbit[(triton.cdiv(n, 2048),)](y, x.view(BITS[x.itemsize]), n, BLOCK=2048)
    return y if out is None or y is out else out.copy_(y)
