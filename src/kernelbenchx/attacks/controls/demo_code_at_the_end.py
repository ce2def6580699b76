"""A script that tries its kernel on random numbers when it is loaded.

with: triton, relu_kernel
"""


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
