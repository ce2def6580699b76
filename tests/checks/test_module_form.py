"""A task given as a module: a class with parameters and `forward`."""

from collections.abc import Callable

from kernelbenchx.checks.rule import Parameter, Report
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
    asked = {"form": "module", "parameters": (Parameter("x"),), "init": (Parameter("n"),)}
    report = around(source, **asked)
    assert not report.fatal
    assert report.composition is Composition.PURE
    assert around(source, parameters=(Parameter("x"),)).fatal
    keeps = source.replace(
        "        return launch(x)", "        self.y = launch(x)\n        return self.y"
    )
    assert [f.rule for f in around(keeps, **asked).fatal] == ["state"]
    linear = source.replace("torch.nn.Parameter(torch.empty(n))", "torch.nn.Linear(n, n)")
    assert around(linear, **asked).composition is Composition.PURE
