"""An honest kernel of a linear layer with a leaky ReLU, and its launch."""


@triton.jit
def linear_kernel(
    y,
    x,
    w,
    b,
    rows,
    wide,
    out,
    multiplier,
    slope,
    BR: tl.constexpr,
    BO: tl.constexpr,
    BW: tl.constexpr,
):
    row = tl.program_id(0) * BR + tl.arange(0, BR)
    column = tl.program_id(1) * BO + tl.arange(0, BO)
    total = tl.zeros((BR, BO), tl.float32)
    for start in range(0, wide, BW):
        at = start + tl.arange(0, BW)
        left = tl.load(
            x + row[:, None] * wide + at[None, :],
            mask=(row[:, None] < rows) & (at[None, :] < wide),
            other=0.0,
        )
        right = tl.load(
            w + column[None, :] * wide + at[:, None],
            mask=(column[None, :] < out) & (at[:, None] < wide),
            other=0.0,
        )
        total += tl.dot(left, right, input_precision="ieee")
    total += tl.load(b + column, mask=column < out, other=0.0)[None, :]
    total *= multiplier
    total = tl.where(total < 0.0, total * slope, total)
    inside = (row[:, None] < rows) & (column[None, :] < out)
    tl.store(y + row[:, None] * out + column[None, :], total, mask=inside)


def launch(x, weight, bias, multiplier, slope):
    (rows, wide), out = x.shape, weight.shape[0]
    y = torch.empty((rows, out), dtype=x.dtype, device=x.device)
    grid = (triton.cdiv(rows, 32), triton.cdiv(out, 32))
    linear_kernel[grid](
        y, x.contiguous(), weight, bias, rows, wide, out, multiplier, slope, BR=32, BO=32, BW=32
    )
    return y
