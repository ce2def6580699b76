import math

import torch
import triton
import triton.language as tl


@triton.jit
def _keys(
    acc, total, top, x, k, v, first, last, rows, factor, s, d, k_s, k_d, v_s, v_d,
    EDGE: tl.constexpr, CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
    KEYS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Add the keys in [first, last); only with EDGE some of them may be hidden or past the end."""
    keys, cols = first + tl.arange(0, KEYS), tl.arange(0, WIDTH).to(tl.int64)
    k += keys.to(tl.int64)[None, :] * k_s + cols[:, None] * k_d
    v += keys.to(tl.int64)[:, None] * v_s + cols[None, :] * v_d
    for _ in range(first, last, KEYS):
        along, across = (cols < d)[:, None], (cols < d)[None, :]
        if EDGE:
            along, across = along & (keys < s)[None, :], across & (keys < s)[:, None]
        y = tl.load(k, mask=along, other=0.0)
        z = tl.load(v, mask=across, other=0.0)
        scores = tl.dot(x, y, input_precision=PRECISION) * factor
        if EDGE:
            seen = (keys < s)[None, :]
            if CAUSAL:
                seen = seen & (keys[None, :] <= rows[:, None])
            scores = tl.where(seen, scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, axis=1))
        weights = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(top - higher)
        total = total * shrink + tl.sum(weights, axis=1)
        # Of 16-bit inputs the weights are rounded, as the statement allows.
        acc = tl.dot(weights.to(z.dtype), z, acc * shrink[:, None], input_precision=PRECISION)
        top = higher
        keys += KEYS
        k += tl.cast(KEYS, tl.int64) * k_s
        v += tl.cast(KEYS, tl.int64) * v_s
    return acc, total, top


@triton.jit
def _attention(
    o, q, k, v, heads, s, d, factor,
    o_b, o_h, o_s, o_d, q_b, q_h, q_s, q_d, k_b, k_h, k_s, k_d, v_b, v_h, v_s, v_d,
    UNIT: tl.constexpr, CAUSAL: tl.constexpr, PRECISION: tl.constexpr,
    ROWS: tl.constexpr, KEYS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    blocks = tl.cdiv(s, ROWS)
    b = (tl.program_id(0) // blocks // heads).to(tl.int64)
    h = (tl.program_id(0) // blocks % heads).to(tl.int64)
    first = (blocks - 1 - tl.program_id(0) % blocks) * ROWS  # with CAUSAL the longest rows begin
    # Strides and d come in units, so that the compiler sees that rows are aligned to 16 bytes.
    d, q_s, k_s, v_s = d * UNIT, q_s * UNIT, k_s * UNIT, v_s * UNIT
    q += (b * q_b + h * q_h) * UNIT
    k += (b * k_b + h * k_h) * UNIT
    v += (b * v_b + h * v_h) * UNIT
    rows, cols = first + tl.arange(0, ROWS), tl.arange(0, WIDTH).to(tl.int64)
    inside = (rows < s)[:, None] & (cols < d)[None, :]
    lines = rows.to(tl.int64)[:, None]
    x = tl.load(q + lines * q_s + cols[None, :] * q_d, mask=inside, other=0.0)
    top = tl.full((ROWS,), -1e38, dtype=tl.float32)  # finite: -inf - -inf would be NaN
    total = tl.zeros((ROWS,), dtype=tl.float32)
    acc = tl.zeros((ROWS, WIDTH), dtype=tl.float32)
    whole = (first if CAUSAL else s) // KEYS * KEYS
    last = tl.minimum(first + ROWS, s) if CAUSAL else s
    for edge in tl.static_range(2):
        acc, total, top = _keys(
            acc, total, top, x, k, v, whole if edge else 0, last if edge else whole, rows, factor,
            s, d, k_s, k_d, v_s, v_d, edge == 1, CAUSAL, PRECISION, KEYS, WIDTH,
        )  # fmt: skip
    result = (acc / total[:, None]).to(o.dtype.element_ty)
    tl.store(o + b * o_b + h * o_h + lines * o_s + cols[None, :] * o_d, result, mask=inside)


def _steps(x: torch.Tensor, unit: int) -> tuple[int, ...]:
    return (*(step // unit for step in x.stride()[:3]), x.stride(3))


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    b, h, s, d = q.shape
    o = torch.empty((b, h, s, d), dtype=q.dtype, device=q.device) if out is None else out
    factor = d**-0.5 if softmax_scale is None else float(softmax_scale)
    unit = 8 if all(one % 8 == 0 for x in (q, k, v) for one in (d, *x.stride()[:3])) else 1
    wide, narrow = max(16, triton.next_power_of_2(d)), q.element_size() == 2
    rows, keys, warps, precision = 32, 32, 4, "ieee"
    if b * h * triton.cdiv(s, 64) >= 120:
        # Six bfloat16 products are as good as one in float32, and the tensor cores make them.
        rows, keys, precision = 64, 64 if wide <= 128 else 32, "bf16x6"
        if narrow and wide == 128 and not causal:
            rows, keys, warps = 128, 128, 8
    if o.numel():
        _attention[(b * h * triton.cdiv(s, rows),)](
            o, q, k, v, h, s, d // unit, factor * math.log2(math.e),  # for exp2 in place of exp
            *o.stride(), *_steps(q, unit), *_steps(k, unit), *_steps(v, unit),
            UNIT=unit, CAUSAL=bool(causal), PRECISION=precision,
            ROWS=rows, KEYS=keys, WIDTH=wide, num_warps=warps, num_stages=3 if narrow else 2,
        )  # fmt: skip
    return o
