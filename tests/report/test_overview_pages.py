"""The first page, the leaderboard and the page about a run, in a real browser."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import NARROW, WIDE, Visit, launched, program, visiting
from kernelbenchx.report.build import build
from many_runs import write_run
from report_samples import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

TITLES = [
    "Ranking of methods",
    "How far attempts get",
    "Share correct, category by method",
    "Fastest and slowest tasks",
    "Why and where attempts fail",
]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 tasks, 4 methods, one round."""
    folder = tmp_path_factory.mktemp("several")
    write_run(folder / "run", tasks=40, methods=4, rounds=1)
    build([folder / "run"], folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def visit(browser: "Browser", several: Path) -> Iterator[Visit]:
    with visiting(browser, several) as opened:
        opened.go("#/tasks")
        yield opened


def _labels(visit: Visit, title: str) -> list[str]:
    """What the marks of a picture say."""
    heading = visit.page.get_by_role("heading", name=title)
    marks = visit.page.locator("figure", has=heading).locator("svg [aria-label]:not(g, svg, a)")
    return [one.get_attribute("aria-label") or "" for one in marks.all()]


@pytest.mark.slow
def test_the_first_page_tells_what_came_out(visit: Visit, several: Path) -> None:
    visit.follow("#/")
    assert visit.heading == "4 methods on 40 tasks"
    assert visit.page.locator("figure h2").all_inner_texts() == TITLES
    tables = unpacked(several / "data" / "pages" / "overview.js")["tables"]
    funnel = next(one for one in tables if one["name"] == "funnel")
    said = _labels(visit, "How far attempts get")
    assert len(said) == sum(row[1] == "all methods" for row in funnel["rows"])
    assert said[0].startswith("judged: ") and said[-1].startswith("faster than eager: ")
    tiles = visit.page.locator(".tiles dt").all_inner_texts()
    assert tiles[0] == "highest share correct" and "tasks solved" in tiles
    assert "Isolation" not in visit.page.inner_text("main"), "that is on the page about the run"


def test_the_ranking_has_the_rates_of_all_standards_in_order(visit: Visit) -> None:
    visit.follow("#/")
    said = _labels(visit, "Ranking of methods")
    whole = [one for one in said if ", strict: every call: " in one]
    core = [one for one in said if ", core: every ordinary call: " in one]
    basic = [one for one in said if ", basic: every ordinary call in the first dtype: " in one]
    assert len(whole) == len(core) == 4 and len(basic) in (0, 4)
    shown = visit.page.locator("figure").first.locator("[aria-label='y-axis tick label'] text")
    names = shown.all_text_contents()
    rates = {one.split(",")[0]: float(one.split(": ")[2].split(" %")[0]) for one in whole}
    assert names == sorted(rates, key=lambda name: -rates[name])


def test_the_funnel_of_one_method_can_be_chosen(visit: Visit) -> None:
    visit.follow("#/")
    every = _labels(visit, "How far attempts get")
    visit.page.get_by_label("Method", exact=True).select_option("agent")
    visit.settled()
    own = _labels(visit, "How far attempts get")
    assert own[0].startswith("judged: ") and every[0] != own[0]
    assert len(own) == len(every)


def test_the_fastest_and_the_slowest_task_are_those_of_the_tasks_page(visit: Visit) -> None:
    visit.follow("#/")
    said = _labels(visit, "Fastest and slowest tasks")
    assert len(said) == 16
    visit.follow("#/tasks")
    visit.page.get_by_role("button", name="Best").click()
    first = visit.page.locator("tbody tr").first
    task, best = (first.locator(f"td:nth-child({at})").inner_text() for at in (1, 6))
    assert said[0].startswith(f"{task}, ") and f": {best}, " in said[0]


def _column(visit: Visit, at: int) -> list[str]:
    cells = visit.page.locator(".leaderboard tbody tr")
    return [row.locator(f"td:nth-child({at})").inner_text() for row in cells.all()]


def _heads(visit: Visit) -> list[str]:
    found = visit.page.locator(".leaderboard th button").all()
    return [(one.evaluate("(head) => head.firstChild.textContent")) for one in found]


def test_the_leaderboard_is_a_table_that_can_be_sorted(visit: Visit) -> None:
    visit.follow("#/leaderboard")
    heads = _heads(visit)
    assert heads[:3] == ["Method", "Correct", "Core correct"]
    sorted_by = visit.page.locator(".leaderboard th[aria-sort]")
    assert sorted_by.count() == 1 and sorted_by.get_attribute("aria-sort") == "descending"

    def rates(name: str) -> list[float]:
        return [float(one.split(" ")[0]) for one in _column(visit, heads.index(name) + 1)]

    assert rates("Correct") == sorted(rates("Correct"), reverse=True)
    head = visit.page.locator(".leaderboard").get_by_role("button", name="Core correct")
    head.click()
    assert rates("Core correct") == sorted(rates("Core correct"), reverse=True)
    head.click()
    assert rates("Core correct") == sorted(rates("Core correct"))
    visit.page.locator(".leaderboard").get_by_role("button", name="Method").click()
    assert _column(visit, 1) == sorted(_column(visit, 1))


def test_bars_of_the_leaderboard_are_as_long_as_their_numbers(visit: Visit) -> None:
    visit.follow("#/leaderboard")
    at = _heads(visit).index("Correct") + 1
    for row in visit.page.locator(".leaderboard tbody tr").all():
        cell = row.locator(f"td:nth-child({at})")
        track = cell.locator(".track").bounding_box()
        fill, ends = (cell.locator(name).bounding_box() for name in (".fill", ".ends"))
        assert track and fill and ends
        share = float(cell.inner_text().split(" ")[0]) / 100
        assert abs(fill["width"] / track["width"] - share) < 0.01
        assert ends["x"] < fill["x"] + fill["width"] < ends["x"] + ends["width"]


def test_provenance_has_a_page_of_its_own(visit: Visit) -> None:
    visit.follow("#/about")
    assert visit.heading == "About this run"
    titles = visit.page.locator("main h2").all_inner_texts()
    assert {"Outcomes", "Runs", "Machines and versions", "Isolation"} <= set(titles)


def test_what_is_wider_than_the_screen_shows_that_there_is_more(
    browser: "Browser", several: Path
) -> None:
    with visiting(browser, several, size=NARROW) as visit:
        visit.go("#/leaderboard")
        box = visit.page.locator(".leaderboard .scroller")
        assert box.get_attribute("data-more") == "right"
        assert "Scroll sideways" in box.locator(".hint").inner_text()
        box.locator(".scroll").evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
        visit.until("document.querySelector('.leaderboard .scroller').dataset.more == 'left'")
        name = visit.page.locator(".leaderboard tbody td").first.bounding_box()
        assert name and name["x"] >= 0, "the names stay in view"
    with visiting(browser, several) as wide:
        wide.go("#/leaderboard")
        assert wide.page.locator(".leaderboard .hint").count() == 0


def test_a_mark_says_its_name_at_the_pointer(visit: Visit) -> None:
    visit.follow("#/roofline")
    dot = visit.page.locator("svg a").first
    box = dot.bounding_box()
    assert box
    visit.page.mouse.move(box["x"] + box["width"] / 2 + 6, box["y"] + box["height"] / 2)
    readout = visit.page.locator(".readout")
    assert readout.inner_text() != "", "near is enough"
    visit.page.mouse.move(5, 5)
    visit.until("document.querySelector('.readout').textContent == ''")


PEAK_NAMES = """() => [...document.querySelectorAll("figure svg text")]
  .filter((one) => /^(fp|tf|bf|int)[0-9]+ /.test(one.textContent))
  .map((one) => [one.textContent, one.closest("[fill^=var]").getAttribute("fill"),
                 one.getBoundingClientRect().y + one.getBoundingClientRect().height / 2])"""
PEAK_LINES = """() => [...document.querySelectorAll("figure svg g[aria-label=line]")]
  .map((one) => [one.getAttribute("stroke") ?? one.firstElementChild.getAttribute("stroke"),
                 one.getBoundingClientRect().y])"""


def test_the_name_of_a_peak_is_beside_its_line_and_has_its_colour(visit: Visit) -> None:
    visit.follow("#/roofline")
    lines = dict(visit.page.evaluate(PEAK_LINES))
    names = visit.page.evaluate(PEAK_NAMES)
    assert {name.split(" ")[0] for name, _, _ in names} == {"fp16", "fp32", "tf32"}
    for name, colour, y in names:
        assert abs(lines[colour] - y) < 9, name
    places = sorted(y for _, _, y in names)
    assert all(below - above > 10 for above, below in pairwise(places))


def test_more_than_two_bands_are_drawn_as_upright_lines(
    browser: "Browser", visit: Visit, site: Path
) -> None:
    def areas(opened: Visit) -> tuple[int, int]:
        opened.follow("#/speed")
        title = opened.page.get_by_role("heading", name="fast_p: correct")
        figure = opened.page.locator("figure", has=title)
        marks = (figure.locator(f"svg g[aria-label='{name}']") for name in ("area", "rule"))
        area, rule = (one.locator("> *").count() for one in marks)
        return area, rule

    bands, bars = areas(visit)
    assert bands == 0 and bars > 8
    with visiting(browser, site) as two_methods:
        two_methods.go("#/")
        bands, bars = areas(two_methods)
    assert bands == 2 and bars == 0


CLIPPED = """() => [...document.querySelectorAll("th, h1, h2, nav a")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .map((one) => one.textContent)"""


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_heading_is_clipped(browser: "Browser", several: Path, size: tuple[int, int]) -> None:
    with visiting(browser, several, size=size) as visit:
        visit.go("#/")
        for page in ("", "leaderboard", "speed", "failures", "variance", "tasks", "about"):
            visit.follow(f"#/{page}")
            assert visit.page.evaluate(CLIPPED) == [], page
        visit.page.evaluate(
            "document.querySelector('h1').style = 'width: 9px; overflow: hidden; white-space: pre'"
        )
        assert visit.page.evaluate(CLIPPED) == ["About this run"]
