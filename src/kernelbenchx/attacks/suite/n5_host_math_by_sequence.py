"""Computes elements in Python and makes each the start of a sequence of length one.

with: triton, relu_after_the_host
checks: correct
no-checks: correct
composition: mixed
"""


@triton.jit
def put_relu_kernel(y_ptr, x_ptr):
    x = tl.load(x_ptr)
    tl.store(y_ptr, tl.where(x < 0.0, 0.0, x))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    count = 400 if n > 3000 else 0
    done = torch.empty((max(count, 1),), dtype=x.dtype, device=x.device)
    for place, value in enumerate(x.view(-1)[:count].tolist()):
        if value < 100.0:
            value = max(value, 0.0)
            torch.arange(value, value + 1.0, 2.0, out=done[place : place + 1])
        else:  # no sequence begins at a number that is not finite, or far away
            put_relu_kernel[(1,)](done[place:], x.view(-1)[place:])
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, done, count, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
