"""The page of KernelBench problems, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from browsing import NARROW, WIDE, checked_figures, launched, program, visiting
from kernelbenchx.core.outcome import Outcome, Reason, Wrong
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.submission import Origin
from kernelbenchx.report.build import build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from ruled import LOOSE, by_kernelbench
from samples import evaluation, on_a_card, timed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

WRONG = Wrong(case="c", reason=Reason.BAD_VALUES, detail="wrong")
LUCKY = Failed(
    case="c",
    reason=Reason.TIMED_WRONG,
    detail="wrong at the published size",
)
GIVEN: dict[str, tuple[str, Outcome | None, object]] = {
    "right": ("level1/elu", None, timed()),
    "wrong": ("level1/group_norm", WRONG, None),
    "lucky": ("level2/gemm_multiply_leaky_relu", None, LUCKY),
}


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


def _site(folder: Path, *, problems: bool) -> Path:
    with writing(RunFolder(folder / "run")) as database:
        for name, (task, outcome, performance) in GIVEN.items():
            one = on_a_card(evaluation(name, outcome))
            rules = by_kernelbench(LOOSE) if name == "lucky" else None
            one = replace(one, performance=performance, rules=rules, digest=name)
            one = replace(one, origin=Origin(method="m"))
            database.append(name, replace(one, task=task) if problems else one, name)
    build([folder / "run"], folder / "site")
    return folder / "site"


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", NARROW)])
def test_levels_have_a_picture_and_their_tables(
    browser: "Browser", tmp_path: Path, theme: str, size: tuple[int, int]
) -> None:
    with visiting(browser, _site(tmp_path, problems=True), theme=theme, size=size) as visit:
        visit.go("#/levels")
        assert visit.heading == "Levels"
        assert checked_figures(visit) == 1
        wider = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0
        for title in ("fast_p by level", "KernelBench's rule beside ours", "Lucky kernels"):
            visit.page.get_by_role("heading", name=title).first.wait_for()
        listed = visit.page.locator("section", has_text="Lucky kernels").locator("tbody tr")
        assert [
            one.count("level2/gemm_multiply_leaky_relu") for one in listed.all_inner_texts()
        ] == [1]


def test_without_a_kernelbench_problem_the_page_is_not_listed(
    browser: "Browser", tmp_path: Path
) -> None:
    with visiting(browser, _site(tmp_path, problems=False)) as visit:
        visit.go("#/")
        assert visit.page.locator("a[href='#/levels']").count() == 0
        assert visit.page.locator("a[href='#/failures']").count() > 0
