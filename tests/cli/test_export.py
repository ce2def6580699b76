import json
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli_types import Kbx
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.store.database import writing
from kernelbenchx.store.exchanges import each_exchange
from kernelbenchx.store.layout import RunFolder
from many_runs import write_run
from samples import evaluation, timed


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    write_run(folder, tasks=12, methods=2, rounds=3)
    return folder


def test_steps_are_written_with_their_card(run: Path, tmp_path: Path, kbx_here: Kbx) -> None:
    out = tmp_path / "steps.jsonl"
    done = kbx_here("export", "transitions", run, "--out", out)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert f"{len(rows):,} of them changed something" in done.stdout
    card = (tmp_path / "steps.jsonl.md").read_text()
    assert f"- Rows: {len(rows):,}\n" in card
    assert sorted(tmp_path.iterdir()) == [out, tmp_path / "steps.jsonl.md"]


def test_the_name_of_the_file_asks_for_parquet(run: Path, tmp_path: Path, kbx_here: Kbx) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines, table = tmp_path / "steps", tmp_path / "steps.parquet"
    done = kbx_here("export", "transitions", run, "--out", table, "--json")
    said = json.loads(done.stdout)
    assert said["rows"] == parquet.read_metadata(table).num_rows > 0
    assert sum(said["steps"].values()) > said["rows"]
    kbx_here("export", "transitions", run, "--out", lines, "--format", "jsonl")
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert rows == parquet.read_table(table).to_pylist()


def test_without_pyarrow_one_line_and_exit_2(
    run: Path, tmp_path: Path, kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = kbx_here("export", "transitions", run, "--out", tmp_path / "x", "--format", "parquet")
    assert done.returncode == 2
    assert done.stderr == "kbx: Parquet needs pyarrow: pip install 'kernelbenchx[parquet]'\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_evaluations_is_refused(tmp_path: Path, kbx_here: Kbx) -> None:
    with writing(RunFolder(tmp_path / "run")):
        pass
    done = kbx_here("export", "transitions", tmp_path / "run", "--out", tmp_path / "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "hold no evaluation" in done.stderr
    assert not (tmp_path / "x").exists()


def _exchange(number: int) -> Exchange:
    return Exchange(
        key=str(number),
        task="activation/relu",
        step=f"round {number}",
        request=Request(model="m", messages=(Message("user", f"do {number}"),), max_tokens=5),
        reply=Reply(
            text=f"said {number}", finish="stop", usage=Usage(prompt=1, completion=2), model="m-1"
        ),
    )


def test_a_recording_answers_as_the_model_did(tmp_path: Path, kbx_here: Kbx) -> None:
    from kernelbenchx.generate.model import MethodStep, RecalledReply
    from kernelbenchx.generate.models.recorded_model import ExchangeRecording

    with writing(RunFolder(tmp_path / "run")) as database:
        for number in range(3):
            database.keep_exchange(_exchange(number), "refine")
    out = tmp_path / "new" / "said.jsonl"
    done = kbx_here("export", "recording", tmp_path / "run", "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.replace("\n", "") == f"3 exchanges in {out}: --model replay:{out}"
    again = kbx_here("export", "recording", tmp_path / "run", "--out", out, "--json")
    assert json.loads(again.stdout) == {"file": str(out), "exchanges": 3}
    recording = ExchangeRecording(out)
    for one in each_exchange(tmp_path / "run"):
        said = recording.recall(one.request, MethodStep(one.task, one.step, "refine"))
        assert said == RecalledReply(one.reply, "prompt")
    recording.close()


def test_a_run_without_a_transcript_has_no_recording(
    run: Path, tmp_path: Path, kbx_here: Kbx
) -> None:
    done = kbx_here("export", "recording", run, "--out", tmp_path / "said.jsonl")
    assert done.returncode == 2 and "no model was used" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_correct_kernels_without_times_are_said_to_fail_fast_p(
    tmp_path: Path, kbx_here: Kbx
) -> None:
    name, task = "level_2_problem_12_sample_0_kernel", "level2/gemm_multiply_leaky_relu"
    said = {}
    for label, performance in (("bare", None), ("timed", timed(2.0))):
        with writing(RunFolder(tmp_path / label)) as database:
            database.append(name, replace(evaluation(name, None, performance), task=task), "source")
        done = kbx_here("export", "kernelbench", tmp_path / label, "--out", tmp_path / "out")
        assert done.returncode == 0, done.stderr
        said[label] = " ".join(done.stdout.split())
    assert (
        "1 correct kernel has no time: KernelBench's fast_p counts that as failed" in said["bare"]
    )
    assert "no time" not in said["timed"]
