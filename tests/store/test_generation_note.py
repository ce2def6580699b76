import json
from pathlib import Path
from typing import Any

import pytest

from asked_runs import write_asked_run
from kernelbenchx.analysis import cost, rates
from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.generation_note import names_of_methods, refuse_generated, refuse_judged
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.spending import read_spending
from samples import evaluation

OPTIONS: dict[str, Any] = {"rounds": 10, "profile": True, "temperature": None}
PROMPTS: dict[str, Any] = {"form": "plain", "examples": 0, "hardware": ""}
BEGUN = {
    "method": "refine",
    "model": "model",
    "options": OPTIONS,
    "prompts": PROMPTS,
    "temperature": None,
    "max_tokens": 500,
    "templates": {"form_plain": "f" * 64},
    "evaluation": {"stage": "exe"},
}


def _run(folder: Path, solved_after: dict[str, int] | None = None, **changed: Any) -> Path:
    made = write_asked_run(folder, solved_after)
    with writing(RunFolder(made)) as database:
        database.note("generation", json.dumps(BEGUN | changed))
    return made


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({}, []),
        ({"evaluation": {"stage": "perf"}}, []),
        ({"options": OPTIONS | {"profile": False}}, ["profile=true", "profile=false"]),
        (
            {"prompts": PROMPTS | {"form": "claude", "hardware": "H200"}},
            ["prompt=plain hardware=none", "prompt=claude hardware=H200"],
        ),
        ({"temperature": 0.5}, ["temperature=none", "temperature=0.5"]),
        ({"max_tokens": 600}, ["max_tokens=500", "max_tokens=600"]),
    ],
)
def test_two_runs_of_a_method_are_called_by_what_differs(
    tmp_path: Path, changed: dict[str, Any], names: list[str]
) -> None:
    runs = [_run(tmp_path / "a", {"math/add": 1}), _run(tmp_path / "b", {"math/add": 0}, **changed)]
    called = [f"refine {name}".strip() for name in names] or ["refine", "refine"]
    found = names_of_methods(runs)
    assert found == (
        {str(run): {"refine": name} for run, name in zip(runs, called, strict=True)}
        if names
        else {}
    )


def test_other_texts_are_other_prompts(tmp_path: Path) -> None:
    runs = [_run(tmp_path / "a"), _run(tmp_path / "b", templates={"form_plain": "0" * 64})]
    assert len({name for each in names_of_methods(runs).values() for name in each.values()}) == 2
    assert names_of_methods([runs[0], runs[0]]) == names_of_methods(runs[:1]) == {}


@pytest.mark.parametrize("note", ["", "{", '{"method": 5}', "[]"])
def test_a_run_without_a_note_that_can_be_read_keeps_its_name(tmp_path: Path, note: str) -> None:
    other = write_asked_run(tmp_path / "b")
    if note:
        with writing(RunFolder(other)) as database:
            database.note("generation", note)
    assert names_of_methods([_run(tmp_path / "a"), other]) == {}


def test_tables_have_a_row_for_each_way(tmp_path: Path) -> None:
    runs = [
        _run(tmp_path / "a", {"math/add": 1, "math/div": 1}),
        _run(tmp_path / "b", {"math/add": 1, "math/div": 0}, options=OPTIONS | {"profile": False}),
    ]
    attempts = read_attempts(runs)
    names = ["refine profile=false", "refine profile=true"]
    assert sorted({one.method for one in attempts}) == names
    assert len(attempts) == 2 + 4  # also where both wrote the same
    shown = [row["method"] for row in rates.tables(attempts)[0].records()]
    assert set(names) <= set(shown)
    spent = cost.tables(attempts, read_spending(runs, attempts))[0].records()
    assert [(row["method"], row["requests"], row["attempts"]) for row in spent] == [
        (names[0], 4, 4),
        (names[1], 2, 2),
    ]


def test_a_run_belongs_to_the_command_that_began_it(tmp_path: Path) -> None:
    with writing(RunFolder(_run(tmp_path / "asked"))) as database:
        refuse_judged(database, "RUN")
        with pytest.raises(BadInput, match="RUN was started by kbx generate"):
            refuse_generated(database, "RUN")
    with writing(RunFolder(tmp_path / "judged")) as database:
        refuse_judged(database, "RUN")  # nothing is in it yet
        database.append("k", evaluation("relu"), "x = 1")
        refuse_generated(database, "RUN")
        with pytest.raises(BadInput, match="RUN was started by kbx eval"):
            refuse_judged(database, "RUN")
