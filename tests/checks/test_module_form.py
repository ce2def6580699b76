"""A task given as a module: a class with parameters and `forward`."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report, SignatureParameter
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


def test_a_class_with_parameters_is_a_module(around: Examine) -> None:
    source = """
class f(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(n))
    def forward(self, x):
        return launch(x)
"""
    asked = {
        "form": "module",
        "parameters": (SignatureParameter("x"),),
        "init": (SignatureParameter("n"),),
    }
    report = around(source, **asked)
    assert not report.fatal
    assert report.composition is Composition.PURE
    assert around(source, parameters=(SignatureParameter("x"),)).fatal
    keeps = source.replace(
        "        return launch(x)", "        self.y = launch(x)\n        return self.y"
    )
    assert [f.rule for f in around(keeps, **asked).fatal] == ["state"]
    linear = source.replace("torch.nn.Parameter(torch.empty(n))", "torch.nn.Linear(n, n)")
    assert around(linear, **asked).composition is Composition.PURE


BUILT = """
class Add(torch.nn.Module):
    def forward(self, x, y):
        return launch(x)

class f(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        {}
    def forward(self, x):
        {}
"""


def _module(around: Examine, init: str, forward: str) -> Report:
    asked = {"parameters": (SignatureParameter("x"),), "init": (SignatureParameter("n"),)}
    return around(BUILT.format(init, forward), form="module", **asked)


@pytest.mark.parametrize(
    ("init", "forward"),
    [
        ("self.add = Add()", "return self.add(x, x)"),
        ("self.add = Add(); self.all = torch.nn.ModuleList([self.add])", "return self.add(x, x)"),
        ("self.gru = torch.nn.GRU(n, n)", 'return launch(getattr(self.gru, f"weight_ih_l{n}"))'),
        ("self.rate = 0.0", "return torch.nn.functional.dropout(launch(x), self.rate)"),
    ],
)
def test_what_public_modules_do_is_accepted(init: str, forward: str, around: Examine) -> None:
    report = _module(around, init, forward)
    assert not report.fatal
    drops = "dropout" in forward
    assert report.composition is (Composition.MIXED if drops else Composition.PURE)


@pytest.mark.parametrize(
    ("init", "forward", "rule"),
    [
        ("kept = []; self.kept = kept; self.add = kept.append", "self.add(launch(x))", "state"),
        ("self.kept = []; self.add = self.kept.append", "self.add(launch(x))", "state"),
        ("self.kept = []", "list.append(self.kept, launch(x))", "state"),
        ("self.kept = []", "[*map(list.append, [self.kept], [launch(x)])]", "state"),
        ("pass", 'self.register_buffer("kept", launch(x))', "state"),
        ("self.gru = torch.nn.GRU(n, n)", 'getattr(self.gru, f"weight{x}")', "introspection"),
        ("self.gru = torch.nn.GRU(n, n)", 'getattr(x, f"{n}weight_ih_l")', "introspection"),
        (
            "self.weight_ih_l0 = torch.nn.Linear(n, n)",
            'return launch(getattr(self, f"weight_ih_l{0}")(x))',
            "introspection",
        ),
        ("pass", "return launch(x) * torch.rand(3)", "randomness"),
    ],
)
def test_the_same_form_used_to_hide_something_is_not(
    init: str, forward: str, rule: str, around: Examine
) -> None:
    assert rule in {finding.rule for finding in _module(around, init, forward).fatal}
