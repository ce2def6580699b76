"""Benchmarks of a card on fabricated runs: what they print, what they promise, when they fail."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmark_files import benchmark
from kernelbenchx import task
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Reason, Stage
from kernelbenchx.core.performance import Failed, Performance, Tier
from kernelbenchx.core.submission import Origin
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import LARGE, evaluation, on_a_card, timed

AGREEMENT, TABLE, THROUGHPUT = map(benchmark, ("card_agreement", "card_table", "card_throughput"))
REPORTS, RUNS = map(benchmark, ("_reports", "_runs"))


def _one(name: str, performance: Performance | None, *, real: bool = False) -> Evaluation:
    file = "real.jsonl" if real else f"{name}.py"
    made = on_a_card(evaluation(name, performance=performance))
    return msgspec.structs.replace(made, origin=Origin(file=file), task=f"activation/{name}")


def _run(folder: Path, found: Sequence[Evaluation]) -> Path:
    with writing(RunFolder(folder)) as database:
        database.note("seed", "77")
        for one in found:
            database.append(f"key {one.submission}", one, "source")
    return folder


def _said(capsys: pytest.CaptureFixture[str]) -> tuple[str, dict[str, Any]]:
    """What was printed, and the document in its last line."""
    out = capsys.readouterr().out
    return out, json.loads(out.splitlines()[-1])


def _main(module: Any, monkeypatch: pytest.MonkeyPatch, *words: str, code: int = 0) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", *words])
    assert module.main() == code


def test_a_report_keeps_what_it_printed_and_fails_when_a_promise_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, broken = REPORTS.Report(), REPORTS.Report()
    kept.table(("a", "long head"), [(1, 2), ("longer", 3)])
    kept.must("one is one", True)
    assert kept.end({"x": 1}, tmp_path / "kept.txt") == 0
    broken.must("one is two", False)
    assert broken.end({}, None) == 1
    out, document = _said(capsys)
    text = (tmp_path / "kept.txt").read_text()
    assert out.startswith(text)
    assert "| longer | 3         |" in text
    assert "holds: one is one" in text
    assert "DOES NOT HOLD: one is two" in out
    assert document["broken"] == ["one is two"]


def test_a_run_is_read_where_nothing_may_be_written(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", [_one("relu", timed()), _one("r1", None, real=True)])
    folder.chmod(0o500)
    try:
        run = RUNS.read_run(folder)
    finally:
        folder.chmod(0o700)
    assert run.seed == "77"
    assert [one.submission for one in run.witnesses] == ["relu"]
    assert [one.submission for one in run.real] == ["r1"]


def test_what_became_of_a_submission() -> None:
    failed = Failed(case="big", reason=Reason.LATE, detail="nothing\nwas written")
    broken = Broken(stage=Stage.CALL, reason=Reason.TIMEOUT, detail="too long")
    assert RUNS.became(_one("a", timed(tier=Tier.HOST_TIMED))) == (
        "host_timed",
        "its grid depends on a value",
    )
    assert RUNS.became(_one("a", timed())) == ("replay", "")
    assert RUNS.became(_one("a", failed)) == ("failed", "late: nothing was written (big)")
    assert RUNS.became(evaluation("a", broken)) == ("broken", "timeout: too long")
    assert RUNS.became(evaluation("a"))[0] == "correct"


def test_a_quantile_is_one_of_the_values() -> None:
    values = [float(one) for one in range(100, 0, -1)]
    assert RUNS.quantile(values, 0.95) == 95.0
    assert RUNS.quantile(values, 0.5) == 50.0
    assert RUNS.quantile([3.0], 0.95) == 3.0


def test_runs_that_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = _run(tmp_path / "a", [_one("relu", timed(1.25)), _one("gelu", timed(2.0))])
    second = _run(tmp_path / "b", [_one("relu", timed(1.251)), _one("gelu", timed(2.002))])
    _main(AGREEMENT, monkeypatch, str(first), str(second))
    out, document = _said(capsys)
    assert "holds: median difference 0.08 %" in out
    assert document["kernels"]["all"]["count"] == 2
    assert document["cases"]["replay"]["count"] == 4
    assert document["kernels"]["all"]["largest"] == pytest.approx(0.001, rel=1e-3)


@pytest.mark.parametrize(
    ("others", "broken"),
    [
        ([1.26, 2.002], "median difference"),
        ([1.25, 2.05], "95th percentile"),
        ([0.8, 2.0], "faster in one run"),
    ],
)
def test_runs_that_do_not(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    others: list[float],
    broken: str,
) -> None:
    names = ("relu", "gelu", "selu")
    first = [timed(1.25), timed(2.0), timed(1.5)]
    second = [*map(timed, others), timed(1.508 if "median" in broken else 1.5)]
    folders = [
        str(_run(tmp_path / label, [_one(n, t) for n, t in zip(names, found, strict=True)]))
        for label, found in (("a", first), ("b", second))
    ]
    _main(AGREEMENT, monkeypatch, *folders, code=1)
    _, document = _said(capsys)
    assert any(broken in one for one in document["broken"])


def test_runs_without_a_kernel_in_common_do_not_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = _run(tmp_path / "a", [_one("relu", timed())])
    second = _run(tmp_path / "b", [_one("gelu", timed())])
    _main(AGREEMENT, monkeypatch, str(first), str(second), code=1)
    assert "timed in one run only: gelu, relu" in _said(capsys)[0]


def test_the_table_of_witnesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ("eager", "compile")
    found = [
        _one("relu", timed(1.25, baselines=both)),
        _one("gelu", timed(0.5, baselines=both, tier=Tier.HOST_TIMED)),
        _one("real", timed(9.0), real=True),
    ]
    folder = _run(tmp_path / "run", found)
    monkeypatch.setattr(
        TABLE.catalog, "function_names", lambda: ("activation/relu", "activation/gelu")
    )
    monkeypatch.setattr(TABLE, "NOT_SLOWER", 0.5)
    monkeypatch.setattr(TABLE, "REASONS", {"activation/gelu": "made slow for this test"})
    _main(TABLE, monkeypatch, str(folder), "--out", str(tmp_path / "table.txt"))
    out, document = _said(capsys)
    assert (tmp_path / "table.txt").read_text() == out
    assert out.count("made slow for this test") == 2
    assert "NVIDIA H200" in out
    assert "seed 77" in out
    assert "1.250 [1.225, 1.275] faster" in out
    assert "over compile" in out
    assert "0.800 / 0.750" in out
    assert "0.010 / 0.009" in out
    assert "its grid depends on a value" in out
    assert "overhead-bound; card throttled" in out
    assert "9.0" not in out.partition("{")[0]
    assert document["means"]["eager"] == pytest.approx((1.25 * 0.5) ** 0.5, rel=1e-3)
    assert (document["tasks"], document["cases"]) == (2, 4)


def test_the_table_fails_where_witnesses_are_slow_without_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _run(tmp_path / "run", [_one("gelu", timed(0.5))])
    monkeypatch.setattr(TABLE.catalog, "function_names", lambda: ("activation/gelu",))
    monkeypatch.setattr(TABLE, "REASONS", {})
    _main(TABLE, monkeypatch, str(folder), code=1)
    out, document = _said(capsys)
    assert "no reason is known" in out
    assert len(document["broken"]) == 2


def test_the_table_fails_when_a_witness_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = Failed(case=LARGE, reason=Reason.LATE, detail="nothing was written")
    folder = _run(tmp_path / "run", [_one("relu", failed)])
    monkeypatch.setattr(
        TABLE.catalog, "function_names", lambda: ("activation/relu", "activation/gelu")
    )
    _main(TABLE, monkeypatch, str(folder), code=1)
    assert "activation/relu, activation/gelu are not" in _said(capsys)[0]


def test_stages_last_until_the_next_note_of_the_same_submission() -> None:
    notes = [
        (1.0, "a", "checking"),
        (2.0, "b", "checking"),
        (4.0, "a", "timing"),
        (5.0, "b", "done"),
        (9.0, "a", "done"),
    ]
    assert THROUGHPUT.totals(notes) == {"checking": 6.0, "timing": 5.0}


def test_a_whole_command_is_timed_with_its_stages(tmp_path: Path) -> None:
    sources = THROUGHPUT.write_witnesses(tmp_path / "w", [task("relu")])
    words = ("--device", "interpreter", "--stage", "check", "--jobs", "1")
    took = THROUGHPUT.evaluate([sources], tmp_path / "run", words)
    assert took.kernels == 1
    assert took.stages.keys() == {"checking"}
    assert 0.0 < took.start_s < took.wall_s
    assert THROUGHPUT.earlier(tmp_path / "run") == took


def _pretended(wall_s: float) -> Any:
    def evaluate(sources: Sequence[Path], run: Path, words: Sequence[str]) -> Any:
        real = [] if run.name == "ready" else [".jsonl"]
        assert [path.suffix for path in sources] == ["", *real]
        compiled = "compile" in words
        found = [
            _one("relu", timed(baselines=("eager", "compile") if compiled else ("eager",))),
            _one("r1", timed(tier=Tier.HOST_TIMED), real=True),
            _one("r2", None, real=True),
        ]
        _run(run, found)
        took = THROUGHPUT.Took(
            wall_s=wall_s + 3.0 * compiled, kernels=3, start_s=1.0, end_s=0.5,
            stages={"calling": 4.0, "timing": 3.0},
        )  # fmt: skip
        (run / THROUGHPUT.KEPT).write_text(json.dumps(msgspec.to_builtins(took)))
        return took

    return evaluate


BROKEN = Broken(stage=Stage.EXE, reason=Reason.RUNTIME_ERROR, detail="raised")
STALE = Failed(case="n=3", reason=Reason.STALE, detail="as before")


@pytest.mark.parametrize(
    ("group", "replayed", "said"),
    [
        ([evaluation("r1", BROKEN)], None, "none is correct, so none was timed or replayed"),
        ([evaluation("r1", performance=STALE)], None, "none was timed, so none was replayed"),
        ([_one("r1", timed(tier=Tier.HOST_TIMED))], 0.0, "0 of 1 timed were replayed (0.0 %)"),
        ([_one("r1", timed()), evaluation("r2", BROKEN)], 1.0, "1 of 1 timed were replayed"),
    ],
)
def test_without_times_there_is_no_share_that_was_replayed(
    capsys: pytest.CaptureFixture[str],
    group: list[Evaluation],
    replayed: float | None,
    said: str,
) -> None:
    found = THROUGHPUT.say_group(REPORTS.Report(), "real kernels", group)
    assert found["replayed"] == replayed
    assert f"real kernels: {said}" in capsys.readouterr().out


@pytest.mark.parametrize(("wall_s", "code"), [(5.9, 0), (6.1, 1)])
def test_throughput_is_promised(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wall_s: float,
    code: int,
) -> None:
    real = tmp_path / "real.jsonl"
    real.touch()
    run = tmp_path / "run"
    monkeypatch.setattr(THROUGHPUT, "evaluate", _pretended(wall_s))
    words = ("--only", "relu", "--real", str(real), "--run", str(run))
    _main(THROUGHPUT, monkeypatch, *words, code=code)
    out, document = _said(capsys)
    assert "witnesses: 1 of 1 timed were replayed (100.0 %)" in out
    assert "real kernels: 0 of 1 timed were replayed (0.0 %)" in out
    assert "not replayed, 1: its grid depends on a value" in out
    assert f"first, activation/relu alone: {wall_s:.1f} s, after which" in out
    assert document["ready_s"] == pytest.approx(wall_s)
    assert document["each_s"] == pytest.approx(wall_s / 3, abs=1e-3)
    assert f"shared among the 2 that were timed: {wall_s / 2:.2f} s each\n" in out
    assert (document["timed"], document["each_timed_s"]) == (2, pytest.approx(wall_s / 2))
    _main(THROUGHPUT, monkeypatch, *words, "--compile", "--against", str(run))
    out, document = _said(capsys)
    assert "+3.0 s, +1.00 s per kernel" in out
    assert "alone" not in out  # the run that it is compared with came first
    assert document.keys() >= {"with_compile"}
    assert (tmp_path / "run-compile").is_dir()


def test_where_none_was_timed_nothing_is_shared(capsys: pytest.CaptureFixture[str]) -> None:
    took = THROUGHPUT.Took(wall_s=3.0, kernels=1, start_s=1.0, end_s=0.5, stages={"calling": 1.0})
    found = THROUGHPUT.tell(REPORTS.Report(), RUNS.Run((evaluation("r1", BROKEN),), "77"), took)
    assert (found["timed"], found["each_timed_s"]) == (0, None)
    assert "were timed" not in capsys.readouterr().out


def test_a_data_set_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", "--real", str(tmp_path / "absent.jsonl")])
    with pytest.raises(SystemExit) as ended:
        THROUGHPUT.main()
    assert ended.value.code == 2
    assert f"no file is at {tmp_path}/absent.jsonl" in capsys.readouterr().err
