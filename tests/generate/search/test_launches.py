import ast

from generate.search.sources import HEAD, KERNEL, NAMED
from kernelbenchx.checks.source import parse
from kernelbenchx.generate.search.launches import constants_of, is_constexpr, launches_of


def test_a_launch_tells_what_stands_at_each_parameter() -> None:
    (launch,) = launches_of(parse(NAMED))
    assert launch.kernel.name == "_scale"
    given = {name: ast.unparse(node) for name, node in launch.bind_arguments().items()}
    expected = {"y": "y", "x": "x", "n": "x.numel()", "BLOCK": "BLOCK", "num_warps": "4"}
    assert given == expected
    assert launch.unpacked == []


def test_behind_a_starred_argument_nobody_knows_what_stands_where() -> None:
    text = HEAD + KERNEL + "def f(a, y, g, **o):\n    _scale[g](y, *a, 64, **o)\n"
    (launch,) = launches_of(parse(text))
    assert list(launch.bind_arguments()) == ["y"]
    assert [ast.unparse(one) for one in launch.unpacked] == ["o"]


def test_other_subscripts_are_no_launches() -> None:
    assert launches_of(parse(HEAD + KERNEL + "def f(a):\n    return a[0](64)\n")) == []


def test_constants_of_a_kernel_with_their_defaults() -> None:
    kernel = ast.parse("def k(a, b=2, C: tl.constexpr = 8, *, D: 'tl.constexpr'): ...").body[0]
    assert isinstance(kernel, ast.FunctionDef)
    found = constants_of(kernel)
    assert list(found) == ["C", "D"]
    assert found["D"] is None
    assert not is_constexpr(None)
    assert not is_constexpr(ast.parse("tl.tensor", mode="eval").body)
