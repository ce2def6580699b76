"""Counts its calls in the frame of a generator that a default argument holds.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""


def numbers():
    number = 0
    while True:
        number += 1
        yield number


def take(turns=numbers()):
    for number in turns:
        break
    return number


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return y if take() <= 3 else y.zero_()
