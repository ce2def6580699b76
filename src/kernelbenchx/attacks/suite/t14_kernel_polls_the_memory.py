"""Leaves a kernel behind that waits for the next input and then computes.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|unmeasured
"""


@triton.jit
def polling_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    before = tl.load(x_ptr, volatile=True)
    now = before
    waited = 0
    while (now == before) & (waited < 512):
        now = tl.load(x_ptr, volatile=True)
        waited += 1
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=offsets < n)


AHEAD = {}


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    key = (x.data_ptr(), x.shape, x.dtype)
    y = AHEAD.get(key)
    if y is None:
        y = honest_relu(x)
    AHEAD[key] = torch.empty_like(x)
    with torch.cuda.stream(torch.cuda.Stream()):
        blocks = triton.cdiv(x.numel(), 1024)
        polling_kernel[(blocks,)](AHEAD[key], x, x.numel(), BLOCK=1024)
    return y
