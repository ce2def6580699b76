import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.structure import count

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
    # input.double(), _half(wide) * 2, input.dim(), torch.relu(wide), x / 2
    assert found.operators == 5
    assert found.intermediates == 3
    assert found.complexity == 3, "one, `if` and `and`; the loop is another function's"
    assert found.functions == 2
    assert found.lines == 4 + 4
    assert found.parameters == 2


def test_a_source_without_the_reference_cannot_be_counted() -> None:
    assert count(PLAIN, "triple", parameters=2) is None


HANDED_OVER = {"math/sub"}
"""Whose reference is another task's: no operator is in the file."""


@pytest.mark.parametrize("name", catalog.names())
def test_every_task_can_be_counted(name: str) -> None:
    found = facts(name).structure
    assert (found.operators > 0) is (name not in HANDED_OVER)
    assert found.complexity >= 1 and found.parameters > 0
