"""Launches `bmm_dropout_gelu` of the file."""

...


def fused_bmm_dropout_gelu(
    input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None
):
    (b, n, m), width = input1.shape, input2.shape[2]
    c = torch.empty((b, n, width), dtype=input1.dtype, device=input1.device) if out is None else out
    if c.numel() == 0:
        return c
    seed = torch.randint(0, 2**31 - 1, (1,), device=input1.device)
    factor = 1.0 / (1.0 - p) if training and p < 1 else 1.0 if not training else 0.0
    grid = (triton.cdiv(n, 64), triton.cdiv(width, 64), b)
    bmm_dropout_gelu[grid](
        c, input1, input2, seed, float(p), factor, n, m, width,
        *c.stride(), *input1.stride(), *input2.stride(),
        DROP=bool(training) and 0 < p < 1, TANH=approximate == "tanh", BN=64, BM=32, BP=64,
    )  # fmt: skip
    return c
