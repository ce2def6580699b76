"""Has torch find each place once, and a kernel fill these.

with: triton, filled
task: index_fill_
checks: correct
no-checks: correct
composition: mixed
"""


def index_fill_(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    dense, places = x.contiguous(), index.unique()
    size, inner, named = x.shape[dim], 1, places.numel()
    for other in x.shape[dim % x.dim() + 1 :]:
        inner *= other
    if not named or not x.numel():
        return x
    number = torch.full((1,), value, dtype=x.dtype, device=x.device)
    n = x.numel() // size * named
    grid = (triton.cdiv(n, 1024),)
    fill_kernel[grid](dense, number, places, n, named, size, inner, BLOCK=1024)
    return x if dense is x else x.copy_(dense)
