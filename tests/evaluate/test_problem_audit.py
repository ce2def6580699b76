"""Which trivial answers pass a published problem."""

import pytest

from kernelbenchx.catalog.kept_audits import KeptAudit, kept_audit
from kernelbenchx.evaluate.problem_audit import audit, require_audit
from kernelbenchx.runner.problem_files import ProblemFiles
from published_problems import FORWARD, IGNORES_X, RAISES, RANDOM, SCALED

ZERO = SCALED.replace(FORWARD, "torch.relu(x * self.scale) * 0.0")
SHRUNK = SCALED.replace(FORWARD, "torch.relu(x * self.scale) * 1e-3")
PASSES_THROUGH = SCALED.replace(FORWARD, "torch.relu(x) + 0 * self.scale")
CONSTANT = SCALED.replace("torch.randn(wide)", "torch.ones(wide)")


@pytest.mark.parametrize(
    ("text", "ours", "loose", "strict"),
    [
        (SCALED, [], [], []),
        (ZERO, ["constant", "other input", "other weights", "zeros"], ["zeros"], ["zeros"]),
        (SHRUNK, [], ["zeros"], []),
        (IGNORES_X, ["other input"], ["other input"], ["other input"]),
        (PASSES_THROUGH, ["other weights"], ["input"], ["input"]),
        (CONSTANT, [], ["other weights"], ["other weights"]),
    ],
    ids=["sound", "zero", "shrunk", "ignores x", "passes through", "constant weights"],
)
def test_answers_without_the_work_are_named(
    problem_files: ProblemFiles, text: str, ours: list[str], loose: list[str], strict: list[str]
) -> None:
    found = audit(problem_files, text)
    assert not found.failed and list(found.ours) == ours
    assert set(loose) <= set(found.published_1e_2) and set(strict) <= set(found.published_1e_4)
    if not loose:
        assert not found.published_1e_2
    if not strict:
        assert not found.published_1e_4
    assert bool(found.unsound) == bool(ours) and found.honest < 1


def test_a_random_problem_is_unsound(problem_files: ProblemFiles) -> None:
    assert "random" in audit(problem_files, RANDOM).unsound


def test_a_problem_that_fails_is_audited_with_the_reason(problem_files: ProblemFiles) -> None:
    found = audit(problem_files, RAISES)
    assert "no_such_method" in found.failed and not found.unsound


@pytest.mark.usefixtures("warm_problems")
def test_an_audit_is_made_once(
    problem_files: ProblemFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept_audit(SCALED) is None
    first = require_audit(problem_files, SCALED)
    assert kept_audit(SCALED) == first

    def again(*_: object) -> KeptAudit:
        raise AssertionError("audited twice")

    monkeypatch.setattr("kernelbenchx.evaluate.problem_audit.audit", again)
    assert require_audit(problem_files, SCALED) == first
    with pytest.raises(AssertionError, match="audited twice"):
        require_audit(problem_files, SCALED + "\n# changed")
