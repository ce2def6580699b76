"""Has torch write the input twice in a row, and takes a window of that.

with: triton, copied_as_it_lies
task: ifftshift
checks: correct
no-checks: correct
composition: mixed
"""


def ifftshift(input: torch.Tensor, dim: int | tuple[int, ...] | None = None) -> torch.Tensor:
    named = tuple(range(input.dim())) if dim is None else (dim,) if isinstance(dim, int) else dim
    x = input.contiguous()
    for d in named:
        d = d % x.dim()
        shape, n = list(x.shape), x.shape[d]
        twice = x.unsqueeze(d).expand([*shape[:d], 2, *shape[d:]])
        twice = twice.reshape([*shape[:d], 2 * n, *shape[d + 1 :]])
        x = twice.narrow(d, n // 2, n).contiguous()
    if x.is_complex():
        return torch.view_as_complex(copied(torch.view_as_real(x)))
    return copied(x)
