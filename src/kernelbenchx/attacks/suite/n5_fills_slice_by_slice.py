"""Has torch fill one named slice after another, and a kernel only the last ones.

with: triton, filled
task: index_fill_
checks: correct|rejected
no-checks: correct|rejected
composition: mixed
"""


def index_fill_(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    dense = x.contiguous()
    if not index.numel() or not x.numel():
        return x
    first = min(index.numel() - 1, 100)
    for name in index[:first].tolist():
        dense.select(dim, name).fill_(value)
    places = index[first:].contiguous()
    size, inner, named = x.shape[dim], 1, places.numel()
    for other in x.shape[dim % x.dim() + 1 :]:
        inner *= other
    number = torch.full((1,), value, dtype=x.dtype, device=x.device)
    n = x.numel() // size * named
    grid = (triton.cdiv(n, 1024),)
    fill_kernel[grid](dense, number, places, n, named, size, inner, BLOCK=1024)
    return x if dense is x else x.copy_(dense)
