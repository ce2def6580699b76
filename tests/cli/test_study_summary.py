"""What `kbx study` prints of its cells."""

import io
from pathlib import Path

from rich.console import Console

from kernelbenchx.cli.generation_activity import Meter
from kernelbenchx.cli.study_summary import CellEnd, document, print_ends, print_plan, print_summary
from kernelbenchx.generate.run_tasks import End, TaskEnd
from kernelbenchx.generate.tally import Tally
from kernelbenchx.study.folder import StudyFolder
from study.study_files import GOOD, check

PRICES = '["*"]\ninput = 1.0\noutput = 2.0\n'


def ended(folder: Path, end: End) -> CellEnd:
    tally = Tally()
    tally.begin(["activation/relu", "activation/gelu"])
    tally.set_task_end(TaskEnd("activation/relu", end, "because"))
    tally.set_task_end(TaskEnd("activation/gelu", End.DONE))
    cell = check(folder, GOOD).cells[0]
    return CellEnd(cell, tally, Meter(tokens=1500, lost=7), folder / "run")


def printed(show: object, *words: object) -> str:
    text = io.StringIO()
    show(*words, Console(file=text, width=140))  # type: ignore[operator]
    return text.getvalue()


def test_the_plan_names_cells_requests_cost_and_caps(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    budget = '\n[budget]\nprices = "prices.toml"\ndollars = 5\ntokens_per_cell = 90000\n'
    text = printed(print_plan, check(tmp_path, GOOD + budget))
    assert "Does feedback help?" in text
    assert "refine rounds=4 feedback=G+E, two" in text
    assert "6 cells, 2 tasks, stage exe: at most 36 requests, about " in text
    assert "if a reply has 4,000 tokens" in text
    assert "budget: $5.00, 90.0k tokens in each cell" in text
    free = printed(print_plan, check(tmp_path, GOOD))
    assert "no cost without prices" in free and "budget" not in free


def test_what_is_incomplete_is_said(tmp_path: Path) -> None:
    said = {end: printed(print_ends, [ended(tmp_path, end)]) for end in End}
    assert "0 of 2" in said[End.DONE] and "1.50k" in said[End.DONE]
    assert "out of budget" in said[End.OUT_OF_BUDGET] and "out of" not in said[End.DONE]
    assert "repeat the command" in said[End.UNANSWERED]
    assert "repeat the command" not in said[End.OUT_OF_BUDGET]
    every = [ended(tmp_path, end).incomplete for end in (End.DONE, End.OUT_OF_BUDGET, End.FAULT)]
    assert every == [False, False, True]


def test_the_document_has_a_cell_for_each(tmp_path: Path) -> None:
    ends = [ended(tmp_path, End.OUT_OF_BUDGET)]
    made = document(check(tmp_path, GOOD), StudyFolder(tmp_path / "s"), ends, 7)
    assert made["seed"] == 7 and made["report"].endswith("s/report/index.html")
    (cell,) = made["cells"]
    assert (cell["tokens"], cell["lost_tokens"], cell["out_of_budget"]) == (1500, 7, 1)


def test_nothing_is_summed_up_where_nothing_was_judged() -> None:
    assert printed(print_summary, []) == ""
