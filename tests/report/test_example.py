"""The run that lies in the repository makes a report on any machine."""

from itertools import combinations
from pathlib import Path

import pytest

from browsing import NARROW, WIDE, launched, program, visiting
from kernelbenchx.report.build import build
from kernelbenchx.store.attempts import read_attempts

in_a_browser = pytest.mark.skipif(not program(), reason="no browser here: install chromium")
RUNS = Path(__file__).resolve().parents[2] / "examples" / "runs"
H200 = RUNS / "h200_witnesses.sqlite.gz"


def test_the_example_run_is_small_and_holds_timed_witnesses() -> None:
    assert sum(path.stat().st_size for path in RUNS.iterdir()) < 1_500_000
    found = read_attempts([H200])
    assert len(found) > 25
    assert {(one.gpu, one.method, one.outcome) for one in found} == {
        ("NVIDIA H200", "witness", "correct")
    }
    assert all(one.timed for one in found)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("example") / "site"
    build([H200], out)
    return out


@in_a_browser
def test_the_tile_of_faster_kernels_goes_by_the_speed_class(example: Path) -> None:
    pytest.importorskip("playwright")
    found = read_attempts([H200])
    faster = [one for one in found if one.eager and one.eager.speed_class == "faster"]
    above = [one for one in found if one.eager and one.eager.low > 1]
    assert len(faster) < len(above), "an interval above 1 is not enough"
    with launched() as browser, visiting(browser, example) as visit:
        visit.go("#/")
        tile = visit.page.locator(".tiles > div", has_text="faster than eager").inner_text()
    many = f"{len(faster)} of {len(found)}"
    assert tile.splitlines()[1:] == [many, f"timed attempts; {many} tasks by their best kernel"]


WORDS = """() => [...document.querySelectorAll("figure svg text")]
  .filter((one) => one.textContent && !one.closest("[aria-label*='axis']"))
  .map((one) => [one, one.getBoundingClientRect()])
  .map(([one, box]) => [one.textContent, /rotate/.test(one.getAttribute("transform") ?? ""),
                        box.left, box.top, box.right, box.bottom])"""
Box = tuple[float, float, float, float]


def _overlap(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 4


@in_a_browser
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_words_of_the_roofline_do_not_hide_each_other(example: Path, size: tuple[int, int]) -> None:
    pytest.importorskip("playwright")
    with launched() as browser, visiting(browser, example, size=size) as visit:
        visit.go("#/roofline")
        found = visit.page.evaluate(WORDS)
    upright = [(word, tuple(box)) for word, turned, *box in found if not turned]
    assert len(found) - len(upright) == 1, "the bandwidth alone is turned"
    assert len(upright) > 10
    for (first, one), (second, other) in combinations(upright, 2):
        assert not _overlap(one, other), f"{first} and {second}"
    assert all(box[0] >= 0 and box[2] <= size[0] for _, box in upright)


def test_it_makes_a_report_with_speeds(tmp_path: Path) -> None:
    build([H200], tmp_path / "site")
    pages = {path.stem for path in (tmp_path / "site" / "data" / "pages").iterdir()}
    assert {"speed", "roofline", "rates"} <= pages
    assert not {"rounds", "hardware", "variance"} & pages, "all of one kind: nothing to compare"
