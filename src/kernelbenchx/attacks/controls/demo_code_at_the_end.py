"""A script that tries its kernel on random numbers when it is loaded.

task: relu
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y


def check_relu(x):
    expected = torch.relu(x)
    torch.testing.assert_close(relu(x), expected)
    return (relu(x) - expected).abs().max().item()


torch.manual_seed(0)
x = torch.randn(300, device="cuda")
y = relu(x)
print(f"{y.shape}: {y.abs().max().item()}")

if __name__ == "__main__":
    print(f"largest difference: {check_relu(x)}")
    start = torch.cuda.Event(enable_timing=True)
    start.record()
    print(triton.testing.do_bench(lambda: relu(torch.rand(1 << 20, device="cuda"))))
