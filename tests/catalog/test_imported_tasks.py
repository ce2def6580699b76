"""Tasks made from published files: facts and signatures, read without running anything."""

import inspect
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog import audit_cache
from kernelbenchx.catalog.audit_cache import CachedAudit, store_audit
from kernelbenchx.catalog.certificates import grade_of
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.problem_folders import VARIABLE, add_problems
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.grades import Grade
from kernelbenchx.spec.imported_problem import ImportedProblem
from published_problems import SCALED, write_published

NAME = "level1/911_Imported"
TEXT = SCALED.replace("def forward(self, x):", "def forward(self, x, *rest, flag=True, **more):")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(audit_cache, "_folder", lambda: tmp_path)
    add_problems(write_published(tmp_path, TEXT + "\nraise SystemExit", f"{NAME}.py"))
    facts.cache_clear()


def test_facts_come_from_the_text_alone() -> None:
    known = facts(NAME)
    assert (known.name, known.entry, known.form) == ("911_Imported", "ModelNew", "module")
    assert known.signature == "forward(self, x, *rest, flag=True, **more)"
    kinds = {one.name: (one.kind, one.has_default) for one in known.parameters}
    assert kinds["x"] == ("POSITIONAL_OR_KEYWORD", False)
    assert kinds["flag"] == ("KEYWORD_ONLY", True)
    problem = known.problem
    assert problem is not None
    assert (problem.level, problem.number) == (1, 911)
    assert [one.name for one in problem.parameters] == ["wide"]
    assert facts(f"{NAME}:bf16").dtypes == ("bfloat16",)


def test_the_task_has_the_signatures_and_no_module() -> None:
    task = catalog.load(NAME)
    assert isinstance(task, ImportedProblem) and task.form == "module"
    assert list(task.making.parameters) == ["wide"]
    assert list(task.signature.parameters) == ["x", "rest", "flag", "more"]
    assert task.signature.parameters["rest"].kind is inspect.Parameter.VAR_POSITIONAL
    with pytest.raises(NotImplementedError):
        task.reference.forward(None)  # type: ignore[attr-defined]


def test_the_statement_shows_the_published_module() -> None:
    text = statement(NAME).text()
    assert "class Model(nn.Module)" in text and "Each column of x" in text
    assert "The module has no weights" not in text


def test_an_audit_makes_it_unsound_and_nothing_makes_it_certified() -> None:
    assert grade_of(NAME) is Grade.IMPORTED and not facts(NAME).unsound
    text = catalog.path_of(NAME).read_text()
    store_audit(text, CachedAudit(weights={"scale": (8,)}))
    assert grade_of(NAME) is Grade.IMPORTED
    weights = facts(NAME).problem
    assert weights is not None and weights.weights[0].shape == "(8,) at the reduced sizes"
    store_audit(text, CachedAudit(ours=("zeros",)))
    assert grade_of(NAME) is Grade.UNSOUND
    assert statement(NAME).unsound == "a trivial answer passes: zeros"
