"""Looks facts of the device and of a size up in caches.

with: triton, relu_kernel, honest_relu
"""

import functools

SIZES = {}


@functools.lru_cache(maxsize=8)
def block_of(n):
    return max(16, min(1024, triton.next_power_of_2(n)))


def processors(device):
    if device not in SIZES:
        SIZES[device] = torch.cuda.get_device_properties(device).multi_processor_count
    return SIZES[device]


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        block = block_of(max(n // processors(x.device), 1))
        relu_kernel[(triton.cdiv(n, block),)](y, x, n, BLOCK=block)
    return input.copy_(y) if inplace else y
