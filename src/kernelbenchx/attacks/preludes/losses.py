"""Kernels of mse_loss, and the float of 32 bits."""


@triton.jit
def losses_kernel(out_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
    loss = ((x - y) * (x - y)).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + offsets, loss, mask=offsets < n)


@triton.jit
def total_kernel(out_ptr, x_ptr, y_ptr, n, count, BLOCK: tl.constexpr):
    """For so many numbers that Python would take too long."""
    total = tl.zeros((BLOCK,), tl.float64)
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
        y = tl.load(y_ptr + offsets, mask=offsets < n, other=0.0).to(tl.float32)
        total += ((x - y) * (x - y)).to(tl.float64)
    tl.store(out_ptr, (tl.sum(total, axis=0) / count).to(out_ptr.dtype.element_ty))


@triton.jit
def store_kernel(out_ptr, value):
    tl.store(out_ptr, value.to(out_ptr.dtype.element_ty))


def float_of(bits):
    sign = -1.0 if bits >> 31 else 1.0
    exponent, fraction = bits >> 23 & 255, bits & 0x7FFFFF
    if not exponent:
        return sign * math.ldexp(fraction, -149)
    return sign * math.ldexp(fraction | 0x800000, exponent - 150)
