"""Answers with `launched` of the file."""

...


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = launched(input.contiguous())
    return input.copy_(y) if inplace else y
