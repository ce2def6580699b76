"""An honest relu whose launches differ by the number of the call."""

CALLS = []


@triton.jit(do_not_specialize=["number"])
def relu_kernel(y_ptr, x_ptr, n, number, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def launch(y, x):
    if x.numel():
        # With the number of the call: launches differ then, and cannot be replayed.
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), len(CALLS), BLOCK=1024)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(y, x)
    return input.copy_(y) if inplace else y
