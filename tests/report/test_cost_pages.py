"""Pages of a run that a model wrote, in a real browser: what it cost and what was said."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from asked_runs import TASKS, write_asked_run
from browsing import NARROW, WIDE, checked_figures, launched, program, visiting
from kernelbenchx.report.build import build
from report_samples import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

HOSTILE = "</script><script>alert('in')</script><img src=x onerror=alert('in')>"


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asked")
    write_asked_run(folder / "a", words=HOSTILE)
    solved = {task: 1 + number % 3 for number, task in enumerate(TASKS)}
    write_asked_run(folder / "b", solved, method="geak")
    build([folder / "a", folder / "b"], folder / "site")
    return folder / "site"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theme", "size"), [("light", WIDE), ("dark", NARROW)], ids=["light", "dark and narrow"]
)
def test_the_cost_page_draws_curves_and_has_their_tables(
    browser: "Browser", asked: Path, theme: str, size: tuple[int, int]
) -> None:
    with visiting(browser, asked, theme=theme, size=size) as visit:
        visit.go("#/cost")
        assert visit.heading == "Cost"
        assert checked_figures(visit) == 3
        wider = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0
        first = visit.page.locator("figure").first
        assert first.locator("circle[aria-label]").count() == 8
        said = first.locator("circle[aria-label]").last.get_attribute("aria-label") or ""
        assert said == "refine, tokens for each task 500: 66.7 %, 30.0 % to 90.3 %, n = 6 tasks"
        visit.page.locator("select").select_option("dollars")
        visit.settled()
        assert visit.page.get_by_role("heading", name="in dollars").count() == 1
        assert visit.page.locator("figure").first.locator("circle[aria-label]").count() == 6


def test_tasks_of_the_cost_page_lead_to_them(browser: "Browser", asked: Path) -> None:
    with visiting(browser, asked) as visit:
        visit.go("#/cost")
        tasks = visit.page.locator("section", has_text="Task by task")
        visit.page.get_by_role("heading", name="What was spent").wait_for()
        assert tasks.locator("tbody a").count() == 2 * len(TASKS)
        tasks.locator("tbody a").first.click()
        visit.settled()
        assert visit.page.locator("tbody a").count() > 0


def _submission(site: Path, method: str, number: int) -> str:
    index = unpacked(site / "data" / "index.js")
    tasks = [one["task"] for one in index["tasks"]]
    file = unpacked(site / "data" / "tasks" / f"{tasks.index('math/div')}.js")
    at = {name: place for place, name in enumerate(file["columns"])}
    (row,) = [
        row
        for row in file["rows"]
        if row[at["round"]] == number and index["methods"][row[at["method"]]] == method
    ]
    return f"#/submission/math/div/{row[at['id']]}"


def test_a_submission_shows_what_was_asked_and_said_and_runs_none_of_it(
    browser: "Browser", asked: Path
) -> None:
    with visiting(browser, asked) as visit:
        visit.go(_submission(asked, "refine", 1))
        said = visit.page.locator(".said").first
        text = said.inner_text()
        assert "1 request, 100 tokens, 0.25 dollars." in text
        assert "model, model-2026, v7" in text and "form_plain ffffffffffff" in text
        assert "at most 500 tokens, temperature 0.5, seed 7" in text
        assert "60 of the prompt (20 cached), 40 of the reply" in text
        assert f"reply to round 1 {HOSTILE}" in text
        assert f"do math/div {HOSTILE}" not in text  # prompts are folded
        said.locator("summary", has_text="user").focus()
        visit.page.keyboard.press("Enter")
        assert f"do math/div {HOSTILE}" in said.inner_text()
        assert said.locator("img, script").count() == 0


def test_a_report_without_a_model_speaks_of_none(browser: "Browser", site: Path) -> None:
    with visiting(browser, site) as visit:
        visit.go("#/tasks")
        assert visit.page.locator("nav a", has_text="Cost").count() == 0
        visit.follow(visit.page.locator("tbody a").first.get_attribute("href") or "")
        visit.follow(
            visit.page.locator("a[href^='#/submission']").first.get_attribute("href") or ""
        )
        assert "Transcript" not in visit.page.inner_text("main")
    assert not (site / "data" / "transcripts").exists()
