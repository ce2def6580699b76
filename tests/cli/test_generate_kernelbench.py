"""`kbx generate --track kernelbench` from the outside: prompts, rows, export, replay, resuming."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli.test_generate_killed import _killed
from cli.test_generate_killed import _rows as every_row
from cli_types import Kbx
from generate.loopback import Answer, Asked, Loopback, Say
from kernelbenchx.catalog.module_source import module_source
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.generate.models.recorded_model import write_recording
from kernelbenchx.store.exchanges import each_exchange
from remembered_verdicts import Verdicts

ELU, HINGE = "level1/elu", "level1/hinge_loss"
RIGHT = witness_source(ELU)
WRONG = RIGHT.replace("v > 0.0", "v > 0.5")
NO_KERNEL = "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    pass\n"


@pytest.fixture(scope="module")
def judge() -> Verdicts:
    """Every kernel is judged once for each seed."""
    return Verdicts()


def script(asked: Asked) -> Answer:
    """Wrong at first and right when told so; for the other problem there is no kernel."""
    if "# hinge_loss\n" in asked.prompt:
        return Say(f"```python\n{NO_KERNEL}```")
    told = "Worst:" in asked.prompt or int(asked.body["seed"]) % 2
    return Say(f"```python\n{RIGHT if told else WRONG}```")


def words(out: Path, *more: str, tasks: Sequence[str] = (ELU, HINGE)) -> list[str]:
    return ["generate", "--track", "kernelbench", "--levels", "1,2", "--tasks", ",".join(tasks),
            "--device", "interpreter", "--jobs", "1", "--seed", "5", "--out", str(out),
            *more]  # fmt: skip


def at(server: Loopback) -> list[str]:
    return ["--model", "openai:m", "--base-url", server.url]


def rows(out: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:
        return connection.execute(sql).fetchall()


OUTCOMES = """
    SELECT category || '/' || task, record ->> '$.origin.sample', record ->> '$.origin.round',
           outcome FROM evaluations ORDER BY 1, 2, 3
