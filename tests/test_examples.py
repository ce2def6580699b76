"""Every file of examples/api runs and prints what is expected of it."""

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples" / "api"
Run = Callable[..., list[str]]

USES = """
import kernelbenchx as kbx

with kbx.Evaluator(device="interpreter", jobs=8, out="runs/mine") as evaluator:
    for result in evaluator.map(["x = 1"], task="relu"):
        match result.outcome:
            case kbx.Wrong(case=case):
                print(case, kbx.reward(result).value)
    future = evaluator.submit("x = 1", task=kbx.task("relu"))
    print(future.result().scopes, kbx.tasks("fusion/*")[0].statement.title())
print(kbx.load_run("runs/mine").results[0].seconds + 1.0)
kbx.evaluate("relu.py", stage=kbx.Stage.PERF)
"""
MISUSES = (
    'kbx.reward("def relu(): ...")',
    'kbx.evaluate("relu.py", divice="cuda")',
    'kbx.Evaluator(jobs="many")',
    "kbx.tasks(5)",
    "kbx.load_run(None)",
    'kbx.task("relu").evaluate()',
    "kbx.no_such_name",
)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """An example with its arguments, as from the root of the checkout; what it prints."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("kernelbenchx.evaluate.settings_resolution.has_gpu", lambda: False)

    def ran(name: str, *words: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [name, *words])
        runpy.run_path(str(FOLDER / name), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return ran


@pytest.mark.usefixtures("warm_workers")
def test_three_lines_evaluate_a_kernel(run: Run) -> None:
    (said,) = run("evaluate_one.py")
    verdict, core, value = said.split()
    assert (verdict, core) == ("broken", "True") and 0.1 <= float(value) < 0.3
    code = [line for line in (FOLDER / "evaluate_one.py").read_text().splitlines()[1:] if line]
    assert len(code) == 3


def test_a_batch_of_64_comes_in_order(run: Run) -> None:
    *each, last = run("evaluate_batch.py")
    assert [line.split() for line in each] == [
        [str(number), "reached" if number % 8 else "rejected"] for number in range(64)
    ]
    assert last == "8 rejected, 56 reached"
    assert "jobs=8" in (FOLDER / "evaluate_batch.py").read_text()


@pytest.mark.usefixtures("warm_workers")
def test_coroutines_evaluate(run: Run) -> None:
    assert run("evaluate_async.py") == ["relu: correct", "leaky relu: wrong"]


@pytest.mark.usefixtures("warm_workers")
def test_a_loop_gets_its_rewards(run: Run) -> None:
    assert run("reward_loop.py") == ["activation/relu: 0.30, 0.05, 0.00"]


def test_a_run_is_read_again(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    first = run("read_run.py", str(tmp_path))
    assert first[0] == "15 judged" and first[-1] == "15 rows"
    assert "relu__torch_only kernels" in first
    assert run("read_run.py", str(tmp_path)) == first


def test_every_example_is_run_here() -> None:
    here = Path(__file__).read_text()
    assert [one.name for one in FOLDER.glob("*.py") if f'"{one.name}"' not in here] == []


def test_type_checkers_know_the_api_and_find_misuse(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(USES + "\n".join(MISUSES) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)],
        capture_output=True, text=True, timeout=600, check=False, cwd=ROOT,
    )  # fmt: skip
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    first = USES.count("\n") + 1
    assert found == set(range(first, first + len(MISUSES))), done.stdout
