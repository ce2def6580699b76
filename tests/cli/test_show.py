import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.cli.show import BESIDE
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.generate.prompts import Prompting, forms, prompts_for
from kernelbenchx.store.database import writing
from kernelbenchx.store.evaluation_lookup import SHORTEST_PREFIX
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card, timed


def test_show_prints_the_statement_and_only_on_request_the_rest(kbx: Kbx, kbx_here: Kbx) -> None:
    plain = kbx("show", "softmax").stdout
    assert "def softmax(input: torch.Tensor, dim: int" in plain
    assert "@triton.jit" not in plain and "corners" not in plain
    assert "may import from" in plain and "torch, triton" in plain and "numpy" not in plain
    assert kbx_here("show", "softmax", "--witness").stdout == witness_source("math/softmax")
    assert "corners:" in kbx_here("show", "softmax", "--cases").stdout
    assert "dtype:" in kbx_here("show", "softmax", "--space").stdout
    assert "TASK = " in kbx("show", "softmax", "--reference").stdout
    stated = json.loads(kbx("show", "softmax", "--json").stdout)
    assert stated["entry"] == "softmax"


def test_what_no_prompt_has_stands_below_a_line(kbx: Kbx) -> None:
    stated, _, beside = kbx("show", "softmax").stdout.partition(f"\n{BESIDE}\n")
    shown = statement("math/softmax")
    assert stated == shown.text()
    lines = beside.splitlines()
    assert lines and lines[-1].startswith("Facts: cooperation")
    for form in forms():
        opening = prompts_for(Prompting(form=form), ["math/softmax"]).opening(shown)
        told = " ".join(" ".join(one.content.split()) for one in opening.messages)
        assert " ".join(shown.contract.split()) in told
        assert not [line for line in lines if line in told], form
    plain = prompts_for(Prompting(), ["math/softmax"]).opening(shown).messages[-1].content
    assert shown.text().strip() in plain, "the plain form has it as it is"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("a" * 64, on_a_card(evaluation("relu__fast", performance=timed())), "s")
    return tmp_path / "run"


def test_show_prints_a_result_with_its_times(kbx: Kbx, run: Path) -> None:
    named = kbx("show", run, "relu__fast")
    assert named.returncode == 0, named.stderr
    assert "relu__fast  activation/relu  correct" in named.stdout
    assert "1.25x [1.23, 1.27]" in named.stdout and "times the roofline time" in named.stdout
    assert kbx("show", run).stdout == kbx("show", run, "aaaa").stdout == named.stdout
    said = json.loads(kbx("show", run, "--json").stdout)
    assert said["key"] == "a" * 64 and said["performance"]["kind"] == "timed"
    assert said["isolation"] == "L3"


def test_many_results_are_a_table_with_the_newest_of_each_name(kbx_here: Kbx, run: Path) -> None:
    assert "older" not in kbx_here("show", run).stdout
    wrong = evaluation("relu__fast", Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far off"))
    with writing(RunFolder(run)) as database:
        database.append("b" * 64, wrong, "t")
        with database.connection as connection:
            connection.execute("UPDATE evaluations SET created = '2020' WHERE key LIKE 'b%'")
    (first, *_) = kbx_here("show", run).stdout.splitlines()
    assert first == "relu__fast  activation/relu  correct"
    with writing(RunFolder(run)) as database:
        database.append("c" * 64, evaluation("other"), "u")
    said = kbx_here("show", run)
    assert (
        said.returncode == 0
        and said.stdout.count("\n1 correct\n") == 2
        and "wrong" not in said.stdout
    )
    assert "not shown: 1 older evaluation of these names\n" in said.stdout
    assert f"kbx show {run} relu__fast\n" in said.stdout or f"kbx show {run} other\n" in said.stdout
    listed = json.loads(kbx_here("show", run, "--json").stdout)["results"]
    assert {one["key"][0]: one["older"] for one in listed} == {"a": ["b" * 64], "c": []}


def test_help_says_how_much_of_a_key_is_enough(kbx_here: Kbx, run: Path) -> None:
    assert SHORTEST_PREFIX == 4
    assert "at least four" in " ".join(kbx_here("show", "--help").stdout.split())
    assert kbx_here("show", run, "aaaa").returncode == 0
    assert kbx_here("show", run, "aaa").returncode == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nobody"], "nothing in run is called 'nobody'"),
        (["run", "relu__fast", "--cases"], "need a task"),
        (["relu", "relu__fast"], "relu is not a run"),
        (["nowhere"], "there is no such run"),
        (["nowhere", "relu"], "is not a run"),
        (["empty"], "empty holds no evaluation"),
        (["relu", "--cases", "--witness"], "choose one"),
    ],
)
def test_bad_names_are_one_line(run: Path, words: list[str], said: str) -> None:
    with writing(RunFolder(run.parent / "empty")):
        pass
    command = [sys.executable, "-m", "kernelbenchx", "show", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=run.parent, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_the_name_of_a_task_means_the_task_even_beside_such_a_run(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path / "softmax")) as database:
        database.append("k", evaluation("one"), "s")
    command = [sys.executable, "-m", "kernelbenchx", "show"]

    def shown(name: str) -> str:
        done = subprocess.run(
            [*command, name], capture_output=True, text=True, cwd=tmp_path, check=True
        )
        return done.stdout

    assert "def softmax" in shown("softmax")
    assert "one  activation/relu  correct" in shown("./softmax")
