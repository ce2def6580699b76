"""Claims in the report: the first page of a study, and a page of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing import NARROW, WIDE, launched, program, visiting
from kernelbenchx.report.build import build
from many_runs import write_run
from report_samples import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

in_a_browser = pytest.mark.skipif(not program(), reason="no browser here: install chromium")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    for name, gpu in (("a", "NVIDIA H200"), ("b", "NVIDIA L20")):
        write_run(folder / name, tasks=20, methods=2, rounds=2, gpu=gpu)
    return folder / "a", folder / "b"


@pytest.fixture(scope="module")
def study(runs: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "site"
    build(runs, out)
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    pytest.importorskip("playwright")
    with launched() as opened:
        yield opened


def _rows(site: Path) -> list[dict[str, Any]]:
    table = unpacked(site / "data" / "pages" / "claims.js")["tables"][0]
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, row, strict=True)) for row in table["rows"]]


@pytest.mark.slow
def test_several_runs_are_a_study_and_one_is_not(
    study: Path, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    assert unpacked(study / "data" / "index.js")["study"]
    build(runs[:1], tmp_path / "one")
    alone = unpacked(tmp_path / "one" / "data" / "index.js")
    assert not alone["study"] and "claims" in alone["pages"]
    assert {row["claim"] for row in _rows(study)} - {
        row["claim"] for row in _rows(tmp_path / "one")
    } == {"portability", "portability_worst"}


@pytest.mark.slow
@in_a_browser
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_study_opens_with_its_answers(
    browser: "Browser", study: Path, size: tuple[int, int]
) -> None:
    rows = _rows(study)
    with visiting(browser, study, size=size) as visit:
        visit.go("#/")
        text = visit.page.inner_text("main")
        assert text.index("Do the papers' claims hold?") < text.index("How far attempts get")
        shown = visit.page.locator("main section tbody tr").count()
        assert shown == len({row["claim"] for row in rows})
        assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        visit.follow("#/claims")
        badges = visit.page.locator("main .badge").all_inner_texts()
        assert badges == [row["verdict"] for row in rows]
        assert "What the claims mean" in visit.page.inner_text("main")
        box = visit.page.locator(".scroll:has(.stacks)")
        assert box.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
        stacked = box.locator("tbody tr").first.evaluate("(row) => getComputedStyle(row).display")
        assert stacked == ("block" if size == NARROW else "table-row")
