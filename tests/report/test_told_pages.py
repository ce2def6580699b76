"""What pages and captions say is what there is: statements, sets of tasks, intervals, colours."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
import pytest

from browsing import Visit, launched, program, visiting
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.submission import Origin
from kernelbenchx.report.build import build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from many_runs import write_run
from report_samples import unpacked
from samples import evaluation, on_a_card

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)

WRONG = Wrong(case="shape=(3,)", reason=Reason.BAD_VALUES, detail="wrong", worst=None)
BAD_SHAPE = Wrong(case="shape=(3,)", reason=Reason.BAD_SHAPE, detail="wrong", worst=None)
ATTEMPTS = {
    "activation/relu": (WRONG, WRONG, WRONG),
    "activation/gelu": (None, WRONG),
    "math/add": (None, WRONG),
    "math/div": (BAD_SHAPE,),
}
"""By task, one outcome each: how many have k attempts changes with k."""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def uneven(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """Few tasks, each with another number of attempts."""
    folder = tmp_path_factory.mktemp("uneven")
    with writing(RunFolder(folder / "run")) as database:
        made = ((task, outcome) for task, outcomes in ATTEMPTS.items() for outcome in outcomes)
        for number, (task, outcome) in enumerate(made):
            key = str(number) * 64
            one = msgspec.structs.replace(
                on_a_card(evaluation(f"number{number}", outcome)),
                task=task,
                digest=key,
                origin=Origin(method="mine"),
            )
            database.append(key, one, f"import triton\nx = {number}\n")
    build([folder / "run"], folder / "site")
    with visiting(browser, folder / "site") as visit:
        visit.go("#/")
        yield visit


@pytest.fixture(scope="module")
def even(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """Many tasks of several categories, each with as many attempts."""
    folder = tmp_path_factory.mktemp("even")
    write_run(folder / "run", tasks=40, methods=2, rounds=1, samples=3)
    build([folder / "run"], folder / "site")
    with visiting(browser, folder / "site") as visit:
        visit.go("#/")
        yield visit


def _bare(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", ["activation/gelu", "fusion/fused_bmm_dropout_gelu", "fusion/attention"]
)
def test_the_page_of_a_task_says_all_of_its_statement(even: Visit, task: str) -> None:
    even.follow(f"#/task/{task}")
    shown = _bare(even.page.inner_text("main"))
    _, *told = map(_bare, statement(task).text().replace("```python", "").split("\n\n"))
    assert [one for one in told if one not in shown] == []
    assert ("Every argument must stay as it is." in shown) == (not statement(task).writes)


def test_a_round_that_is_not_said_is_the_same_on_both_pages(uneven: Visit) -> None:
    uneven.follow("#/task/activation/relu")
    assert uneven.page.locator("tbody td:nth-child(3)").all_inner_texts() == ["0"] * 3
    uneven.follow(f"#/submission/activation/relu/{'0' * 12}")
    assert uneven.page.locator("dt:text-is('round') + dd").inner_text() == "0 (none recorded)"


def _joined(visit: Visit) -> list[int]:
    """How many points each line of the picture of pass@k leads through."""
    visit.follow("#/leaderboard")
    figure = visit.page.locator("figure", has=visit.page.get_by_role("heading", name="pass@k"))
    paths = figure.locator("svg g[aria-label='line'] path").all()
    return [1 + (path.get_attribute("d") or "").count("L") for path in paths]


def _over_equal_sets(visit: Visit) -> list[int]:
    """How many values of k each method has over equally many tasks."""
    tables = unpacked(visit.site / "data" / "pages" / "rates.js")["tables"]
    (table,) = (one for one in tables if one["name"] == "pass_at_k")
    keys = [column["key"] for column in table["columns"]]
    place = keys.index("method"), keys.index("tasks")
    return list(Counter(tuple(row[at] for at in place) for row in table["rows"]).values())


def test_only_points_over_the_same_tasks_are_joined(uneven: Visit, even: Visit) -> None:
    assert _joined(uneven) == _over_equal_sets(uneven) == [1, 1, 1]
    assert "Points over the same tasks are joined" in uneven.page.inner_text("main")
    assert _joined(even) == _over_equal_sets(even)
    assert max(_joined(even)) > 1


def _caption(visit: Visit) -> str:
    visit.follow("#/variance")
    assert visit.page.locator("figure").count() > 0
    return visit.page.locator("figure .says").first.inner_text().replace("\N{NO-BREAK SPACE}", " ")


def test_a_caption_speaks_of_intervals_where_some_are_drawn(uneven: Visit, even: Visit) -> None:
    assert _caption(uneven).endswith("corrected for bias. No interval: too few tasks.")
    assert "lines are 95 % intervals" in _caption(even)
    assert "too few" not in _caption(even)


def test_colours_end_at_round_shares(uneven: Visit, even: Visit) -> None:
    for visit in (uneven, even):
        visit.follow("#/failures")
        title = visit.page.get_by_role("heading", name="Causes by method")
        figure = visit.page.locator("figure", has=title)
        labels = figure.locator(".legend li").all_inner_texts()
        ends = [float(label.removesuffix(" %").split("\N{EN DASH}")[1]) for label in labels]
        steps = {round(after - before, 9) for before, after in zip([0, *ends], ends, strict=False)}
        assert len(steps) == 1 and steps <= {1, 2, 3, 5, 10, 20}
        assert 3 < len(ends) <= 7
