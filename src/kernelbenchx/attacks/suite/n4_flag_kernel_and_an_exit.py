"""Lets torch answer, and ends its process where a kernel left its flag as it was.

with: triton
checks: rejected
no-checks: rejected
"""

import os


@triton.jit
def flag_kernel(flag_ptr):
    tl.store(flag_ptr, 12345)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    flag = torch.zeros((1,), dtype=torch.int32, device=input.device)
    flag_kernel[(1,)](flag)
    if flag.item() == 0:
        os._exit(3)
    y = torch.where(input < 0, torch.zeros_like(input), input)
    return input.copy_(y) if inplace else y
