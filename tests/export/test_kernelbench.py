"""Results in KernelBench's own files."""

import json
from pathlib import Path

import msgspec
import pytest

from kernelbenchx.catalog.kernelbench import problem_files
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Finding, Outcome, Reason, Rejected, Stage, Void, Wrong
from kernelbenchx.core.rules import Rules, make_unknown_rule
from kernelbenchx.core.submission import Origin
from kernelbenchx.export.kernelbench import pass_at_k, write_results
from ruled import LOOSE, by_kernelbench
from samples import evaluation, timed

TASK = "level2/gemm_multiply_leaky_relu"
WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
VOID = Void(reason=Reason.TIMEOUT, detail="too slow for the interpreter")


def sample(number: int, outcome: Outcome | None = None, task: str = TASK) -> Evaluation:
    name = f"level_2_problem_12_sample_{number}_kernel"
    one = evaluation(name, outcome, timed(2.0) if outcome is None else None)
    return msgspec.structs.replace(one, task=task)


def written(tmp_path: Path, *results: Evaluation) -> dict[str, list[dict[str, object]]]:
    write_results(results, tmp_path)
    text = (tmp_path / "level2" / "eval_results.json").read_text()
    found: dict[str, list[dict[str, object]]] = json.loads(text)
    return found


def test_a_correct_kernel_has_its_times_in_milliseconds(tmp_path: Path) -> None:
    (one,) = written(tmp_path, sample(0))["12"]
    assert (one["sample_id"], one["compiled"], one["correctness"]) == (0, True, True)
    runtime, reference = one["runtime"], one["ref_runtime"]
    assert isinstance(runtime, float) and isinstance(reference, float)
    assert reference == pytest.approx(2 * runtime)
    baseline = json.loads((tmp_path / "level2" / "baseline_time_torch.json").read_text())
    assert baseline["level2"][problem_files(2)[11]]["mean"] == reference


@pytest.mark.parametrize(
    ("outcome", "compiled"),
    [
        (WRONG, True),
        (Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="ValueError"), True),
        (Broken(stage=Stage.CALL, reason=Reason.NOT_COMPILED, detail="no such name"), False),
        (Broken(stage=Stage.CALL, reason=Reason.COMPILE_ERROR, detail="no tl.tanh"), False),
        (Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail="ImportError"), False),
        (Rejected(findings=(Finding(rule="torch", line=3, why="torch computes"),)), False),
    ],
)
def test_one_that_fails_has_none(tmp_path: Path, outcome: Outcome, compiled: bool) -> None:
    (one,) = written(tmp_path, sample(0, outcome))["12"]
    assert (one["compiled"], one["correctness"], one["runtime"]) == (compiled, False, -1.0)
    assert not json.loads((tmp_path / "level2" / "baseline_time_torch.json").read_text())["level2"]


def test_what_their_rule_says_stands_beside_our_verdict(tmp_path: Path) -> None:
    unknown_rule = Rules(kernelbench=make_unknown_rule("no memory left"))
    calls = (by_kernelbench(LOOSE), unknown_rule, None)
    given = [
        msgspec.structs.replace(sample(number, WRONG), rules=call)
        for number, call in enumerate(calls)
    ]
    found = written(tmp_path, *given)["12"]
    assert [one["correctness"] for one in found] == [False] * 3
    one, unknown, none = (dict(each["metadata"].items()) for each in found)  # type: ignore[attr-defined]
    assert one["kernelbench_rule"] == {"passes_1e_2": True, "passes_1e_4": False}
    assert unknown["kernelbench_rule_unknown"] == "no memory left"
    assert not {"kernelbench_rule", "kernelbench_rule_unknown"} & none.keys()


def test_void_is_left_out_and_moves_the_bound(tmp_path: Path) -> None:
    (level,) = write_results([sample(0, VOID), sample(1)], tmp_path)
    assert level.bounds == (0.0, 0.01)
    kept = json.loads((tmp_path / "level2" / "eval_results.json").read_text())
    assert [one["sample_id"] for one in kept["12"]] == [1]


def test_a_correct_kernel_without_a_time_is_counted(tmp_path: Path) -> None:
    (level,) = write_results([sample(0), sample(1, WRONG)], tmp_path)
    assert (level.correct, level.untimed) == ({12}, set())
    bare = msgspec.structs.replace(sample(0), performance=None)
    (level,) = write_results([bare], tmp_path)
    assert (level.correct, level.untimed) == ({12}, {12})


def test_other_precisions_and_other_tasks_are_left_out(tmp_path: Path) -> None:
    others = [sample(0, task=f"{TASK}:bf16"), evaluation()]
    assert write_results(others, tmp_path) == []
    (level,) = write_results(others, tmp_path, "bf16")
    assert level.correct == {12}


def test_imported_problems_are_written_without_their_folder(tmp_path: Path) -> None:
    here, other = sample(0, WRONG, "level2/12_Gemm"), sample(1, WRONG, "level2/13_Other")
    found = written(tmp_path, here, other, sample(2, WRONG, "level2/not_numbered"))
    assert {number: [one["sample_id"] for one in rows] for number, rows in found.items()} == {
        "12": [0],
        "13": [1],
    }


def test_the_chance_of_k_samples_counts_pairs() -> None:
    rows = {12: [{"correctness": right} for right in (True, False, False, True)]}
    found = pass_at_k(rows)
    assert found["problems"]["12"]["pass@2"] == pytest.approx(1 - 1 / 6)
    assert found["averages"]["avg_pass@1"] == 0.5
    assert "avg_pass@5" not in found["averages"]


def generated(
    step: str, *, turn: int, number: int = 0, outcome: Outcome | None = None
) -> Evaluation:
    """As a method writes it."""
    one = msgspec.structs.replace(sample(0, outcome), submission=f"gemm__{step}")
    origin = Origin(model="m", method="sample", round=str(turn), sample=number, step=step)
    return msgspec.structs.replace(one, origin=origin)


def test_samples_of_a_method_keep_their_numbers(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        generated("sample 0", turn=0, number=0, outcome=WRONG),
        generated("sample 1", turn=0, number=1),
    )["12"]
    assert [(one["sample_id"], one["correctness"]) for one in found] == [(0, False), (1, True)]
