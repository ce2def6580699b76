"""Drives the site from disk in a real browser."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import NARROW, WIDE, Visit, checked_figures, launched, program, visiting
from kernelbenchx.report.build import build
from many_runs import write_run
from report_samples import unpacked
from tiers import mark_slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

PAGES = ["", "map", "leaderboard", "scopes", "speed", "roofline", "rounds", "hardware", "failures"]
PAGES += ["variance", "compare", "tasks", "about", "claims", "papers"]
PICTURES = [page for page in PAGES if page not in ("tasks", "claims", "papers")]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def two_gpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """12 tasks, 2 methods, 2 rounds, on two GPUs."""
    folder = tmp_path_factory.mktemp("gpus")
    for card in ("NVIDIA H200", "NVIDIA A100-PCIE-40GB"):
        write_run(folder / card[7:11], tasks=12, methods=2, rounds=2, gpu=card, machine=card)
    build(sorted(folder.iterdir()), folder / "site")
    return folder / "site"


@pytest.mark.parametrize(
    "form",
    mark_slow(["wide light", "narrow dark", "narrow light", "wide dark"], fast=("narrow dark",)),
)
def test_every_view_opens_in_every_form(browser: "Browser", two_gpus: Path, form: str) -> None:
    name, theme = form.split()
    size = {"wide": WIDE, "narrow": NARROW}[name]
    with visiting(browser, two_gpus, theme=theme, size=size) as visit:
        visit.go("#/")
        for page in PAGES:
            visit.follow(f"#/{page}")
            assert visit.heading not in ("", "Not found"), page
            wider = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, f"{page} is wider than the screen"
        paper = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(20, 21, 23)") == (theme == "dark")


NAMES = """() => [...document.querySelector("figure svg")
  .querySelectorAll("[aria-label='y-axis tick label'] text")]
  .map((name) => name.querySelector("tspan")
    ? [...name.querySelectorAll("tspan")].map((line) => line.textContent)
    : [name.textContent])"""


@pytest.mark.parametrize(("size", "most"), [(WIDE, 1), (NARROW, 2)], ids=["wide", "narrow"])
def test_names_beside_a_picture_are_whole(
    browser: "Browser", two_gpus: Path, size: tuple[int, int], most: int
) -> None:
    """Two GPUs are not called the same where there is little room: names go over lines."""
    with visiting(browser, two_gpus, size=size) as visit:
        visit.go("#/hardware")
        lines = visit.page.evaluate(NAMES)
    assert max(map(len, lines)) == most
    assert {" ".join(one).replace("- ", "-") for one in lines} == {
        f"{card} ({which})"
        for card in ("NVIDIA H200", "NVIDIA A100-PCIE-40GB")
        for which in ("all", "on every GPU")
    }


MOST_OF_A_KIND = 12


@pytest.mark.slow
def test_every_link_leads_somewhere(browser: "Browser", site: Path) -> None:
    """Some of each kind are followed; where all of them lead, there is data."""
    with visiting(browser, site) as visit:
        found, kinds = {"#/"}, Counter[str]()
        waiting = ["#/"]
        visit.go("#/map")
        while waiting:
            address = waiting.pop(0)
            kind = re.split(r"[/?]", address)[1]
            kinds[kind] += 1
            if kinds[kind] > MOST_OF_A_KIND:
                continue
            heading, links = visit.follow(address)
            assert heading != "Not found", address
            fresh = links - found - {"#main"}
            found |= fresh
            waiting += sorted(fresh)
    assert {kind for kind in kinds if kind} >= {*PAGES[1:], "task", "submission"} - {"hardware"}
    assert kinds["submission"] > 3 * MOST_OF_A_KIND < 3 * kinds["tasks"]
    assert {address for address in found if not _known(address, site)} == set()


_data = cache(unpacked)
"""Every link asks for the same few files."""


def _known(address: str, site: Path) -> bool:
    """Whether the data of the site hold what an address names."""
    index = _data(site / "data" / "index.js")
    kind, _, rest = address.removeprefix("#/").partition("?")[0].partition("/")
    tasks = [one["task"] for one in index["tasks"]]
    if kind == "task":
        return rest in tasks
    if kind == "submission":
        task, _, key = rest.rpartition("/")
        rows = _data(site / "data" / "tasks" / f"{tasks.index(task)}.js")["rows"]
        return key in [row[0] for row in rows]
    return kind in PAGES and not rest


def test_a_cell_of_the_map_leads_to_its_tasks(browser: "Browser", site: Path) -> None:
    with visiting(browser, site) as visit:
        visit.go("#/map")
        cell = visit.page.locator("svg a").first
        said = cell.get_attribute("aria-label") or ""
        category, method = said.partition(":")[0].split(", ")
        cell.click()
        visit.settled()
        assert visit.heading == f"Tasks: {category}, {method}"
        rows = visit.page.locator("tbody tr")
        shown = rows.locator("td:nth-child(8)").all_inner_texts()
        assert shown and set(shown) == {category}
        assert f"n = {len(shown)} task" in said
        rows.first.locator("a").click()
        visit.settled()
        assert visit.page.locator("select").input_value() == method


def test_the_map_is_walked_by_keyboard_alone(browser: "Browser", site: Path) -> None:
    with visiting(browser, site) as visit:
        visit.go("#/")
        press = visit.page.keyboard.press
        focused = "document.activeElement.textContent"
        for _ in range(30):
            press("Tab")
            if visit.page.evaluate(focused) == "Capability map":
                break
        press("Enter")
        visit.until("document.querySelector('h1').innerText == 'Capability map'")
        visit.settled()
        here = "document.activeElement.getAttribute('aria-label')"
        for _ in range(30):
            press("Tab")
            if "correct" in (visit.page.evaluate(here) or ""):
                break
        first = visit.page.evaluate(here)
        assert visit.page.inner_text(".readout") == first
        press("ArrowRight")
        second = visit.page.evaluate(here)
        assert first.partition(",")[0] == second.partition(",")[0]
        assert first != second
        press("ArrowDown")
        third = visit.page.evaluate(here)
        assert third.partition(",")[0] != second.partition(",")[0]
        press("Enter")
        visit.until("document.querySelector('h1').innerText.startsWith('Tasks:')")
        # The focus follows: the next Tab goes on from the new view.
        assert visit.page.evaluate("document.activeElement.tagName") == "H1"


@pytest.fixture(scope="module")
def opened(browser: "Browser", two_gpus: Path) -> Iterator[Visit]:
    """One visit for the tests that only look."""
    with visiting(browser, two_gpus) as visit:
        visit.go("#/tasks")
        yield visit


@pytest.mark.parametrize("page", PICTURES)
def test_every_picture_says_n_and_interval_and_has_a_table(opened: Visit, page: str) -> None:
    opened.follow(f"#/{page}")
    assert checked_figures(opened) > 0


@pytest.mark.slow
def test_a_missing_file_is_said_in_words(browser: "Browser", run: Path, tmp_path: Path) -> None:
    build([run], tmp_path / "site")
    (tmp_path / "site" / "data" / "pages" / "failures.js").unlink()
    context = browser.new_context()
    page = context.new_page()
    page.goto((tmp_path / "site" / "index.html").as_uri() + "#/failures")
    page.wait_for_selector(".trouble")
    assert "data/pages/failures.js is missing" in page.inner_text(".trouble")
    context.close()


# Seeds of a single invented kernel that is correct and timed, and of one that is void.
SINGLE = {0: "n = 1 kernel and 1 task;", 11: "hold nothing"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SINGLE)
def test_a_single_submission_fills_the_views_it_can(
    browser: "Browser", tmp_path: Path, seed: int
) -> None:
    write_run(tmp_path / "run", tasks=1, methods=1, rounds=1, seed=seed)
    build([tmp_path / "run"], tmp_path / "site")
    listed = {"", "tasks", "about", *unpacked(tmp_path / "site" / "data" / "index.js")["pages"]}
    listed |= {"map", "leaderboard"} if "rates" in listed else set()
    with visiting(browser, tmp_path / "site") as visit:
        visit.go("#/")
        for page in PAGES:
            visit.follow(f"#/{page}")
            nothing = "hold nothing for this page" in visit.page.inner_text("main")
            assert nothing == (page not in listed), page
        visit.follow("#/speed")
        assert SINGLE[seed] in visit.page.inner_text("main")


def test_the_theme_can_be_chosen(browser: "Browser", site: Path) -> None:
    with visiting(browser, site, theme="light") as visit:
        visit.go()
        paper = "getComputedStyle(document.body).backgroundColor"
        light = visit.page.evaluate(paper)
        for theme in ("light", "dark"):
            visit.page.locator(".theme").click()
            visit.page.wait_for_selector(f"html[data-theme={theme}]")
        assert visit.page.evaluate(paper) != light
        visit.go("#/tasks")
        assert visit.page.evaluate(paper) != light


@pytest.mark.slow
def test_the_published_size_builds_and_loads_in_time(browser: "Browser", tmp_path: Path) -> None:
    """184 tasks by 5 methods by 3 rounds: in under 20 s, and open in under one.

    Of processor time: others may use these cores.
    """
    write_run(tmp_path / "run", tasks=184, methods=5, rounds=3)
    begun = time.process_time()
    build([tmp_path / "run"], tmp_path / "site")
    assert time.process_time() - begun < 20
    with visiting(browser, tmp_path / "site") as visit:
        visit.go("#/")
        clock = visit.page.context.new_cdp_session(visit.page)
        clock.send("Performance.enable", {"timeDomain": "threadTicks"})
        for page in ("", "map", "compare"):
            visit.page.goto("about:blank")
            begun = _spent_s(clock)
            visit.go(f"#/{page}")
            assert 0 < _spent_s(clock) - begun < 1


def _spent_s(clock: "CDPSession") -> float:
    """Processor time of the page's main thread so far."""
    metrics = clock.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")
