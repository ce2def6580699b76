"""Pure, mixed, not a kernel."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


def _kind(around: Examine, body: str, signature: str = "x: torch.Tensor, y: torch.Tensor") -> str:
    return around(
        f"def f({signature}):\n    out = launch(x)\n    {body}\n    return out\n"
    ).composition


@pytest.mark.parametrize(
    "body",
    [
        "out = out.contiguous().view(-1).reshape(2, -1).transpose(0, 1).permute(1, 0)",
        "out = out.expand(3, 4).unsqueeze(0).squeeze(0).flatten().to(x.dtype).float()",
        "n = out.numel() * 2 + out.size(0) * out.stride(0) + out.dim()",
        "out = torch.zeros(3) if x is None else torch.full((2,), 1.0)",
        "out.copy_(x.clone())",
        "out.fill_(0)\n    out.zero_()",
        "out[0] = 1\n    out[:, 1:] = x[:, 1:]",
        "i = torch.arange(3)\n    e = torch.eye(3)",
        "a, b = torch.broadcast_tensors(x, y)",
        "d = torch.promote_types(x.dtype, y.dtype)",
        "assert x.shape == y.shape and x.dtype == y.dtype and x.device == y.device",
        "s = [x.shape[i] * 2 for i in range(x.dim())]",
        "if x.data_ptr() == y.data_ptr():\n        pass",
        "ok = x is None or y is not None",
        "g = torch.cuda.CUDAGraph()\n    with torch.cuda.graph(g):\n        launch(x)\n"
        "    g.replay()",
    ],
)
def test_preparing_is_pure(body: str, around: Examine) -> None:
    assert _kind(around, body) == Composition.PURE


@pytest.mark.parametrize(
    "body",
    [
        "out = torch.softmax(out, -1)",
        "out = out.sum()",
        "out = out.mean(-1).exp()",
        "out = out @ y",
        "out = out * 2",
        "out = -out",
        "out += y",
        "out = out > 0",
        "out = out[y]",
        "out[y] = 0",
        "out = torch.cat([out, y])",
        "out = max(x, y)",
        "out.add_(1)",
        "out = torch.where(x > 0, x, y)",
        "out = torch.nn.Linear(3, 3)(out)",
    ],
)
def test_computing_is_mixed(body: str, around: Examine) -> None:
    assert _kind(around, body) == Composition.MIXED


def test_a_parameter_shows_that_it_is_a_tensor_by_how_it_is_used(around: Examine) -> None:
    assert _kind(around, "n = x.numel()\n    out = x * 2", "x, y") == Composition.MIXED
    assert _kind(around, "n = y * 2", "x, y") == Composition.PURE


def test_reading_a_value_is_noted(around: Examine) -> None:
    report = around("def f(x, y):\n    n = x.item()\n    return launch(x)\n")
    assert report.composition is Composition.PURE
    assert [(f.rule, f.line, f.fatal) for f in report.findings] == [("composition", 16, False)]


def test_each_place_that_computes_is_named(around: Examine) -> None:
    report = around("def f(x, y):\n    launch(x)\n    return torch.exp(x)\n")
    notes = [(finding.line, finding.why) for finding in report.findings]
    assert notes == [(17, "torch.exp computes")]


def test_work_in_functions_that_nobody_calls_does_not_count(around: Examine) -> None:
    idle = "def check(x):\n    return torch.exp(x)\ndef f(x, y):\n    return launch(x)\n"
    assert around(idle).composition is Composition.PURE
    busy = idle.replace("return launch(x)", "return check(launch(x))")
    assert around(busy).composition is Composition.MIXED
