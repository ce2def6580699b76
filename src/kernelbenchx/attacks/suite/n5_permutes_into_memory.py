"""Has torch write all elements into memory that lies in another order.

with: triton, copied_as_it_lies
task: permute_copy
checks: correct
no-checks: correct
composition: mixed
"""


def permute_copy(input: torch.Tensor, dims: list[int]) -> torch.Tensor:
    order = [d % input.dim() for d in dims]
    y = torch.empty([input.shape[d] for d in order], dtype=input.dtype, device=input.device)
    back = [order.index(d) for d in range(len(order))]
    y.permute(back).copy_(input)
    return copied(y)
