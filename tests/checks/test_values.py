"""What expressions may be."""

import ast

import pytest

from kernelbenchx.checks.source import parse
from kernelbenchx.checks.tags import MOVED, TENSOR, Launcher, dotted, has_tensor, holds_tensor

HEAD = "import torch, triton, functools\nfrom torch.nn import functional as F\n"


def _last(text: str, name: str = "f") -> tuple[set[str], bool, bool]:
    """Full names and tensor-ness of the last returned expression of a function."""
    source = parse(HEAD + text)
    scope = next(s for s in source.names.scopes.values() if getattr(s.owner, "name", "") == name)
    value = [n.value for n in scope.nodes if isinstance(n, ast.Return)][-1]
    assert value is not None
    tags = source.of(value, scope)
    return set(dotted(tags)), has_tensor(tags), holds_tensor(tags)


@pytest.mark.parametrize(
    "body",
    [
        "return F.softmax",
        "g = F\n    h = g.softmax\n    return h",
        "return getattr(F, 'softmax')",
        "return {'a': F.softmax}['a']",
        "return (F.relu, F.softmax)[1]",
        "a, b = F.relu, F.softmax\n    return b",
        "return (lambda: F.softmax)()",
        "for g in [F.softmax]:\n        return g",
        "return (g := F.softmax)",
        "box = []\n    box.append(F.softmax)\n    return box[0]",
    ],
)
def test_an_alias_is_seen_through(body: str) -> None:
    assert "torch.nn.functional.softmax" in _last(f"def f(x):\n    {body}\n")[0]


@pytest.mark.parametrize(
    "body",
    [
        "return x.view(-1)",
        "return x + 1",
        "return -x",
        "return x[0]",
        "return torch.empty(3)",
        "return [x, 1][0]",
        "for a, b in zip([1], [x]):\n        return b",
        "for i, a in enumerate((x, x)):\n        return a",
        "return sum([x])",
        "return x if x is None else x.T",
    ],
)
def test_tensors_are_followed(body: str) -> None:
    assert _last(f"def f(x: torch.Tensor):\n    {body}\n")[1]


@pytest.mark.parametrize(
    "body",
    [
        "return x.shape",
        "return x.numel() * 2",
        "return [x, 1][1]",
        "for a, b in zip([1], [x]):\n        return a",
        "for i, a in enumerate((x, x)):\n        return i",
        "return x.stride(0) + 1",
        "return x is None",
        "return torch.broadcast_shapes(x.shape, x.shape)",
        "return not x",
        "return [x]",
    ],
)
def test_what_is_no_tensor_is_not_taken_for_one(body: str) -> None:
    assert not _last(f"def f(x: torch.Tensor):\n    {body}\n")[1]


def test_values_pass_through_functions_of_the_file_place_by_place() -> None:
    text = "def two(a):\n    return a, a.numel()\ndef f(x: torch.Tensor):\n    p, q = two(x)\n"
    assert _last(text + "    return p\n")[1]
    assert not _last(text + "    return q\n")[1]


def test_objects_of_the_file_carry_their_fields() -> None:
    text = (
        "class C:\n    def __init__(self, a):\n        self.a = a\n        self.n = 1\n"
        "    def get(self):\n        return self.a\n"
    )
    assert _last(text + "def f(x: torch.Tensor):\n    return C(x).get()\n")[1]
    assert not _last(text + "def f(x: torch.Tensor):\n    return C(x).n\n")[1]


def test_a_subscripted_kernel_is_a_launcher() -> None:
    source = parse(HEAD + "@triton.jit\ndef k(x):\n    pass\ng = k[(1,)]\n")
    name = ast.Name(id="g", ctx=ast.Load())
    assert [type(tag) for tag in source.of(name, source.names.module)] == [Launcher]


@pytest.mark.parametrize(
    ("body", "stays"),
    [
        ("x.contiguous()", True),
        ("x.to(torch.float32)", True),
        ("x.to(x.dtype)", True),
        ("x.to('cpu')", False),
        ("x.cpu()", False),
        ("torch.empty_like(x)", False),
    ],
)
def test_a_tensor_that_may_have_moved_is_told_apart(body: str, stays: bool) -> None:
    source = parse(HEAD + f"def f(x: torch.Tensor):\n    return {body}\n")
    scope = next(s for s in source.names.scopes.values() if getattr(s.owner, "name", "") == "f")
    value = next(n.value for n in scope.nodes if isinstance(n, ast.Return))
    assert value is not None
    assert source.of(value, scope) == (TENSOR if stays else MOVED)
