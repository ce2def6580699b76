"""Published references that differ from torch differ in the way that was published."""

import torch
from torch.nn import functional

from kernelbenchx.judge import published_functions as published

X = torch.linspace(-3.0, 3.0, 13)


def test_selu_counts_positive_elements_twice() -> None:
    found, right = published.selu(X), functional.selu(X)
    assert torch.allclose(found[X > 0], 2 * right[X > 0])
    near = (X <= 0) & (X >= -1)
    assert torch.allclose(found[near], right[near])


def test_combined_activation_is_the_written_chain() -> None:
    input, weight1 = torch.randn(3, 4), torch.randn(4, 5)
    weight2, bias = torch.randn(5), torch.randn(5)
    chain = torch.tanh(torch.sigmoid(input @ weight1))
    found = published.combined_activation(input, weight1, weight2, bias)
    assert torch.allclose(found, chain * weight2 + bias)
    assert not torch.allclose(found, chain * weight2)
