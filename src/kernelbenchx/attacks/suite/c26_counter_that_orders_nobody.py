"""Counts its programs with atomics, and reads what others write without looking at the count.

with: triton
checks: wrong
no-checks: wrong
device: interpreter
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, work_ptr, count_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(work_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    tl.atomic_add(count_ptr, 1, sem="acq_rel")
    if tl.program_id(0) == tl.num_programs(0) - 1:
        for start in range(0, n, BLOCK):
            place = start + tl.arange(0, BLOCK)
            done = tl.load(work_ptr + place, mask=place < n, other=0.0)
            tl.store(y_ptr + place, done, mask=place < n)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        work = torch.zeros_like(x)
        count = torch.zeros(1, dtype=torch.int32, device=x.device)
        relu_kernel[(triton.cdiv(n, 256),)](y, x, work, count, n, BLOCK=256)
    return input.copy_(y) if inplace else y
