"""Answers with `honest_relu`."""

...


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return honest_relu(input, inplace)
