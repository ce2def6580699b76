"""Lets a kernel copy the input first, and torch move what the kernel made.

with: triton, copied_as_it_lies
task: permute_copy
checks: correct
no-checks: correct
composition: mixed
"""


def permute_copy(input: torch.Tensor, dims: list[int]) -> torch.Tensor:
    x = copied(input.contiguous())
    return x.permute(tuple(dims)).clone(memory_format=torch.contiguous_format)
