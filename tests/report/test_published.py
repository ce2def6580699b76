"""`kbx report published`: the paper's map from its own numbers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing import NARROW, WIDE, checked_figures, launched, program, visiting
from kernelbenchx.analysis.published_data import METHODS, TABLE_3, TASKS
from kernelbenchx.report.published import build_published
from report_samples import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

in_a_browser = pytest.mark.skipif(not program(), reason="no browser here: install chromium")


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("paper") / "site"
    built = build_published(out)
    assert (built.evaluations, built.tasks, built.methods) == (880, 176, 5)
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    pytest.importorskip("playwright")
    with launched() as opened:
        yield opened


def _rows(site: Path, page: str, name: str) -> list[dict[str, Any]]:
    tables = unpacked(site / "data" / "pages" / f"{page}.js")["tables"]
    (table,) = (one for one in tables if one["name"] == name)
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, row, strict=True)) for row in table["rows"]]


@pytest.mark.slow
def test_every_cell_of_the_map_is_a_number_of_the_paper(paper: Path) -> None:
    cells = {
        (row["category"], row["method"]): row
        for row in _rows(paper, "overview", "by_category")
        if row["method"] in METHODS
    }
    assert len(cells) == len(TASKS) * len(METHODS)
    for category, printed in TABLE_3.items():
        for method, percent in zip(METHODS, printed, strict=True):
            cell = cells[category, method]
            assert abs(100 * cell["correct"] - percent) < 0.051, (category, method)
            assert cell["correct_low"] <= cell["correct"] <= cell["correct_high"]


def test_tasks_are_not_named_and_methods_are_not_compared_by_task(paper: Path) -> None:
    index = unpacked(paper / "data" / "index.js")
    assert index["published"] and index["tasks"] == [] and index["cells"] == []
    assert not (paper / "data" / "tasks").exists()
    names = {table["name"] for table in unpacked(paper / "data" / "pages" / "rates.js")["tables"]}
    assert names == {"by_method", "by_category"}


@pytest.mark.slow
@in_a_browser
@pytest.mark.parametrize(
    ("theme", "size"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark and narrow"]
)
def test_the_map_of_the_paper_is_drawn(
    browser: "Browser", paper: Path, theme: str, size: tuple[int, int]
) -> None:
    with visiting(browser, paper, theme=theme, size=size) as visit:
        visit.go("#/")
        assert visit.heading == "The published results of KernelBench-X"
        cells = visit.page.locator("svg rect[aria-label*='GEAK']")
        said = [one.get_attribute("aria-label") or "" for one in cells.all()]
        assert any(one.startswith("Optimizer, GEAK: 60.0 % correct, ") for one in said)
        assert checked_figures(visit) == 4
        wider = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0


@in_a_browser
def test_it_says_where_the_paper_contradicts_itself(browser: "Browser", paper: Path) -> None:
    """Table 1 has 64.2 % of KernelAgent compiled, Table 4 adds up to 43.8 %."""
    with visiting(browser, paper) as visit:
        visit.go("#/leaderboard")
        row = visit.page.locator(".leaderboard tbody tr", has_text="KernelAgent")
        assert "43.8 %" in row.inner_text()
        for page in ("", "leaderboard"):
            visit.follow(f"#/{page}")
            assert "its Table 1 prints other totals" in visit.page.inner_text("main")
        visit.follow("#/published")
        assert "Table 1 against the sums of Tables 3 and 4" in visit.page.inner_text("main")


@in_a_browser
def test_every_link_of_it_leads_somewhere(browser: "Browser", paper: Path) -> None:
    with visiting(browser, paper) as visit:
        visit.go("#/")
        seen, waiting = set[str](), ["#/"]
        while waiting:
            address = waiting.pop()
            seen.add(address)
            heading, links = visit.follow(address)
            text = visit.page.inner_text("main")
            assert heading != "Not found" and "hold nothing for this page" not in text, address
            waiting += sorted(links - seen - {"#main"} - set(waiting))
        assert seen == {"#/", "#/claims", "#/map", "#/leaderboard", "#/published", "#/about"}
        visit.follow("#/tasks")
        assert "hold nothing for this page" in visit.page.inner_text("main")


@in_a_browser
def test_it_has_the_verdicts_on_both_papers_and_their_tables(
    browser: "Browser", paper: Path
) -> None:
    with visiting(browser, paper) as visit:
        visit.go("#/claims")
        text = visit.page.inner_text("main")
        assert "71.67 percent, 59.23 to 81.49" in text and "2.15 ratio, no interval" in text
        visit.follow("#/published")
        assert "fast_1 of the best of k samples" in visit.page.inner_text("main")
