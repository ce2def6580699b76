"""What an expression names, through aliases."""

import ast

import pytest

from kernelbenchx.checks.scopes import Unreadable
from kernelbenchx.checks.source import Source, parse


def _of(text: str) -> set[str]:
    """The full names of the last expression of the text."""
    source: Source = parse(text)
    places = [p for kind in (ast.Return, ast.Expr) for p in source.places(kind)]
    last = max(places, key=lambda place: getattr(place.node, "lineno", 0))
    value = getattr(last.node, "value", None)
    assert isinstance(value, ast.expr)
    return set(source.of(value, last.scope))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("import torch\ntorch.mm", "torch.mm"),
        ("import torch as t\ng = t.nn\nF = g.functional\nF.relu", "torch.nn.functional.relu"),
        ("from torch import mm as m\nm", "torch.mm"),
        ("import torch\ngetattr(torch, 'mm')", "torch.mm"),
        ("import torch, math\n(torch if math else math).os", "torch.os"),
        ("import torch\n(t := torch).os", "torch.os"),
        ("import torch\ndef f(x):\n    [0 for torch in ()]\n    return torch.os", "torch.os"),
        (
            "import torch\nclass torch2:\n    torch = 1\n    def f(self):\n        return torch.os",
            "torch.os",
        ),
        ("def f():\n    def g():\n        return t.os\n    import torch as t\n", "torch.os"),
        (
            "def f():\n    def g():\n        nonlocal t\n        import torch as t\n    t = 1\n"
            "    return t.os",
            "torch.os",
        ),
        ("eval", "builtins.eval"),
        ("a, b = 1, 2\nimport torch\nc, d = a, torch\nd.os", "torch.os"),
    ],
)
def test_aliases_are_seen_through(text: str, path: str) -> None:
    assert path in _of(text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ndef f(torch):\n    return torch.os",
        "import torch\ntorch().os",
        "import torch\ntorch[0].os",
        "x.os",
        "def f(eval):\n    return eval",
    ],
)
def test_other_objects_have_no_full_name(text: str) -> None:
    assert _of(text) == set()


def test_a_name_that_is_set_from_itself_is_settled_or_refused() -> None:
    assert _of("import torch\ndef f(d=None):\n    d = d or torch.float32\n    return d") == {
        "torch.float32"
    }
    with pytest.raises(Unreadable, match="too complex") as refused:
        _of("import torch\nx = torch\nx = x.nn\nx.functional")
    assert refused.value.line == 2


def test_a_name_for_everything_is_refused() -> None:
    many = "".join(f"x = torch.name{i}\n" for i in range(100))
    with pytest.raises(Unreadable, match="too complex"):
        _of(f"import torch\n{many}x")
    assert len(_of("import torch\nx = torch.a\nx = torch.b\nx")) == 2
