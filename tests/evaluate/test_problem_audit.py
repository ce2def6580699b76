"""Which trivial answers pass a published problem."""

from pathlib import Path

import pytest

from kernelbenchx.catalog.audit_cache import CachedAudit, load_audit
from kernelbenchx.evaluate.problem_audit import audit, require_audit
from kernelbenchx.runner.problem_files import ProblemFiles
from published_problems import FORWARD, RAISES, SCALED

SHRUNK = SCALED.replace(FORWARD, "torch.relu(x * self.scale) * 1e-3")
PASSES_THROUGH = SCALED.replace(FORWARD, "torch.relu(x) + 0 * self.scale")
CONSTANT = SCALED.replace("torch.randn(wide)", "torch.ones(wide)")


@pytest.mark.parametrize(
    ("text", "ours", "loose", "strict"),
    [
        (SCALED, [], [], []),
        (SHRUNK, [], ["zeros"], []),
        (PASSES_THROUGH, ["other weights"], ["input"], ["input"]),
        (CONSTANT, [], ["other weights"], ["other weights"]),
    ],
    ids=["sound", "shrunk", "passes through", "constant weights"],
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


def test_a_problem_that_fails_is_audited_with_the_reason(problem_files: ProblemFiles) -> None:
    found = audit(problem_files, RAISES)
    assert "no_such_method" in found.failed and not found.unsound


def test_an_audit_is_made_once(
    problem_files: ProblemFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def noted(_: ProblemFiles, text: str) -> CachedAudit:
        made.append(text)
        return CachedAudit(values=("published",), honest=len(made))

    monkeypatch.setattr("kernelbenchx.catalog.audit_cache._folder", lambda: tmp_path)
    monkeypatch.setattr("kernelbenchx.evaluate.problem_audit.audit", noted)
    first, again = (require_audit(problem_files, "a problem") for _ in range(2))
    assert first == again == load_audit("a problem") and made == ["a problem"]
    assert problem_files.probe("a problem").values == ("published",), "no file was run for it"
    require_audit(problem_files, "another")
    assert made == ["a problem", "another"]
