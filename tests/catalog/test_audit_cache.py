"""Audits are kept by the text of a problem and everything that judges it."""

from pathlib import Path

import pytest

from kernelbenchx.catalog import audit_cache
from kernelbenchx.catalog.audit_cache import CachedAudit, load_audit, store_audit

FOUND = CachedAudit(sizes={"rows": 2, "shape": (2, 3)}, values=("published",), honest=0.25)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_cache, "_folder", lambda: tmp_path)


def test_an_audit_is_kept_for_its_text_alone() -> None:
    assert load_audit("a text") is None
    store_audit("a text", FOUND)
    assert load_audit("a text") == FOUND
    assert load_audit("another text") is None


def test_it_lapses_where_what_judges_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    store_audit("a text", FOUND)
    monkeypatch.setattr(audit_cache, "_judging", lambda: "changed")
    assert load_audit("a text") is None


def test_a_file_that_says_something_else_is_no_audit(tmp_path: Path) -> None:
    store_audit("a text", FOUND)
    (kept,) = tmp_path.glob("*.json")
    kept.write_text('{"certified": true}')
    assert load_audit("a text") is None


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_cache, "_folder", lambda: None)
    store_audit("a text", FOUND)
    assert load_audit("a text") is None


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (CachedAudit(), ""),
        (CachedAudit(honest=1.0, published_1e_2=("zeros",), published_1e_4=("input",)), ""),
        (CachedAudit(ours=("constant", "zeros")), "a trivial answer passes: constant, zeros"),
        (CachedAudit(random=True, ours=("zeros",)), "its forward is random: equal calls differ"),
        (CachedAudit(honest=2.5), "torch's own float32 fails: 2.5 times the budget"),
    ],
)
def test_what_makes_a_problem_unsound(found: CachedAudit, why: str) -> None:
    assert found.unsound == why
