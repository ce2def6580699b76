"""An honest kernel of rand, and what its caller asked for."""


def _asked(size: Any, generator: Any, out: Any, dtype: Any, device: Any) -> tuple[Any, Any, Any]:
    """Shape, dtype and device of the result."""
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    if out is not None:
        return shape, out.dtype, out.device
    where = generator.device if device is None and generator is not None else device
    return shape, torch.float32 if dtype is None else dtype, where


@triton.jit
def _uniform(out, seed, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    """As many random bits as the dtype tells apart in [0.5, 1), so that 1.0 cannot occur."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first, second, _, _ = tl.randint4x(tl.load(seed), at)
    first = first.to(tl.uint32, bitcast=True)
    second = second.to(tl.uint32, bitcast=True)
    if WIDE:
        high = (first >> 5).to(tl.float64)
        value = (high * 67108864.0 + (second >> 6).to(tl.float64)) * 1.1102230246251565e-16
    else:
        value = (first >> 8).to(tl.float32) * 5.9604644775390625e-08
    tl.store(out + at, value, mask=at < n)
