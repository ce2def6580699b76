import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from kernelbenchx.analysis import speed
from kernelbenchx.analysis.attempt import gpu_name
from kernelbenchx.analysis.noise import noise_of
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    CaseResult,
    CaseState,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Void,
    Worst,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Origin
from kernelbenchx.store.attempts import DETAIL, read_attempts, read_runs
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, on_a_card, timed

GONE = Void(reason=Reason.EVALUATOR, detail="gone")


def _one(
    name: str = "one",
    outcome: Outcome | None = None,
    performance: Performance | None = None,
    origin: Origin | None = None,
) -> Evaluation:
    made = on_a_card(evaluation(name, outcome, performance))
    return msgspec.structs.replace(made, origin=origin or Origin(method="agent", model="m"))


def _write(
    folder: Path, found: dict[str, Evaluation], statements: Iterable[tuple[str, str]] = ()
) -> Path:
    with writing(RunFolder(folder)) as database:
        database.keep_statements(statements)
        for key, one in found.items():
            database.append(key, one, "source")
    return folder


def _wrong(expected: str, got: str) -> Wrong:
    worst = Worst(output="y", index=(), expected=expected, got=got, error=2.0, bad=1, total=1)
    return Wrong(
        case="c", reason=Reason.BAD_VALUES, detail="x" * 2000, worst=worst, pattern="one row"
    )


def test_a_timed_kernel_with_everything_that_is_known(tmp_path: Path) -> None:
    times = timed(1.5, baselines=("eager", "compile"))
    (found,) = read_attempts([_write(tmp_path / "r", {"k": _one(performance=times)})])
    assert (found.run, found.key, found.submission) == (str(tmp_path / "r"), "k", "one")
    assert (found.task, found.category) == ("activation/relu", "Activation")
    assert (found.method, found.model, found.round, found.sample) == ("agent", "m", 0, 0)
    assert (found.gpu, found.device, found.provisional) == ("NVIDIA H200", "cuda", False)
    assert found.timed and found.tier == "replay" and found.stage == "perf"
    assert found.eager is not None and found.compiled is not None
    assert (found.eager.speedup, found.eager.speed_class) == (1.5, "faster")
    assert found.compiled.low == pytest.approx(0.98 * 1.5)
    assert (found.score, found.iou, found.mfu) == pytest.approx((0.8, 0.8, 0.01))
    assert found.difficulty > 0 and found.dtypes and found.certified


def test_times_of_other_sizes_are_of_another_place(tmp_path: Path) -> None:
    usual = _one(performance=timed(1.5))
    other = msgspec.structs.replace(_one(performance=timed(3.0)), sizes="published")
    runs = [_write(tmp_path / "a", {"k": usual}), _write(tmp_path / "b", {"l": other})]
    found = read_attempts(runs)
    places = [one.gpu for one in found]
    assert places == ["NVIDIA H200", "NVIDIA H200, published sizes"]
    assert [gpu_name(place) for place in places] == ["NVIDIA H200"] * 2
    nowhere = msgspec.structs.replace(evaluation(), sizes="published")
    assert read_attempts([_write(tmp_path / "c", {"k": nowhere})])[0].gpu == ""
    means = speed.tables(found)[0].records()
    assert [row["gpu"] for row in means] == places
    assert [row["speedup"] for row in means] == pytest.approx([1.5, 3.0])


def test_a_wrong_answer_keeps_what_was_seen_but_not_all_that_was_said(tmp_path: Path) -> None:
    expected = {"a": "2.0", "b": "0.0", "c": "nan", "d": "1+2j"}
    wrong = {name: _one(name, _wrong(value, "1.5")) for name, value in expected.items()}
    found = read_attempts([_write(tmp_path, wrong)])
    assert [one.deviation for one in found] == [0.25, None, None, pytest.approx(0.922, abs=1e-3)]
    assert (found[0].reason, found[0].pattern) == ("bad_values", "one row")
    assert len(found[0].detail) == DETAIL
    assert not found[0].correct and found[0].performance == "" and found[0].eager is None


def test_one_that_failed_at_a_timed_size_is_not_correct_and_says_why(tmp_path: Path) -> None:
    failed = Failed(case="c", reason=Reason.TIMED_WRONG, detail="d")
    (found,) = read_attempts([_write(tmp_path, {"k": _one(performance=failed)})])
    assert found.failed_at_scale and not found.correct and found.performance == "failed"
    assert (found.reason, found.detail, found.verdict) == ("timed_wrong", "d", "failed at scale")
    assert not found.timed and found.score is None


