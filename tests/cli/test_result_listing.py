"""Large runs and narrow terminals: what is left out is said, and what stays is readable."""

import io
from pathlib import Path

import msgspec
from rich.cells import cell_len
from rich.console import Console

from cli_types import Kbx
from kernelbenchx.cli.evaluation_table import print_evaluations
from kernelbenchx.cli.result_listing import MOST_ROWS
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Outcome, Reason, Stage, Void, Wrong
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

WRONG = Wrong(reason=Reason.BAD_VALUES, detail="a long word about values " * 20, case="c")
BROKEN = Broken(reason=Reason.TIMEOUT, detail="no end", stage=Stage.CALL)
VOID = Void(reason=Reason.EVALUATOR, detail="the machine")


def _many(count: int) -> list[Evaluation]:
    kinds: tuple[Outcome | None, ...] = (WRONG, WRONG, BROKEN, VOID, None)
    found = []
    for at in range(count):
        kind = kinds[at % len(kinds)]
        name = f"relu__{at:03}"
        found.append(evaluation(name) if kind is None else evaluation(name, kind))
    return found


def _said(evaluations: list[Evaluation], width: int = 80, *, every: bool = False) -> str:
    target = io.StringIO()
    print_evaluations(evaluations, Path("run"), Console(file=target, width=width), every=every)
    return target.getvalue()


def test_of_many_the_causes_come_first_and_forty_rows() -> None:
    said = _said(_many(100))
    lines = [line.split() for line in said.splitlines()]
    assert said.startswith("60 of 100 fail, by cause")
    assert ["40", "wrong", "bad_values", "such", "as", "relu__000"] in lines
    assert ["20", "broken", "timeout", "such", "as", "relu__002"] in lines
    assert "evaluator" not in said.split("relu__000  ")[0], "void is not a failure"
    assert sum(line[:1] == [f"relu__{at:03}"] for at in range(100) for line in lines) == MOST_ROWS
    assert "… and 60 more rows: --all shows them" in said
    assert "40 wrong" in said, "the sums are about all"
    assert max(map(cell_len, said.splitlines())) <= 80


def test_all_are_shown_when_asked_for_and_where_they_are_few() -> None:
    assert "relu__099" in _said(_many(100), every=True)
    assert "--all" not in _said(_many(100), every=True)
    few = _said(_many(MOST_ROWS))
    assert "by cause" not in few and "--all" not in few and f"relu__{MOST_ROWS - 1:03}" in few


def test_a_narrow_terminal_gets_reasons_below_names_and_a_wide_one_a_table() -> None:
    narrow = _said(_many(5))
    assert "relu__000  wrong" in narrow and "\n    bad_values: a long word" in narrow
    assert "┃" not in narrow and max(map(cell_len, narrow.splitlines())) <= 80
    assert "┃ submission" in _said(_many(5), width=120)


def test_a_run_is_shown_in_part_or_whole(kbx_here: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        for at, one in enumerate(_many(50)):
            database.append(f"key{at}", one, "s")
    part, whole = kbx_here("show", tmp_path), kbx_here("show", tmp_path, "--all")
    assert "relu__049" not in part.stdout and "10 more rows" in part.stdout
    assert "relu__049" in whole.stdout and "more rows" not in whole.stdout


def test_isolation_is_named_only_where_something_ran() -> None:
    ran, looked_at = evaluation("relu"), msgspec.structs.replace(evaluation("a"), stage=Stage.CHECK)
    assert "isolation L" in _said([ran, looked_at])
    assert "isolation" not in _said([looked_at]) and "nothing was run; run kept" in _said(
        [looked_at]
    )
