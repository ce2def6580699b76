"""The pages of tasks say what was shown of each, in a real browser."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from browsing import NARROW, WIDE, Visit, launched, program, visiting
from kernelbenchx.catalog.certificates import grade_of
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.grades import Grade
from kernelbenchx.core.record import to_json
from kernelbenchx.core.submission import Origin
from kernelbenchx.report.build import APP, build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

TASKS = {
    "activation/relu": (Grade.CERTIFIED, "kernels with known mistakes fail"),
    "level1/elu": (Grade.WITNESSED, "a kernel of this project passes"),
    "level3/mlp": (Grade.DISCRIMINATING, "no kernel of this project solves it"),
    "level2/gemm_max_subtract_gelu": (Grade.UNSOUND, "no rate counts it"),
    "level1/999_Gone": (Grade.IMPORTED, "nothing shows that it can be solved"),
    "level1/998_Flawed": (Grade.UNSOUND, "zeros pass it"),
}
"""The last two are of a folder that is not here any more."""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module", params=[WIDE, NARROW], ids=["wide", "narrow"])
def visit(
    browser: "Browser", tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Visit]:
    folder = tmp_path_factory.mktemp("graded")
    said = replace(statement("level1/elu"), imported=True)
    with writing(RunFolder(folder / "run")) as database:
        for number, task in enumerate(TASKS):
            one = on_a_card(evaluation(f"number{number}", None))
            digest = str(number) * 64
            one = replace(one, task=task, digest=digest, origin=Origin(method="mine"))
            database.append(digest, one, f"import triton\nx = {number}\n")
        gone = {"level1/999_Gone": said}
        gone["level1/998_Flawed"] = replace(said, unsound="zeros pass it")
        database.keep_statements((name, to_json(one).decode()) for name, one in gone.items())
    build([folder / "run"], folder / "site")
    with visiting(browser, folder / "site", size=request.param) as opened:
        opened.go("#/")
        yield opened


@pytest.mark.parametrize("task", TASKS)
def test_the_page_of_a_task_says_its_grade(visit: Visit, task: str) -> None:
    grade, words = TASKS[task]
    visit.follow(f"#/task/{task}")
    shown = visit.page.inner_text("main")
    assert f"Grade {grade.value}: " in shown and words in shown
    assert not [other for other in Grade if other is not grade and f"Grade {other.value}:" in shown]
    assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_list_of_tasks_has_a_column_for_it(visit: Visit) -> None:
    visit.follow("#/tasks")
    rows = [row.inner_text().split("\t") for row in visit.page.locator("tbody tr").all()]
    assert {row[0]: row[-1] for row in rows} == {
        task: grade.value for task, (grade, _) in TASKS.items()
    }
    titles = visit.page.locator("thead th").all_inner_texts()
    assert any("Grade" in one for one in titles) and not any("Certified" in one for one in titles)


def test_every_grade_has_words() -> None:
    words = (APP.parent / "source" / "grades.ts").read_text(encoding="utf-8")
    assert [one for one in Grade if f'{one.value}"' not in words and f" {one}:" not in words] == []
    assert grade_of("activation/relu") is Grade.CERTIFIED
