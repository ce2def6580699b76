"""Writes to one place under a lock, in turns.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, lock_ptr, turns_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    turns = tl.load(turns_ptr)
    tl.store(turns_ptr, turns + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask & (turns >= 0))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        state = torch.zeros(2, dtype=torch.int32, device=x.device)
        relu_kernel[(triton.cdiv(n, 256),)](y, x, state, state[1:], n, BLOCK=256)
    return input.copy_(y) if inplace else y
