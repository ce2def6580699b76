import torch
import triton
import triton.language as tl


@triton.jit
def _attention(
    o, q, k, v, heads, s, d, factor,
    o_b, o_h, o_s, o_d, q_b, q_h, q_s, q_d, k_b, k_h, k_s, k_d, v_b, v_h, v_s, v_d,
    CAUSAL: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    b = (tl.program_id(0) // heads).to(tl.int64)
    h = (tl.program_id(0) % heads).to(tl.int64)
    first = tl.program_id(1) * ROWS
    rows = (first + tl.arange(0, ROWS)).to(tl.int64)[:, None]
    cols = tl.arange(0, WIDTH)
    inside = (rows < s) & (cols[None, :] < d)
    x = tl.load(q + b * q_b + h * q_h + rows * q_s + cols[None, :] * q_d, mask=inside, other=0.0)
    k += b * k_b + h * k_h
    v += b * v_b + h * v_h
    top = tl.full((ROWS,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    acc = tl.zeros((ROWS, WIDTH), dtype=tl.float32)
    last = tl.minimum(first + ROWS, s) if CAUSAL else s
    for start in range(0, last, KEYS):
        keys = (start + tl.arange(0, KEYS)).to(tl.int64)
        y = tl.load(
            k + keys[None, :] * k_s + cols[:, None] * k_d,
            mask=(keys[None, :] < s) & (cols[:, None] < d),
            other=0.0,
        )
        scores = tl.dot(x, y, input_precision="ieee") * factor
        seen = keys[None, :] < s
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows)
        scores = tl.where(seen, scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, axis=1))
        weights = tl.exp(scores - higher[:, None])
        shrink = tl.exp(top - higher)
        z = tl.load(
            v + keys[:, None] * v_s + cols[None, :] * v_d,
            mask=(keys[:, None] < s) & (cols[None, :] < d),
            other=0.0,
        )
        total = total * shrink + tl.sum(weights, axis=1)
        # Of 16-bit inputs the weights are rounded, as the statement allows.
        acc = tl.dot(weights.to(z.dtype), z, acc * shrink[:, None], input_precision="ieee")
        top = higher
    result = (acc / total[:, None]).to(o.dtype.element_ty)
    tl.store(o + b * o_b + h * o_h + rows * o_s + cols[None, :] * o_d, result, mask=inside)


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
    if o.numel():
        _attention[(b * h, triton.cdiv(s, 32))](
            o, q, k, v, h, s, d, factor, *o.stride(), *q.stride(), *k.stride(), *v.stride(),
            CAUSAL=bool(causal), ROWS=32, KEYS=32, WIDTH=max(16, triton.next_power_of_2(d)),
        )  # fmt: skip
    return o
