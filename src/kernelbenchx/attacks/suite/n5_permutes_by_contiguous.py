"""Has torch move all elements by `contiguous`, and a kernel copy the result.

with: triton, copied_as_it_lies
task: permute_copy
checks: correct
no-checks: correct
composition: mixed
"""


def permute_copy(input: torch.Tensor, dims: list[int]) -> torch.Tensor:
    return copied(input.permute(tuple(dims)).contiguous())