def test_one_without_times_by_no_fault_of_its_own_stays_correct(tmp_path: Path) -> None:
    lost = Unmeasured(reason=Reason.DISTURBED, detail="a stranger")
    (found,) = read_attempts([_write(tmp_path, {"k": _one(performance=lost)})])
    assert found.correct and (found.reason, found.detail, found.verdict) == ("", "", "correct")


@pytest.mark.parametrize(("said", "number"), [("", 0), ("2", 2), ("round 03", 3), ("first", 0)])
def test_rounds_however_they_are_written(tmp_path: Path, said: str, number: int) -> None:
    origin = Origin(method="agent", round=said)
    (found,) = read_attempts([_write(tmp_path, {"k": _one(origin=origin)})])
    assert found.round == number


def test_samples_are_numbered_by_name_within_their_round(tmp_path: Path) -> None:
    first, second = Origin(method="agent", round="0"), Origin(method="agent", round="1")
    other = Origin(method="other", round="0")
    given = {"z": _one("s:2", origin=first), "a": _one("s:10", origin=first),
             "m": _one("s:12", origin=second), "o": _one("s:9", origin=other)}  # fmt: skip
    found = read_attempts([_write(tmp_path, given)])
    assert {one.submission: one.sample for one in found} == {
        "s:2": 0,
        "s:10": 1,
        "s:12": 0,
        "s:9": 0,
    }


def test_what_a_method_wrote_knows_its_number_itself(tmp_path: Path) -> None:
    made = {
        f"k{number}": _one(f"s{number}", origin=Origin(method="agent", sample=number, step="here"))
        for number in (3, 7)
    }
    made["k8"] = _one("s8", origin=Origin(method="agent", round="1", step="there", parent="s3"))
    found = read_attempts([_write(tmp_path, made)])
    assert {one.submission: one.sample for one in found} == {"s3": 3, "s7": 7, "s8": 0}
    assert {(one.step, one.parent) for one in found} == {("here", ""), ("there", "s3")}


def test_runs_merge_and_a_key_counts_once(tmp_path: Path) -> None:
    first = _write(tmp_path / "a", {"k1": _one("kept"), "k2": _one("lost", GONE)})
    second = _write(tmp_path / "b", {"k1": _one("again"), "k2": _one("found"), "k3": _one("new")})
    found = read_attempts([first, second])
    assert sorted(one.submission for one in found) == ["found", "kept", "new"]
    assert len(read_attempts([first])) == 2
    assert [one.counts for one in read_attempts([first])] == [True, False]


def test_the_same_key_in_another_run_is_measured_again_and_in_its_copy_is_not(
    tmp_path: Path,
) -> None:
    def write(name: str, speedup: float, seed: int) -> Path:
        made = msgspec.structs.replace(_one(performance=timed(speedup)), seed=seed)
        return _write(tmp_path / name, {"k": made})

    first, copied, other = write("a", 1.0, 1), write("copy", 1.0, 1), write("b", 1.5, 2)
    (found,) = read_attempts([first, copied, other])
    assert found.eager is not None and found.eager.speedup == 1.0
    assert [(run, one.speedup) for run, one in found.measured_again] == [(str(other), 1.5)]
    measurements = noise_of([found])["NVIDIA H200"]
    assert (measurements.measurements, measurements.elsewhere) == (2, 1)
    (alone,) = read_attempts([first, copied])
    assert alone.measured_again == () and noise_of([alone]) == {}


def test_what_verdicts_rest_on_is_counted_in_every_run(tmp_path: Path) -> None:
    one = _one()
    other = msgspec.structs.replace(one, checks=False)
    first = _write(tmp_path / "1", {"same": one, "other": other})
    attempts, grounds = read_runs([first, _write(tmp_path / "2", {"same": one})])
    assert len(attempts) == 2
    assert {(ground.checks, count) for ground, count in grounds.items()} == {(True, 2), (False, 1)}
    assert {ground.device for ground in grounds} == {one.device}
    assert {ground.machine.torch for ground in grounds} == {one.environment.torch}


def test_the_runs_own_statement_is_believed(tmp_path: Path) -> None:
    stated = json.dumps({"category": "Own", "dtypes": ["float8"], "difficulty": 5, "task": "relu"})
    (found,) = read_attempts([_write(tmp_path, {"k": _one()}, [("activation/relu", stated)])])
    assert (found.category, found.dtypes, found.difficulty) == ("Own", ("float8",), 5)


