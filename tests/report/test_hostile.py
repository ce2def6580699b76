"""Whatever a submission, a model or an error says stays text."""

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from browsing import launched, program, visiting
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Finding,
    Reason,
    Rejected,
    Stage,
    Wrong,
)
from kernelbenchx.core.submission import Origin
from kernelbenchx.report.build import build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card, timed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPT = "</script><script>alert('in')</script>"
IMAGE = "<img src=x onerror=alert('in')>"
LINK = "javascript:alert('in')"
COLOUR = "url(https://elsewhere.example/x)"
QUOTES = "\u2028${alert('in')}`"
MADE = "main :is(img, b, script, i:not([aria-hidden]))"
"""What would be there if text became more than text."""
WORDS = (SCRIPT, IMAGE, LINK, COLOUR, QUOTES, "]]>--><!--", "constructor", "__proto__")


def _hostile(number: int, words: str) -> Evaluation:
    """Each word in each outcome."""
    made = (
        evaluation(words, Rejected(findings=(Finding(rule=words, line=1, why=words),))),
        evaluation(
            words,
            Broken(stage=Stage.CALL, reason=Reason.CRASH, detail=words, case=words, line=2),
        ),
        evaluation(words, Wrong(case=words, reason=Reason.BAD_SHAPE, detail=words, pattern=words)),
        on_a_card(evaluation(words, performance=timed())),
    )[number // len(WORDS)]
    origin = Origin(file=words, model=words, method=words, round="1", parent=words)
    here = msgspec.structs.replace(made.environment, machine=words)
    return msgspec.structs.replace(
        made,
        origin=origin,
        flags=(words,),
        environment=here,
        digest=f"{number:064x}",
        cases=(CaseResult(words, CaseState.WRONG, 1.5, words),),
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    with writing(RunFolder(folder / "run")) as database:
        for number, words in enumerate(WORDS * 4):
            source = f"# {words}\nx = '''{words}'''\n"
            key = f"{number:08d}" + "a" * 56
            database.append(key, _hostile(number, words), source)
        said = '{"task": "x", "category": "<b>bold</b>", "entry": "e", "form": "function", '
        said += '"signature": "<i>f</i>()", "description": "<script>alert(1)</script>", '
        said += '"dtypes": [], "contract": "c", "writes": [], "inert": [], "seed": ""}'
        database.keep_statements([("activation/relu", said)])
    build([folder / "run"], folder / "site")
    return folder / "site"


def test_no_text_of_a_run_lies_open_in_any_file(hostile: Path) -> None:
    for path in hostile.rglob("*"):
        if path.is_file() and path.parent.name != "app":
            text = path.read_text(encoding="utf-8")
            assert "alert" not in text, path
            assert "elsewhere" not in text, path


def test_the_page_itself_is_the_same_for_every_run(hostile: Path, site: Path) -> None:
    assert (hostile / "index.html").read_bytes() == (site / "index.html").read_bytes()


@pytest.mark.skipif(not program(), reason="no browser here: install chromium")
def test_hostile_words_are_shown_and_never_run(hostile: Path) -> None:
    pytest.importorskip("playwright")
    with launched() as browser:
        _walk(browser, hostile)


def _walk(browser: "Browser", hostile: Path) -> None:
    """Every view and every submission; the visit fails on a dialog, an error or a request."""
    with visiting(browser, hostile) as visit:
        visit.go("#/map")
        seen: set[str] = set()
        waiting = ["#/"]
        while waiting:
            address = waiting.pop()
            seen.add(address)
            if "?" in address and sum("?" in one for one in seen) > len(WORDS):
                continue  # the same view, with another word chosen
            heading, links = visit.follow(address, MADE)
            assert heading != "Not found", address
            found = links - {"#main"}
            assert all(link.startswith("#/") for link in found), found
            waiting += sorted(found - seen - set(waiting))
        assert sum(link.startswith("#/submission/") for link in seen) == len(WORDS) * 4
        visit.go("#/task/activation/relu")
        assert SCRIPT in visit.page.inner_text("main")
        assert "<script>alert(1)</script>" in visit.page.inner_text(".description")
