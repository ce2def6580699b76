"""Answers with `zeros`."""

...


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return zeros(input)
