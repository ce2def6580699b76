import csv
import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from asked_runs import exchange, write_asked_run
from cli_types import Kbx
from kernelbenchx.cli.analysis_registry import (
    ANALYSES,
    COST,
    LEVELS,
    parse_request,
    read,
    run_analyses,
)
from kernelbenchx.cli.tables import print_tables
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    CaseResult,
    CaseState,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Void,
    Wrong,
)
from kernelbenchx.core.scopes import Scope
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from many_runs import write_run
from samples import evaluation

STEPS = ("0 to 1", "1 to 2")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, tasks=20, methods=2, rounds=2, samples=2)
    return folder


@pytest.mark.slow
def test_every_analysis_has_tables_for_people(kbx: Kbx, run: Path) -> None:
    said = kbx("analyze", run, "--all")
    assert said.returncode == 0, said.stderr
    assert "160 evaluations of 20 tasks" in said.stdout
    for name in ANALYSES:
        assert (f"\n{name} ─" in said.stdout) == (name not in (COST, LEVELS)), name
    assert "Rates by method" in said.stdout and "95 % interval" in said.stdout
    assert "\non NVIDIA H200\n" in said.stdout
    definition = "`solved` is a share of tasks"
    # Once, again where rounds are not the last, and for the factors of a run.
    assert said.stdout.count(definition) == 3


@pytest.mark.slow
def test_every_table_fits_a_hundred_columns(run: Path, tmp_path: Path) -> None:
    asked = parse_request([str(run), str(write_asked_run(tmp_path))], ())
    attempts = read(asked)
    for name, tables in run_analyses(asked, attempts):
        target = io.StringIO()
        print_tables(tables, Console(file=target, width=100), set())
        lines = target.getvalue().splitlines()
        assert max(map(cell_len, lines)) <= 100, name
        assert not any(line.endswith("…") for line in lines), name


