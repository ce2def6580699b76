"""What can never run."""

import ast

import pytest

from kernelbenchx.checks.liveness import constant_truth, dead_statements
from kernelbenchx.checks.source import parse


def _dead(text: str) -> list[int]:
    return sorted(s.lineno for s in dead_statements(ast.parse(text).body, constant_truth))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("if False:\n    a\nelse:\n    b\n", [2]),
        ("if not 0:\n    a\nelse:\n    b\n", [4]),
        ("while 0:\n    a\n", [2]),
        ("if __name__ == '__main__':\n    a\n", [2]),
        ("if '__main__' == __name__:\n    a\n", [2]),
        ("def f(): ...\nfor i in x:\n    break\n    a\n", [4]),
        ("if x:\n    a\nelse:\n    b\n", []),
        ("if __name__ == 'other':\n    a\n", []),
        ("while x:\n    a\n", []),
    ],
)
def test_constants_and_the_main_guard_rule_out(text: str, lines: list[int]) -> None:
    assert _dead(text) == lines


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("return 1\n    a", [3]),
        ("if x:\n        return 1\n    else:\n        raise E\n    a", [6]),
        ("with x:\n        return 1\n    a", [4]),
        ("if x:\n        return 1\n    a", []),
    ],
)
def test_nothing_runs_after_the_end(body: str, lines: list[int]) -> None:
    function = ast.parse(f"def f(x):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [s.lineno for s in dead_statements(function.body, constant_truth)] == lines


def _off_device(body: str) -> set[int]:
    source = parse(f"import torch\ndef f(x: torch.Tensor, y, dtype=None):\n    {body}\n")
    return set(source.off_device.values())


@pytest.mark.parametrize(
    "body",
    [
        "if not x.is_cuda:\n        return a",
        "if x.device.type == 'cpu':\n        return a",
        "if x.device.type != 'cuda':\n        return a",
        "if not torch.cuda.is_available():\n        return a",
        "if not x.is_cuda and y > 3:\n        return a",
        "if not (x.is_cuda and torch.cuda.is_available()):\n        return a",
        "if x.is_cuda: return b\n    return a",
        "x = x.to(dtype)\n    if not x.is_cuda: return a",
        "d = x.device\n    if d.type == 'cpu': return a",
        "return b if x.is_cuda else a",
    ],
)
def test_branches_off_the_device_are_recognised(body: str) -> None:
    assert _off_device(body)


@pytest.mark.parametrize(
    "body",
    [
        "if x.is_cuda:\n        return a",
        "if not x.is_cuda or y > 3:\n        return a",
        "if x.device.type == 'cuda':\n        return a",
        "z = x.cpu()\n    if not z.is_cuda:\n        return a",
        "x = x.to('cpu')\n    if not x.is_cuda:\n        return a",
        "x = unknown()\n    if not x.is_cuda:\n        return a",
        "if not y:\n        return a",
        "if x.numel() == 0:\n        return a",
    ],
)
def test_branches_that_may_run_on_the_device_are_not(body: str) -> None:
    assert not _off_device(body)
