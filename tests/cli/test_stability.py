"""`kbx certify --stability` compares verdicts of several seeds."""

import json
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.core.submission import Submission
from kernelbenchx.stability import running
from kernelbenchx.stability.kernels import KernelOrigin, StabilityKernel
from kernelbenchx.stability.running import Stability

CORRECT, WRONG = "correct pure basic core strict", "wrong pure basic core"


def _found(*verdicts: str) -> Stability:
    submission = Submission(name="NaN gives NaN", task="activation/relu", source="")
    kernel = StabilityKernel(kind=KernelOrigin.NEAR_MISS, submission=submission)
    return Stability(kernel=kernel, verdicts=dict(enumerate(verdicts, start=1)))


@pytest.mark.parametrize(("verdicts", "code"), [((WRONG,) * 3, 0), ((WRONG, CORRECT, WRONG), 1)])
@pytest.mark.usefixtures("warm_workers")
def test_a_near_miss_that_lives_under_a_seed_is_listed(
    verdicts: tuple[str, ...],
    code: int,
    kbx_here: Kbx,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(running, "judge_under_seeds", lambda *_: [_found(*verdicts)])
    asked = ("certify", "relu", "--stability", "--device", "interpreter")
    said = kbx_here(*asked, "--out", str(tmp_path / "s.sqlite"), "--json")
    assert said.returncode == code, said.stderr
    document = json.loads(said.stdout)
    assert document["kinds"] == {"near miss": {"kernels": 1, "pairs": 3, "deviating": code}}
    assert len(document["deviating"]) == len(document["living_near_misses"]) == code
    assert document["wrong_witnesses"] == []


def test_kernels_are_compared_and_never_certified(kbx_here: Kbx) -> None:
    said = kbx_here("certify", "relu", "--sample", "3")
    assert said.returncode == 2 and "need --stability" in said.stderr
