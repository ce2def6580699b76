import torch
import triton
import triton.language as tl


@triton.jit
def _middle(v):
    """Ai(v) for -2.3 <= v <= 1.3."""
    p = 2.52218484e-07 * v - 2.45122948e-07
    p = p * v - 6.07962193e-06
    p = p * v + 2.80603472e-05
    p = p * v + 1.0884462e-06
    p = p * v - 0.00051443564
    p = p * v + 0.00197096053
    p = p * v + 6.55093459e-07
    p = p * v - 0.0215674657
    p = p * v + 0.0591711067
    p = p * v - 1.67253518e-07
    p = p * v - 0.258819371
    return p * v + 0.355028063


@triton.jit
def _sine(phase, k):
    """sin(phase + k pi) for |phase| a little above pi / 2 at most."""
    t = phase * phase
    p = 2.58588057e-06 * t - 0.000197998947
    p = p * t + 0.0083329156
    p = p * t - 0.166666523
    p = p * t + 1.0
    odd = k * 0.5 - tl.floor(k * 0.5)
    return p * phase * (1.0 - 4.0 * odd)


@triton.jit
def _oscillating(t, w):
    """Ai(-a) * a^0.25 for a > 2.3 with t = a^1.5: amplitude times sin(2/3 t + pi/4 + phi)."""
    z = w * w
    p = -1715.85425 * z + 590.184509
    p = p * z - 89.7998199
    p = p * z + 8.72531891
    p = p * z - 0.77898258
    p = p * z + 0.119546011
    p = p * z - 0.104166061
    turn = p * w + 0.785398163
    k = tl.floor(t * 0.212206591 + 0.75)
    # Multiples of 3/2 pi in two parts: the first difference is exact.
    rest = tl.fma(k, -1.19248806e-08, tl.fma(k, -4.71238899, t))
    phase = rest * 0.666666687 + turn
    # Far out the argument's own rounding is worth more than a period.
    near = tl.abs(phase) < 4.0
    phase, k = tl.where(near, phase, 0.0), tl.where(near, k, 0.0)
    p = 274.589142 * z - 90.6237259
    p = p * z + 13.4475527
    p = p * z - 1.36065662
    p = p * z + 0.153111324
    p = p * z - 0.0440607145
    p = p * z + 0.564189553
    return _sine(phase, k) * p


@triton.jit
def _decaying(t, w):
    """Ai(a) * a^0.25 for a > 1.3 with t = a^1.5: exp(-2/3 t) times a polynomial in 1 / t."""
    p = -0.0143937944 * w + 0.0436695069
    p = p * w - 0.0586998016
    p = p * w + 0.0488382131
    p = p * w - 0.0321674012
    p = p * w + 0.0233040061
    p = p * w - 0.029377684
    p = p * w + 0.282094747
    return p * tl.exp2(t * -0.961796701)


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    a = tl.abs(v)
    root = tl.sqrt_rn(a)
    t = a * root
    w = 1.0 / t
    outer = tl.where(v < 0.0, _oscillating(t, w), _decaying(t, w)) * tl.rsqrt(root)
    value = tl.where((v < -2.3) | (v > 1.3), outer, _middle(v))
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _airy_ai(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def airy_ai(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        _airy_ai[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
