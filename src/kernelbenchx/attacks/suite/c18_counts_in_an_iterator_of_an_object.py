"""Counts its calls with an iterator in the field of an object, and is wrong after the first ones.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

import itertools


class Turns:
    def __init__(self):
        self.numbers = itertools.count()

    def take(self):
        for number in self.numbers:
            break
        return number


TURNS = Turns()


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return y if TURNS.take() < 3 else y.zero_()
