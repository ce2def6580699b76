import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.source_structure import count

PLAIN = '''"""Words."""


def double(input: torch.Tensor | None, out: int | None = None) -> torch.Tensor:
    """Documentation is not code."""
    wide = input.double()
    wide += _half(wide) * 2
    return wide if out is None and input.dim() > 1 else torch.relu(wide)


def _half(x):
    for one in range(3):
        x = x / 2
    return x


def unused(x):
    return torch.exp(x) + torch.exp(x) if x else _half(x)
'''


def test_the_reference_and_what_it_calls_are_counted_and_nothing_else() -> None:
    found = count(PLAIN, "double", parameters=2)
    assert found is not None
    assert found.torch_calls == 3, "input.double(), input.dim(), torch.relu(wide)"
    assert found.arithmetic == 2, "_half(wide) * 2, x / 2"
    assert found.intermediates == 3
    assert found.complexity == 3, "one, `if` and `and`; the loop is another function's"
    assert found.functions == 2
    assert found.lines == 4 + 4
    assert found.parameters == 2


MODULE = """
import math
from torch import exp
from torch.nn.functional import gelu as bent


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])
        self.layers.append(nn.Linear(4, 4))

    def forward(self, x):
        math = x.sum()
        return self.mixed(self.layers[0](bent(exp(x))) @ x) + math.sqrt()

    def mixed(self, x):
        return x.amax(-1)
"""
"""x.sum(), bent, exp, math.sqrt() of a tensor and x.amax(-1): layers are taken from a list."""


def test_layers_are_made_and_methods_are_followed_without_being_counted() -> None:
    found = count(MODULE, "Model", parameters=1)
    assert found is not None and (found.torch_calls, found.arithmetic) == (5, 2)
    other = MODULE.replace("math = x.sum()", "kept = x.sum()")
    module = count(other, "Model", parameters=1)
    assert module is not None and module.torch_calls == 4, "now it is the module `math`"


@pytest.mark.parametrize(
    ("name", "calls", "arithmetic"),
    [
        ("activation/relu", 1, 0),
        ("level1/square_matrix_multiplication", 0, 1),
        ("level2/gemm_group_norm_swish_multiply_swish", 5, 3),
        ("fusion/fused_sigmoid_batch_norm", 4, 0),
    ],
)
def test_counts_by_hand(name: str, calls: int, arithmetic: int) -> None:
    found = facts(name).structure
    assert (found.torch_calls, found.arithmetic) == (calls, arithmetic)


def test_a_source_without_the_reference_cannot_be_counted() -> None:
    assert count(PLAIN, "triple", parameters=2) is None


HANDED_OVER = {"math/sub"}
"""Whose reference is another task's: no operator is in the file."""


@pytest.mark.parametrize("name", catalog.names())
def test_every_task_can_be_counted(name: str) -> None:
    found = facts(name).structure
    assert (found.torch_calls + found.arithmetic > 0) is (name not in HANDED_OVER)
    assert found.complexity >= 1 and found.parameters > 0
