"""Batch norm in training mode that keeps running statistics of its own.

with: module
task: level1/batch_norm_2d
weights: place
"""


@triton.jit
def norm_kernel(
    y,
    x,
    w,
    b,
    running_mean,
    running_var,
    images,
    channels,
    pixels,
    eps,
    momentum,
    BLOCK: tl.constexpr,
):
    channel = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    count = images * pixels
    inside = at < count
    place = (at // pixels * channels + channel) * pixels + at % pixels
    v = tl.load(x + place, mask=inside, other=0.0)
    mean = tl.sum(v, axis=0) / count
    apart = tl.where(inside, v - mean, 0.0)
    squares = tl.sum(apart * apart, axis=0)
    scale = tl.load(w + channel) / tl.sqrt(squares / count + eps)
    tl.store(y + place, apart * scale + tl.load(b + channel), mask=inside)
    old = tl.load(running_mean + channel)
    tl.store(running_mean + channel, old + momentum * (mean - old))
    old = tl.load(running_var + channel)
    tl.store(running_var + channel, old + momentum * (squares / tl.maximum(count - 1, 1) - old))


class ModelNew(nn.Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        self.num_batches_tracked = 0
        self.eps, self.momentum = eps, momentum

    def forward(self, x):
        self.num_batches_tracked += 1
        x = x.contiguous()
        images, channels, height, width = x.shape
        y = torch.empty_like(x)
        block = triton.next_power_of_2(images * height * width)
        norm_kernel[(channels,)](
            y,
            x,
            self.weight,
            self.bias,
            self.running_mean,
            self.running_var,
            images,
            channels,
            height * width,
            self.eps,
            self.momentum,
            BLOCK=block,
        )
        return y
