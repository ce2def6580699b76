"""The page of a submission in a real browser: verdict, cases, error picture, source, changes."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
import torch

from browsing import Visit, checked_figures, launched, program, visiting
from kernelbenchx.core.error_map import ErrorMap
from kernelbenchx.core.outcome import (
    CaseResult,
    CaseState,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Worst,
    Wrong,
)
from kernelbenchx.core.performance import Failed, KernelShare, Timed
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Origin
from kernelbenchx.judge.error_maps import error_map
from kernelbenchx.report.build import build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import SMALL, evaluation, on_a_card, timed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


SOURCES = ("import os\nimport triton\n", *(f"import triton\nx = {n}\n" for n in (1, 2, 3)))
WORST = Worst(
    output="out", index=(3, 7), expected="0.5", got="0.25", error=46.1, bad=17, total=4096
)


def _picture() -> ErrorMap | None:
    """Wrong in the third line, and nowhere else."""
    errors = torch.zeros(64, 64)
    errors[3, 7:24] = 46.1
    return error_map(errors)


WRONG = Wrong(
    case="shape=(64, 64)",
    reason=Reason.BAD_VALUES,
    detail="17 of 4096 elements",
    worst=WORST,
    pattern="one row",
    error_map=_picture(),
)
CASES = (
    CaseResult("shape=(3,)", CaseState.PASSED, 0.25),
    CaseResult("shape=(64, 64)", CaseState.WRONG, 46.1, "bad_values: one row of n_elements"),
    CaseResult("shape=()", CaseState.WRONG, float("inf"), "bad_values: NaN"),
)


LONG = "shape=(8,16,512,512),to=(512,512),dtype=float16,padding_mode=border,align_corners=True"
FLAGS = (
    "the card may wait for the host within calls",
    "the processes of compile differ: 23.5 and 32.5 us",
)


def _of_two_kernels() -> Timed:
    times = timed()
    large, small = times.cases
    parts = (
        KernelShare(name="_sums", launches=3, share=0.715),
        KernelShare(name="_map", launches=1, share=0.285),
    )
    return msgspec.structs.replace(
        times,
        cases=(msgspec.structs.replace(large, kernel_shares=parts, case=LONG, flags=FLAGS), small),
    )


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of one method: rejected, wrong, correct and timed, wrong without a map."""
    folder = tmp_path_factory.mktemp("told")
    outcomes: tuple[Outcome | None, ...] = (
        Rejected(findings=(Finding(rule="imports", line=1, why="imports os"),)),
        WRONG,
        None,
        msgspec.structs.replace(WRONG, error_map=None),
    )
    with writing(RunFolder(folder / "run")) as database:
        for number, outcome in enumerate(outcomes):
            made = evaluation(f"round{number}", outcome, None if outcome else _of_two_kernels())
            one = msgspec.structs.replace(
                on_a_card(made),
                digest=str(number) * 64,
                origin=Origin(method="mine", round="third 3" if number == 3 else str(number)),
                cases=CASES if number == 1 else (),
            )
            database.append(str(number) * 64, one, SOURCES[number])
    build([folder / "run"], folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def visit(browser: "Browser", told: Path) -> Iterator[Visit]:
    with visiting(browser, told) as opened:
        opened.go("#/tasks")
        yield opened


def _address(number: int) -> str:
    return f"#/submission/activation/relu/{str(number) * 12}"


def test_a_failure_at_a_timed_size_is_the_verdict(browser: "Browser", tmp_path: Path) -> None:
    failed = Failed(case="n=99", reason=Reason.RUNTIME_ERROR, detail="OutOfResources")
    with writing(RunFolder(tmp_path / "run")) as database:
        for key, performance in (("0", failed), ("1", timed())):
            made = on_a_card(evaluation(f"round{key}", performance=performance))
            database.append(key * 64, made, SOURCES[1])
    build([tmp_path / "run"], tmp_path / "site")
    with visiting(browser, tmp_path / "site") as visit:
        for number, verdict in ((0, "failed at scale"), (1, "correct")):
            visit.go(_address(number))
            assert visit.page.locator(".badge").first.inner_text() == verdict
        visit.go(_address(0))
        said = visit.page.locator("h1 + p").inner_text()
        assert "runtime error: OutOfResources" in said and "[n=99]" in said
        visit.go("#/tasks")
        row = visit.page.locator("tbody tr").first
        assert row.locator("td:nth-child(4)").inner_text() == "1"


def test_cases_are_counted_by_scope_and_what_failing_ones_share_is_said(
    browser: "Browser", tmp_path: Path
) -> None:
    passed = CaseResult("a", CaseState.PASSED, 0.1, needs=())
    failed = CaseResult("b", CaseState.WRONG, 2.0, "bad_values: all", needs=(Scope.LAYOUT,))
    pattern = "1 of 2 cases pass; 1 fails: layout=strided"
    graded = msgspec.structs.replace(
        on_a_card(evaluation("graded", WRONG, cases=(passed, failed))), pattern=pattern
    )
    uncalled = on_a_card(evaluation("uncalled", WRONG))
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("0" * 64, graded, SOURCES[1])
        database.append("1" * 64, uncalled, SOURCES[1])
    build([tmp_path / "run"], tmp_path / "site")
    with visiting(browser, tmp_path / "site") as visit:
        visit.go(_address(0))
        text = visit.page.inner_text("main")
        assert "core correct; fails layout 1 of 1." in text and pattern in text
        rows = visit.page.get_by_role("region", name="Table: Cases by scope").locator("tbody tr")
        shown = [row.locator("td").all_inner_texts()[:4] for row in rows.all()]
        assert shown[:3] == [
            ["core", "passes", "1", "1"],
            ["layout", "fails 1", "0", "1"],
            ["dtype", "not judged", "\u2013", "\u2013"],
        ]
        visit.follow(_address(1))
        assert "Cases by scope" not in visit.page.inner_text("main")


def test_a_finding_stands_at_its_line(visit: Visit) -> None:
    visit.follow(_address(0))
    assert visit.page.locator(".code li.marked").count() == 1
    first = visit.page.locator(".code li").first
    assert first.locator("pre").inner_text().strip() == "import os"
    assert "imports os" in first.locator(".finding").inner_text()
    assert visit.page.locator(".tok-keyword").count() == 2


def test_the_time_of_several_kernels_is_told_by_kernel(visit: Visit) -> None:
    visit.follow(_address(2))
    assert visit.page.get_by_role("heading", name="Time by kernel").count() == 1
    rows = visit.page.locator("tr", has_text="_sums").all_inner_texts()
    assert [row.split("\t")[1:] for row in rows] == [["_sums", "3", "71.5 %"]]


def _limits(visit: Visit) -> "Locator":
    return visit.page.get_by_role("region", name="Table: How close to the peaks of the GPU")


def test_flags_stand_on_a_line_of_their_own_in_a_table_that_fits(visit: Visit) -> None:
    visit.follow(_address(2))
    table = _limits(visit)
    assert table.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
    shown = table.locator("tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in shown] == [
        LONG,
        f"Flags: {'; '.join(FLAGS)}",
        SMALL,
        "Flags: card throttled",
    ]


def test_a_case_without_flags_has_no_line_for_them(browser: "Browser", site: Path) -> None:
    with visiting(browser, site) as visit:
        visit.go("#/roofline")
        visit.page.locator("svg a").first.press("Enter")
        visit.settled()
        assert _limits(visit).locator("tbody tr").count() > 0
        assert _limits(visit).locator("tr.below").count() == 0


@pytest.mark.parametrize(("number", "said"), [(0, "0"), (3, "3 (written third 3)")])
def test_the_round_is_the_one_of_the_task_page(visit: Visit, number: int, said: str) -> None:
    visit.follow(_address(number))
    assert visit.page.locator("dt:text-is('round') + dd").inner_text() == said
    visit.follow("#/task/activation/relu")
    row = visit.page.locator("tbody tr", has_text=f"round{number}").first
    assert row.locator("td:nth-child(3)").inner_text() == str(number)


def test_a_wrong_answer_is_pictured(visit: Visit) -> None:
    visit.follow(_address(1))
    text = visit.page.inner_text("main")
    assert "out[3, 7] is 0.25, expected 0.5" in text
    assert "46.1 times what the contract allows" in text
    assert "one row" in text
    assert "n = 4,096 elements of shape (64, 64), 17 outside" in text
    assert checked_figures(visit) == 1
    cells = visit.page.locator("svg rect[aria-label]")
    assert cells.count() == 32 * 32
    said = [cells.nth(at).get_attribute("aria-label") or "" for at in range(32, 48)]
    wrong = [words for words in said if "times what is allowed" in words]
    assert len(wrong) == 9
    assert wrong[0].startswith("lines 2 to 3, elements 6 to 7: 32 to 56 times what is allowed")


def test_the_map_of_a_wrong_answer_is_walked_by_keyboard_and_coloured_by_share(
    visit: Visit,
) -> None:
    visit.follow(_address(1))
    visit.page.locator("svg [tabindex='0']").focus()
    for key in ("ArrowDown", *["ArrowRight"] * 4):
        visit.page.keyboard.press(key)
    said = visit.page.inner_text(".readout")
    assert said.startswith("lines 2 to 3, elements 8 to 9: ") and "4 to 5 eighths" in said
    fill = "document.activeElement.getAttribute('fill')"
    assert visit.page.evaluate(fill) == "var(--error-2)"
    visit.page.locator("select").select_option("share of wrong elements")
    visit.settled()
    visit.page.locator("svg [tabindex='0']").focus()
    for key in ("ArrowDown", *["ArrowRight"] * 4):
        visit.page.keyboard.press(key)
    assert visit.page.evaluate(fill) == "var(--error-3)"


def test_a_wrong_answer_without_a_map_is_pictured_as_far_as_it_goes(visit: Visit) -> None:
    visit.follow(_address(3))
    text = visit.page.inner_text("main")
    assert "n = 4,096 elements, 17 outside" in text and "46.1 times" in text
    assert checked_figures(visit) == 2
    assert "Every check case" not in text


def test_every_case_says_what_became_of_it(visit: Visit) -> None:
    visit.follow(_address(1))
    rows = visit.page.locator("section", has_text="Every check case").locator("tbody tr")
    shown = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert shown == [
        ["passed", "0.25", "core", "shape=(3,)", ""],
        ["wrong", "46.1", "core", "shape=(64, 64)", "bad values: one row of n_elements"],
        ["wrong", "infinite", "core", "shape=()", "bad values: NaN"],
    ]
    assert "3 cases: 1 passed, 2 wrong." in visit.page.inner_text("main")


def test_rounds_are_compared_line_by_line(visit: Visit) -> None:
    visit.follow(_address(2))
    assert visit.page.get_by_role("heading", name="Since round 1").count() == 1
    assert visit.page.locator(".diff .removed pre").all_inner_texts() == ["x = 1\n"]
    assert visit.page.locator(".diff .added pre").all_inner_texts() == ["x = 2\n"]
    visit.follow(_address(0))
    assert visit.page.locator(".diff").count() == 0


def test_a_timed_submission_shows_cases_and_samples(browser: "Browser", site: Path) -> None:
    with visiting(browser, site) as visit:
        visit.go("#/roofline")
        visit.page.locator("svg a").first.press("Enter")
        visit.settled()
        titles = visit.page.locator("figure h3").all_inner_texts()
        assert {"Every timing case", "Raw samples"} <= set(titles)
        assert visit.page.get_by_role("heading", name="Time by kernel").count() == 0
        assert checked_figures(visit) == len(titles)
        assert "eager" in visit.page.inner_text("select")
        visit.page.locator("select").select_option(index=1)
        visit.settled()
        visit.follow(visit.page.locator(".crumbs a").last.get_attribute("href") or "")
        assert checked_figures(visit) == 1
        assert visit.page.get_by_role("heading", name="The best kernel").count() == 1
