"""Main operators, read from the source of a module."""

import pytest

from kernelbenchx.catalog.statement import statement
from kernelbenchx.generate.operators import main_operators, operators_of


def module(body: str) -> str:
    return f"class Model(nn.Module):\n    def forward(self, x, y):\n        return {body}\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("torch.relu(x) * y", {"elementwise"}),
        ("x.mean(dim=1)", {"reduction"}),
        ("F.softmax(x - x.max(), dim=1)", {"softmax"}),
        ("torch.cumsum(x, dim=0).sum()", {"scan"}),
        ("F.mse_loss(x, y).mean()", {"loss"}),
        ("F.max_pool2d(F.layer_norm(x, (3,)), 2)", {"normalization"}),
        ("x @ y", {"matmul"}),
        ("nn.Linear(3, 4)(x).sum()", {"matmul"}),
        ("F.softmax(torch.matmul(x, y), dim=1)", {"matmul"}),
        ("F.conv2d(x, y).mean()", {"convolution"}),
        ("nn.LSTM(3, 4)(x)", {"recurrence"}),
        ("F.scaled_dot_product_attention(x, y, y)", {"attention"}),
        ("F.softmax(x @ y, dim=-1) @ y", {"attention", "matmul"}),
        ("torch.bmm(torch.softmax(torch.bmm(x, y), -1), y)", {"attention", "matmul"}),
    ],
)
def test_the_heaviest_operators_are_the_main_ones(body: str, found: set[str]) -> None:
    assert main_operators(module(body)) == found


def test_names_that_only_look_alike_are_no_operators() -> None:
    assert main_operators(module("summary(x) + nonlinear(y)")) == {"elementwise"}


@pytest.mark.parametrize(
    ("task", "found"),
    [
        ("activation/gelu", {"elementwise"}),
        ("activation/combined_activation", {"matmul"}),
        ("linear_algebra/svd", {"elementwise"}),
        ("matrix_multiply/addmm", {"matmul"}),
        ("fusion/attention", {"attention", "matmul"}),
        ("fusion/fused_layer_norm_relu_linear", {"matmul", "normalization"}),
        ("reduce/std", {"reduction"}),
        ("level2/gemm_multiply_leaky_relu", {"matmul"}),
    ],
)
def test_operators_of_functions_follow_from_words_and_of_modules_from_code(
    task: str, found: set[str]
) -> None:
    assert operators_of(statement(task)) == found
