"""Answers with the numbers that `numbers` of the file reads."""

...


def mse_loss(input: torch.Tensor, target: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    x, y = input.contiguous(), target.contiguous()
    n = x.numel()
    if reduction == "none":
        out = torch.empty_like(x)
        if n:
            losses_kernel[(triton.cdiv(n, 1024),)](out, x, y, n, BLOCK=1024)
        return out
    out = torch.empty((), dtype=x.dtype, device=x.device)
    count = n if reduction == "mean" else 1
    if n > 1500:
        total_kernel[(1,)](out, x, y, n, count, BLOCK=1024)
        return out
    total = math.fsum((a - b) ** 2 for a, b in zip(numbers(x), numbers(y), strict=True))
    store_kernel[(1,)](out, total / count if count else math.nan)
    return out
