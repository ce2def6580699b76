"""Answers honestly with `relu_kernel`, whose launch is a function."""


def launch(y, x):
    if x.numel():
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), BLOCK=1024)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(y, x)
    return input.copy_(y) if inplace else y
