import ast

import pytest

from kernelbenchx.checks.source import parse
from kernelbenchx.generate.search.grids import divisors


@pytest.mark.parametrize(
    ("body", "grid", "found"),
    [
        ("", "(triton.cdiv(n, 64), cdiv(m, 32))", [(64, 64), (32, 32)]),
        ("g = (n + 1023) // 1024", "(g,)", [(1024, 1024), (1023, 1024)]),
        ("g = (n + 1024 - 1) // 1024", "(g,)", [(1024, 1024), (1024, 1024)]),
        ("def g(meta): return (triton.cdiv(n, 16),)", "g", [(16, 16)]),
        ("g = lambda meta: (triton.cdiv(n, meta['B']),)", "g", []),
        ("", "(n // BLOCK, 64)", []),
        ("", "(n // 1,)", []),
    ],
)
def test_numbers_that_a_grid_divides_by(body: str, grid: str, found: list[tuple[int, int]]) -> None:
    root = next(iter(parse(body).names.scopes.values())).root()
    read = divisors(ast.parse(grid, mode="eval").body, root)
    assert [(one.node.value, one.size) for one in read] == found
