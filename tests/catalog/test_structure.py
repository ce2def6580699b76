from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.structure import structure
from kernelbenchx.core.errors import BrokenTask

PLAIN = '''"""Words."""
TASK = Task(
    reference=double, dtypes=(torch.float32,), difficulty=1, contract=Close(ulps=1)
)


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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(catalog, "ROOT", tmp_path)
    (tmp_path / "math").mkdir()
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    structure.cache_clear()
    facts.cache_clear()


def test_the_reference_and_what_it_calls_are_counted_and_nothing_else(folder: Path) -> None:
    (folder / "math" / "double.py").write_text(PLAIN)
    found = structure("math/double")
    assert found is not None
    # input.double(), _half(wide) * 2, input.dim(), torch.relu(wide), x / 2
    assert found.operators == 5
    assert found.intermediates == 3
    assert found.complexity == 3, "one, `if` and `and`; the loop is another function's"
    assert found.functions == 2
    assert found.lines == 4 + 4
    assert found.parameters == 2


def test_a_task_that_is_not_in_the_catalogue_has_no_structure(folder: Path) -> None:
    assert structure("math/invented") is None


def test_a_task_without_its_reference_is_broken(folder: Path) -> None:
    (folder / "math" / "double.py").write_text(PLAIN.replace("def double(", "def other("))
    with pytest.raises(BrokenTask, match="not defined"):
        structure("math/double")


@pytest.mark.parametrize("name", catalog.names())
def test_every_task_can_be_counted(name: str) -> None:
    found = structure(name)
    assert found is not None
    assert found.operators > 0 and found.complexity >= 1 and found.parameters > 0