def test_one_document_with_every_cell_and_a_file_for_every_table(
    kbx: Kbx, run: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "tables"
    words = ("rates", "speed", run, "--json", "--p", 1.25, "--p", 3, "--csv", folder)
    said = kbx("analyze", *words)
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert (found["evaluations"], found["runs"]) == (160, [str(run)])
    assert list(found["analyses"]) == ["rates", "speed"]
    rates = {table["name"]: table for table in found["analyses"]["rates"]}
    assert len(rates["by_method"]["rows"]) == 2
    assert rates["by_method"]["about"] and rates["by_method"]["columns"]
    speed = {table["name"]: table for table in found["analyses"]["speed"]}
    assert {row["p"] for row in speed["fast_p"]["rows"]} == {1.25, 3.0}
    assert f"tables in {folder}" in said.stderr.replace("\n", "")
    assert len(list(folder.iterdir())) == len(rates) + len(speed)
    with (folder / "rates_by_method.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["correct"]) for row in rows] == [
        row["correct"] for row in rates["by_method"]["rows"]
    ]


def test_only_files_are_written_where_only_they_are_asked_for(
    kbx: Kbx, run: Path, tmp_path: Path
) -> None:
    said = kbx("analyze", "hardware", run, "--csv", tmp_path)
    assert said.returncode == 0 and said.stdout == ""
    names = {path.name for path in tmp_path.iterdir()}
    assert {"hardware_ratio.csv", "hardware_slower.csv"} <= names


def test_several_runs_are_one(run: Path, tmp_path: Path) -> None:
    write_run(tmp_path, tasks=20, methods=2, rounds=2, samples=2, gpu="NVIDIA L20")
    both = read(parse_request(["rates", str(run), str(tmp_path)], ()))
    assert {one.gpu for one in both} == {"NVIDIA H200", "NVIDIA L20"}
    assert len(read(parse_request(["rates", str(run), str(run)], ()))) == 160


def test_the_published_results_stand_in_for_a_run(kbx: Kbx) -> None:
    said = kbx("analyze", "rates", "published", "--json")
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    rows = {row["method"]: row for row in found["analyses"]["rates"][0]["rows"]}
    assert round(176 * rows["GEAK"]["called"]) == 121
    assert round(176 * rows["GEAK"]["correct"]) == 54
    assert "not which tasks" in found["notes"][0]


def test_the_paper_opens_with_its_own_headline(kbx: Kbx) -> None:
    said = kbx("analyze", "published").stdout.splitlines()
    assert said[1].startswith("The paper's headline")
    printed = next(line for line in said if "as printed" in line)
    assert "9.4 %" in printed and "3.3 %" in printed
    text = "\n".join(said)
    for word in ("1.16x", "1.58x", "28.3 %", "two names", "GEAK "):
        assert word in text


def test_the_claims_of_the_papers_have_the_printed_numbers(kbx: Kbx) -> None:
    said = kbx("analyze", "claims", "published", "--json")
    assert said.returncode == 0, said.stderr
    rows = json.loads(said.stdout)["analyses"]["claims"][0]["rows"]
    pairs = {(row["claim"], row["subject"]): (row["first"], row["second"]) for row in rows}
    values = {(row["claim"], row["subject"]): row["value"] for row in rows}
    printed = [(row["printed_first"], row["printed_second"]) for row in rows]
    category, method = pairs["category_over_method", "four methods, alone"]
    assert values["category_over_method", "four methods, alone"] == pytest.approx(category - method)
    assert pairs["fusion_unsolved", ""] == (43, 60)
    assert pairs["quantization_zero", "five methods"] == (0, 30)
    assert values["slower_than_eager", "6 GPUs"] == 46.6
    assert values["portability", "6 GPUs"] == 2.15
    steps = [pairs["refinement_repairs", f"GEAK, rounds {step}"][0] for step in STEPS]
    assert steps == [15, 8]
    speeds = [pairs["rescued_slower", f"GEAK, rounds {step}"] for step in STEPS]
    assert [rescued for rescued, _ in speeds] == pytest.approx([1.158, 1.315], abs=5e-4)
    assert [persistent for _, persistent in speeds] == [1.58, 1.46]
    for pair in ((9.4, 3.3), (34.6, 13.0), (4, 37), (12, 43), (36, 72)):
        assert pair in printed
    assert {row["unit"] for row in rows if row["printed_first"] == 34.6} == {"log likelihood"}


@pytest.mark.parametrize("name", ["iterations", "speed", "hardware"])
def test_below_what_the_paper_prints_nothing_denies_it(kbx: Kbx, name: str) -> None:
    said = kbx("analyze", name, "published")
    assert said.returncode == 0, said.stderr
    text = " ".join(said.stdout.split())
    assert text.index("as printed") < text.index("Nothing to show. What the paper prints")
    for denied in ("No method", "No correct kernel", "fewer than two GPUs"):
        assert denied not in text


def test_what_the_paper_does_not_print_is_said_of_the_paper(
    kbx: Kbx, kbx_here: Kbx, run: Path
) -> None:
    for name, of_runs in (("cost", "These runs asked"), ("levels", "These runs hold")):
        said = kbx("analyze", name, "published")
        assert "The paper prints nothing that this needs." in said.stdout
        assert of_runs not in said.stdout
        here = kbx_here("analyze", name, run)
        assert of_runs in here.stdout and "The paper" not in here.stdout


def test_the_kernelbench_paper_stands_in_for_a_run(kbx: Kbx) -> None:
    said = kbx("analyze", "published:kernelbench")
    assert said.returncode == 0 and "evaluation" not in said.stdout
    assert "Table 1: fast_1 in one attempt" in said.stdout
    found = json.loads(kbx("analyze", "published:kernelbench", "--json").stdout)
    assert (found["evaluations"], found["runs"]) == (0, ["published:kernelbench"])


def test_csv_that_cannot_be_written_is_said_in_a_line(kbx: Kbx, run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = kbx("analyze", "hardware", run, "--csv", tmp_path / "file" / "below")
    assert said.returncode == 2 and said.stderr.count("\n") <= 2
    assert "cannot write" in said.stderr and "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["rates"], "name a run"),
        (["nowhere"], "not a run"),
        (["rate", "x"], "did you mean rates?"),
        (["rates", "publishd"], "did you mean published?"),
        (["published", "--p", "-1"], "--p"),
        (["published", "--p", "nan"], "--p"),
        (["published", "--p", "inf"], "--p"),
        (["published", "rates"], "analyses first"),
        (["rates", "published:kernelbench"], "says nothing about rates"),
        (["published:kernelbenc"], "did you mean published:kernelbench?"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_said_in_a_line_or_two(kbx: Kbx, words: list[str], hint: str) -> None:
    said = kbx("analyze", *words)
    assert said.returncode == 2 and said.stdout == ""
    assert hint in said.stderr and "Traceback" not in said.stderr


def test_a_run_in_which_all_is_void_is_said_in_a_line(kbx_here: Kbx, tmp_path: Path) -> None:
    lost = Void(reason=Reason.EVALUATOR, detail="the card was gone")
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("one", lost), "source")
    said = kbx_here("analyze", tmp_path)
    assert said.returncode == 0
    assert (
        said.stdout == "1 evaluation of 1 task, all void: nothing was judged, nothing to analyse\n"
    )
    with writing(RunFolder(tmp_path)) as database:
        database.append("b", evaluation("two"), "source")
    said = kbx_here("analyze", tmp_path, "--all")
    assert "2 evaluations of 1 task, 1 void, not counted" in said.stdout
    assert "Rates by method" in said.stdout
    assert "Nothing to show. " in said.stdout


def _problem(name: str, task: str, outcome: Outcome | None = None) -> Evaluation:
    return replace(evaluation(name, outcome), task=task, weights="name")


def test_kernelbench_problems_are_shown_by_level(kbx_here: Kbx, tmp_path: Path) -> None:
    lost = Void(reason=Reason.EVALUATOR, detail="no memory")
    task = "level2/gemm_multiply_leaky_relu"
    with writing(RunFolder(tmp_path)) as database:
        for sample, outcome in enumerate((None, lost)):
            name = f"level_2_problem_12_sample_{sample}_kernel"
            database.append(name, _problem(name, task, outcome), f"source {sample}")
        database.append("b", _problem("b", f"{task}:bf16"), "source")
    said = kbx_here("analyze", "levels", tmp_path, "--json")
    assert said.returncode == 0, said.stderr
    (tables,) = json.loads(said.stdout)["analyses"].values()
    rows = {row["precision"]: row for row in tables[0]["rows"]}
    assert {row["level"] for row in rows.values()} == {2}
    assert [rows["fp32"][key] for key in ("problems", "correct", "void")] == [1, 1.0, 1]
    assert [rows["fp32"][key] for key in ("at_least", "at_most")] == [0.5, 1.0]
    assert [rows["bf16"][key] for key in ("void", "at_least", "at_most")] == [0, 1.0, 1.0]
    shown = kbx_here("analyze", "levels", tmp_path)
    assert "Rates by level" in shown.stdout and "Where weights come from" in shown.stdout
    target = io.StringIO()
    asked = parse_request(["levels", str(tmp_path)], ())
    for _, made in run_analyses(asked, read(asked)):
        print_tables(made, Console(file=target, width=100), set())
    lines = target.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= 100 and not any(line.endswith("…") for line in lines)


def test_levels_without_a_kernelbench_problem_say_so(kbx_here: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("one"), "source")
    said = kbx_here("analyze", "levels", tmp_path)
    assert "Nothing to show. These runs hold no KernelBench problem." in said.stdout


def test_messages_of_rejected_kernels_are_told_and_not_the_names_of_rules(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    why = "imports os, which is not allowed"
    bad = Rejected(findings=(Finding(rule="imports", line=1, why=why),))
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("one", bad), "source")
    found = json.loads(kbx_here("analyze", "failures", tmp_path, "--json").stdout)["analyses"]
    (messages,) = [one for one in found["failures"] if one["name"] == "failures_messages"]
    assert [row["message"] for row in messages["rows"]] == [why]
    (rules,) = [one for one in found["failures"] if one["name"] == "failures_rules"]
    assert [row["rule"] for row in rules["rows"]] == ["imports"]


def test_what_was_asked_is_counted_where_nothing_was_judged(kbx_here: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.keep_exchange(exchange("activation/relu", "round 0"), "refine")
    for words in ([], ["cost"]):
        said = kbx_here("analyze", *words, tmp_path)
        assert said.returncode == 0
        assert "nothing was judged, only requests are counted" in said.stdout
        assert "What was spent" in said.stdout and "Rates by method" not in said.stdout
    document = json.loads(kbx_here("analyze", tmp_path, "--json").stdout)
    (row,) = document["analyses"]["cost"][4]["rows"]
    assert (row["tokens"], row["solved"]) == (100, False)
    refused = kbx_here("analyze", "rates", tmp_path)
    assert refused.returncode == 2 and "hold no evaluation" in refused.stderr
    lost = Void(reason=Reason.EVALUATOR, detail="the card was gone")
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("one", lost), "source")
    said = kbx_here("analyze", tmp_path)
    assert "all void: nothing was judged, only requests are counted" in said.stdout
    assert "What was spent" in said.stdout


def test_a_folder_without_a_run_and_a_run_without_an_evaluation(kbx: Kbx, tmp_path: Path) -> None:
    said = kbx("analyze", tmp_path)
    assert said.returncode == 2 and "no run.sqlite" in said.stderr
    with writing(RunFolder(tmp_path)):
        pass
    said = kbx("analyze", tmp_path)
    assert said.returncode == 2 and said.stdout == ""
    assert "hold no evaluation" in said.stderr and said.stderr.count("\n") == 1


def test_the_standard_is_said_and_changes_what_is_solved(kbx_here: Kbx, tmp_path: Path) -> None:
    cases = (
        CaseResult("a", CaseState.PASSED),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("k", evaluation("near", wrong, cases=cases), "source")
    core = kbx_here("analyze", tmp_path / "run", "--correct", "core").stdout
    assert "Correct and solved mean `core` here" in core and "1/1 100 %" in core
    strict = kbx_here("analyze", tmp_path / "run").stdout
    assert "Correct and solved" not in strict and "0/1 0 %" in strict