"""


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_samples_are_judged_counted_and_exported_without_conversion(
    kbx_here: Kbx, tmp_path: Path, judge: Verdicts, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.use(monkeypatch)
    run = tmp_path / "run"
    options = ["--method", "sample", "-o", "samples=3", "--examples", "3", "--json"]
    with Loopback(script) as server:
        said = kbx_here(*words(run, *options), *at(server))
    assert said.returncode == 0, said.stderr
    seeds = {one.step: one.request.seed or 0 for one in each_exchange(run) if one.task == ELU}
    verdicts = ["correct" if seeds[f"sample {n}"] % 2 else "wrong" for n in range(3)]
    assert set(verdicts) == {"correct", "wrong"}
    assert rows(run, OUTCOMES) == [
        *((ELU, number, "0", verdict) for number, verdict in enumerate(verdicts)),
        *((HINGE, number, "0", "rejected") for number in range(3)),
    ]
    left_out = {one.task: one.left_out for one in each_exchange(run)}
    assert left_out == {ELU: (), HINGE: ("charbonnier_rows",)}
    levels = json.loads(kbx_here("analyze", "levels", str(run), "--json").stdout)
    (rate,) = levels["analyses"]["levels"][0]["rows"]
    assert (rate["level"], rate["problems"], rate["attempts"]) == (1, 1, 3)  # hinge is unsound
    done = kbx_here("export", "kernelbench", str(run), "--out", str(tmp_path / "theirs"))
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "theirs" / "level1" / "eval_results.json").read_text())
    told = [(one["sample_id"], one["correctness"]) for one in results["31"]]
    assert told == [(number, verdict == "correct") for number, verdict in enumerate(verdicts)]
    monkeypatch.undo()  # `eval` imports what it uses now, and would keep what is patched
    check = ["--stage", "check", "--device", "interpreter", "--out", str(tmp_path / "again")]
    again = kbx_here("eval", str(run), *check)
    assert again.returncode == 0, again.stderr
    judged = rows(tmp_path / "again", OUTCOMES)
    assert [row[:3] for row in judged] == [row[:3] for row in rows(run, OUTCOMES)]


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_refinement_repairs_what_it_is_told_and_replays_offline(
    kbx_here: Kbx, tmp_path: Path, judge: Verdicts, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.use(monkeypatch)
    first, second = tmp_path / "first", tmp_path / "second"
    refine = ["--method", "refine", "-o", "rounds=2", "--hardware", "L4"]
    refine += ["--hardware-facts", "practices,terms"]

    def unwilling(asked: Asked) -> Answer:
        asked.body["seed"] = 0  # right only where it is told what is wrong
        return script(asked)

    with Loopback(unwilling) as server:
        said = kbx_here(*words(first, *refine), *at(server))
        asked = [one.prompt for one in server.asked]
    assert said.returncode == 0, said.stderr
    expected = [(ELU, 0, "0", "wrong"), (ELU, 0, "1", "correct"),
                (HINGE, 0, "0", "rejected"), (HINGE, 0, "1", "rejected")]  # fmt: skip
    assert rows(first, OUTCOMES) == expected
    assert all("NVIDIA L4" in one and "TFLOP/s" not in one for one in asked)
    assert any("Failing input: rows=" in one for one in asked)
    recording = tmp_path / "recording.jsonl"
    write_recording(recording, each_exchange(first))
    done = kbx_here(*words(second, *refine), "--model", f"replay:{recording}")
    assert done.returncode == 0, done.stderr
    assert rows(second, OUTCOMES) == expected
    assert {one.recalled for one in each_exchange(second)} == {"prompt"}


@pytest.mark.usefixtures("warm_workers")
def test_a_second_start_after_kill_9_ends_in_the_same_rows(kbx_here: Kbx, tmp_path: Path) -> None:
    options = ["--method", "refine", "-o", "rounds=3", "--stage", "check", "--in-flight", "1"]
    with Loopback(script) as server:
        whole = kbx_here(*words(tmp_path / "whole", *options), *at(server))
        assert whole.returncode == 0, whole.stderr
        pieces = [*words(tmp_path / "pieces", *options), *at(server)]
        assert _killed(server, pieces, 2, 0.1)
        again = kbx_here(*pieces)
    assert again.returncode == 0, again.stderr
    expected, found = every_row(tmp_path / "whole"), every_row(tmp_path / "pieces")
    assert len(expected["evaluations"]) > 2 and expected["exchanges"]
    for table in (expected, found):
        del table["pending_requests"]
    assert found == expected


def test_the_prompt_shows_the_module_the_published_size_and_what_is_judged(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    with Loopback(lambda _: Say("no")) as server:
        options = ["--method", "one_shot", "--stage", "check"]
        said = kbx_here(*words(tmp_path, *options, tasks=[ELU]), *at(server))
        assert said.returncode == 0, said.stderr
        (asked,) = server.asked
    assert module_source(ELU) in asked.prompt
    for part in ("`ModelNew(1.0)`, called with `x: float32 (4096, 393216)`", "in training mode",
                 "The module has no weights.", "rounding every intermediate result to float32",
                 "You rewrite PyTorch modules"):  # fmt: skip
        assert part in asked.prompt
    assert "function of the task" not in asked.prompt


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--levels", "4"], "'4' is none of 1, 2, 3"),
        (["--tasks", "relu"], "activation/relu is not in the track kernelbench"),
        (["--hardware", "abacus"], "unknown GPU 'abacus': NVIDIA GeForce RTX 4090"),
        (["--hardware-facts", "terms"], "--hardware-facts needs --hardware"),
        (["--hardware", "T4", "--hardware-facts", "price"], "choose from sheet, terms, practices"),
        (["-o", "feedback=E"], "options of refine"),
    ],
)
def test_bad_input_is_one_line_and_begins_no_run(
    kbx_here: Kbx, tmp_path: Path, more: list[str], why: str
) -> None:
    plain = ["generate", "--track", "kernelbench", "--method", "refine", "--model", "openai:m"]
    out = tmp_path / "run"
    refused = kbx_here(*plain, "--base-url", "http://127.0.0.1:9/v1", "--out", out, *more)
    assert refused.returncode == 2
    assert why in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr
    assert not out.exists()
