"""On a GPU: the published test is run there on both sides, and what it says is not provisional."""

from pathlib import Path

import pytest

import kernelbenchx as kbx
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchXRule

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(600)]

TORCH = "import torch\n\n\ndef relu(input, inplace=False):\n    return torch.relu(input)\n"
SOURCES = {
    "kernel": kbx.task("relu").witness,
    "torch": TORCH,
    "off": TORCH.replace("torch.relu(input)", "torch.relu(input) + 1e-3"),
    "raises": TORCH.replace("torch.relu", "torch.missing"),
    "hangs": TORCH.replace("    return", "    while True:\n        pass\n    return"),
}


def _judged(out: Path) -> dict[str, KernelBenchXRule]:
    submissions = [
        kbx.Submission(name=name, task="activation/relu", source=source)
        for name, source in SOURCES.items()
    ]
    settings = kbx.Settings(device="cuda", paper_rules=True, time_limit_s=20.0, jobs=2)
    with kbx.Evaluator(settings, out=out) as evaluator:
        found = list(evaluator.map(submissions))
    rules = {one.submission: one.rules.kernelbenchx for one in found if one.rules is not None}
    return {name: rule for name, rule in rules.items() if rule is not None}


def test_kernels_and_what_our_checks_refuse_are_judged_by_the_published_test(
    tmp_path: Path,
) -> None:
    found = _judged(tmp_path)
    assert not any(one.provisional for one in found.values())
    assert found["kernel"] == found["torch"] == KernelBenchXRule(called=True, correct=True)
    off = found["off"]
    assert (off.called, off.correct, off.reason) == (True, False, Reason.BAD_VALUES), off
    assert off.tolerance == "atol = rtol = 1e-05"
    assert [(found[name].called, found[name].reason) for name in ("raises", "hangs")] == [
        (False, Reason.RUNTIME_ERROR),
        (False, Reason.TIMEOUT),
    ]