def test_what_a_statement_does_not_say_is_asked_of_the_catalogue(tmp_path: Path) -> None:
    stated = json.dumps({"category": "Activation", "dtypes": ["float32"], "task": "relu"})
    (found,) = read_attempts([_write(tmp_path, {"k": _one()}, [("activation/relu", stated)])])
    assert found.difficulty == facts("activation/relu").difficulty != 5


def test_a_task_that_the_catalogue_does_not_know(tmp_path: Path) -> None:
    other = msgspec.structs.replace(_one(), task="linear_algebra/gone")
    (found,) = read_attempts([_write(tmp_path, {"k": other})])
    assert (found.category, found.difficulty, found.dtypes) == ("LinearAlgebra", 0, ())
    assert not found.certified


def test_a_kernelbench_problem_has_a_level_and_a_route_of_weights(tmp_path: Path) -> None:
    task = "level2/gemm_multiply_leaky_relu"
    plain = msgspec.structs.replace(_one("a"), task=task, weights="place")
    rounded = msgspec.structs.replace(_one("b"), task=f"{task}:bf16")
    found = read_attempts([_write(tmp_path, {"a": plain, "b": rounded, "c": _one("c")})])
    assert [(one.level, one.weights) for one in found] == [(2, "place"), (2, ""), (0, "")]


def test_a_problem_outside_the_catalogue_has_the_level_of_its_file(tmp_path: Path) -> None:
    named = _one("level_3_problem_7_sample_0_kernel")
    names = {"k": msgspec.structs.replace(named, task="mine/gone")}
    names["l"] = msgspec.structs.replace(_one("kernel_of_level_3"), task="mine/other")
    levels = {one.submission: one.level for one in read_attempts([_write(tmp_path, names)])}
    assert levels == {"level_3_problem_7_sample_0_kernel": 3, "kernel_of_level_3": 0}


def test_what_is_no_run_is_said_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no run\.sqlite"):
        read_attempts([tmp_path])
    (tmp_path / "run.sqlite").write_text("no database at all, but long enough to be looked at")
    with pytest.raises(BadInput, match="is not a run"):
        read_attempts([tmp_path])


def test_a_run_of_another_schema_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, {"k": _one()})
    with closing(sqlite3.connect(tmp_path / "run.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(BadInput, match="schema 99"):
        read_attempts([tmp_path])


def test_a_record_that_says_nothing_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, {"k": _one()})
    with closing(sqlite3.connect(tmp_path / "run.sqlite")) as connection, connection:
        connection.execute("UPDATE evaluations SET record = '{}'")
    with pytest.raises(BadInput, match="another version"):
        read_attempts([tmp_path])


def _case(name: str, state: CaseState, *needs: Scope) -> CaseResult:
    return CaseResult(name, state, needs=needs)


def test_scopes_are_read_and_a_rejected_kernel_is_not_core_correct(tmp_path: Path) -> None:
    cases = (
        _case("a", CaseState.PASSED),
        _case("b", CaseState.PASSED, Scope.LAYOUT),
        _case("c", CaseState.WRONG, Scope.LAYOUT),
    )
    graded = msgspec.structs.replace(_one("graded", _wrong("2.0", "1.5")), cases=cases)
    refused = Rejected(findings=(Finding(rule="imports", line=1, why="no"),))
    given = {"g": graded, "r": _one("refused", refused)}
    first, second = read_attempts([_write(tmp_path, given)])
    assert (first.core, second.core) == (True, False)
    counted = {one.scope: (one.passed, one.total) for one in first.scopes}
    assert counted == {Scope.CORE: (1, 1), Scope.LAYOUT: (1, 2)}
    assert second.scopes == ()


@pytest.mark.parametrize(
    ("corners", "expected"),
    [((True, False), True), ((False, True), False), ((False, False), None)],
)
def test_corners_pass_where_every_call_that_all_runs_make_does(
    tmp_path: Path, corners: tuple[bool, bool], expected: bool | None
) -> None:
    states = (CaseState.PASSED, CaseState.WRONG)
    cases = tuple(
        CaseResult(str(corner), state, needs=(), corner=corner)
        for corner, state in zip(corners, states, strict=True)
    )
    judged = msgspec.structs.replace(_one(), outcome=_wrong("2.0", "1.5"), cases=cases)
    (found,) = read_attempts([_write(tmp_path, {"k": judged})])
    assert (found.corners, found.seed) == (expected, 5)
