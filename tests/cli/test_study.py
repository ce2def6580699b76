"""`kbx study`: mistakes, the plan, a study from end to end, and one that is killed."""

import json
import re
from pathlib import Path

import pytest

from benchmark_files import FOLDER, benchmark
from cli_types import Kbx
from kernelbenchx.cli.study_tables import ALL
from scripted_models import RIGHT, WRONG, Skill, kernel, server

FILE = """
models = [{{ model = "openai:strong", base_url = "{url}" }}]
methods = ["one_shot"]
tasks = ["relu"]
device = "interpreter"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_mistake_is_one_line_and_nothing_is_begun(kbx_here: Kbx, tmp_path: Path) -> None:
    file = write(tmp_path, 'methods = ["one_sht"]\ntasks = ["relo"]\nsed = 1\n')
    done = kbx_here("study", file, "--out", tmp_path / "out")
    lines = done.stderr.splitlines()
    assert (done.returncode, done.stdout, len(lines)) == (2, "", 4)
    assert all(line.startswith(f"kbx: {file}: ") for line in lines)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["feedback"], "Missing option '--out': the folder of the study. See kbx study --help."),
        (["nothing"], "nothing: no such file; shipped studies are feedback, five_methods, kern"),
        (["nothing", "--print"], "nothing: no such file; shipped studies are"),
    ],
)
def test_misuse_is_one_line(kbx_here: Kbx, words: list[str], said: str) -> None:
    done = kbx_here("study", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"kbx: {said}") and done.stderr.count("\n") == 1


def test_a_key_that_is_missing_ends_a_run_and_not_a_check(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    plan = kbx_here("study", "feedback", "--check")
    assert plan.returncode == 0
    assert "3 cells, 32 tasks, stage perf: at most 960 requests" in plan.stdout
    assert "needs a key: model gpt-4.1-mini: set OPENAI_API_KEY" in plan.stdout
    done = kbx_here("study", "feedback", "--out", tmp_path / "out")
    assert done.returncode == 2 and "set OPENAI_API_KEY" in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_plan_for_scripts_and_the_file_itself(kbx_here: Kbx) -> None:
    plan = json.loads(kbx_here("study", "feedback", "--check", "--json").stdout)
    assert plan["requests"] == sum(cell["requests"] for cell in plan["cells"]) == 960
    assert plan["dollars"] is None and len(plan["tasks"]) == 32
    fewer = kbx_here("study", "feedback", "--check", "--json", "--tasks", "relu,gelu")
    assert json.loads(fewer.stdout)["requests"] == 60
    printed = kbx_here("study", "feedback", "--print").stdout
    assert 'method = "refine"' in printed and printed.startswith("# ")


def test_a_study_of_sources_alone_is_resumed_and_refuses_another_seed(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with server({"strong": {"relu": Skill(RIGHT)}}) as models:
        text = FILE.format(url=models.url) + 'stage = "check"\nseed = 3\n'
        first = kbx_here("study", write(tmp_path, text), "--out", out)
        assert first.returncode == 0 and len(models.asked) == 1
        assert "one_shot, strong" in first.stdout and f"open {out}/report/index" in first.stdout
        more = text.replace('["relu"]', '["relu", "abs"]')
        again = kbx_here("study", write(tmp_path, more), "--out", out, "--json")
        assert len(models.asked) == 2  # a task was added; the other one was answered
        (cell,) = json.loads(again.stdout)["cells"]
        assert (cell["requests"], cell["incomplete"]) == (2, False)
        other = kbx_here("study", write(tmp_path, text.replace("= 3", "= 4")), "--out", out)
        assert other.returncode == 2 and "another seed: 3, now 4" in other.stderr
    assert (out / "report" / "index.html").is_file() and (out / "tables" / ALL).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("alone", [False, True])
def test_a_server_that_does_not_answer_leaves_its_cell_incomplete(
    kbx_here: Kbx, tmp_path: Path, alone: bool
) -> None:
    with server({"strong": {"relu": Skill(RIGHT)}}) as models:
        text = FILE.format(url=models.url) + 'stage = "check"\n'
        dead = '{ model = "openai:gone", base_url = "http://127.0.0.1:9/v1" }'
        text = text.replace("models = [", f"models = [{dead}, ")
        if alone:
            text = re.sub(r", \{.*\}\]", "]", text)
        done = kbx_here("study", write(tmp_path, text), "--out", tmp_path / "out")
    if alone:
        assert (done.returncode, done.stdout) == (2, "")
        assert "kbx: nothing was judged: no connection to http://127.0.0.1:9/v1" in done.stderr
    else:
        assert done.returncode == 1 and (tmp_path / "out" / "report" / "index.html").is_file()
        assert done.stdout.count("some unanswered: repeat the command") == 1


@pytest.mark.slow
def test_a_killed_study_ends_in_the_tables_of_an_undisturbed_one(tmp_path: Path) -> None:
    """Two tasks, two methods, two models; sources are checked and not run, which costs minutes."""
    found = benchmark("study_killed").compare(tmp_path, tasks=2, kills=1, stage="check")
    assert found.killed_at and found.killed_at[0] < found.requests == 16
    assert [cell["requests"] for cell in found.cells] == [2, 2, 6, 6]
    assert found.different == [] and found.tables > 40
    assert found.asked == found.requests + found.lost


def test_what_was_printed_keeps_its_promises() -> None:
    module, printed = benchmark("study_killed"), (FOLDER / "study_killed.txt").read_text("utf-8")
    rows = re.findall(r"^\| (\w+)[^|]*, (\w+) \| (\d+) \| (\d+) \| (\d+) \|", printed, flags=re.M)
    assert len(rows) == 4
    for method, model, can, solved, requests in rows:
        assert int(can) == int(solved) == module.solves(model, method, 10)
        assert int(requests) >= 10
    assert printed.startswith("10 tasks, 4 cells, killed 3 times\n")
    assert "\nasked again although answered: 0\n" in printed
    assert re.search(r"^tables: \d+, different: 0", printed, flags=re.M)


def test_tables_that_differ_would_be_seen(tmp_path: Path) -> None:
    module = benchmark("study_killed")
    for name, value in (("a", 1), ("b", 2)):
        (tmp_path / name / "tables").mkdir(parents=True)
        table = {"name": "t", "rows": [[f"{tmp_path / name}/x", value]], "notes": [name]}
        document = {"analyses": {"rates": [table]}}
        (tmp_path / name / "tables" / ALL).write_text(json.dumps(document))
    one, other = module.tables_of(tmp_path / "a"), module.tables_of(tmp_path / "b")
    assert set(one) == {"rates.t"} and one != other
    assert one["rates.t"]["rows"][0][0] == other["rates.t"]["rows"][0][0] == "/x"
    assert module.solves("strong", "one_shot", 10) == 5
    assert module.solves("strong", "refine", 10) == 8


def test_scripted_kernels_differ_as_their_names_say() -> None:
    assert kernel("activation/relu", RIGHT) != kernel("activation/relu", WRONG)
    assert Skill("a", "b").writes(told=True) == "b" and Skill("a").writes(told=True) == "a"
