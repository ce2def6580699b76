"""`solved` has one meaning: the same run gives the same number wherever it is said."""

from pathlib import Path

import msgspec

from asked_samples import asked
from kernelbenchx.analysis import cost, rates
from kernelbenchx.analysis.spending import Spending
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.solved import is_solved
from kernelbenchx.core.submission import Origin
from kernelbenchx.generate.tally import Tally
from kernelbenchx.report.grid import cells
from kernelbenchx.report.site_layout import place
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

TASKS = ("activation/relu", "activation/gelu", "activation/tanh")
WRONG = Wrong(reason=Reason.BAD_VALUES, detail="off", case="c")


def _evaluations() -> list[Evaluation]:
    """Two rounds of two samples; two tasks have one correct kernel, one of them in round 0."""
    found = []
    right = {("activation/relu", "0", 1), ("activation/gelu", "1", 0)}
    for task in TASKS:
        for at in range(4):
            number, sample = str(at // 2), at % 2
            origin = Origin(
                method="m",
                model="x",
                round=number,
                sample=sample,
                step=f"sample {sample}/round {number}",
            )
            one = evaluation(f"{task.partition('/')[2]}__{at}")
            outcome = one.outcome if (task, number, sample) in right else WRONG
            digest = f"{task}{at}"
            found.append(
                msgspec.structs.replace(
                    one, task=task, origin=origin, outcome=outcome, digest=digest
                )
            )
    return found


def test_all_say_the_same_of_one_run(tmp_path: Path) -> None:
    tally = Tally()
    tally.begin(TASKS)
    with writing(RunFolder(tmp_path)) as database:
        for at, one in enumerate(_evaluations()):
            tally.add_verdict(one)
            database.append(f"key{at:02}", one, "s")
    attempts = read_attempts([tmp_path])
    assert tally.solved == 2

    (by_method,) = [one for one in rates.tables(attempts) if one.name == "by_method"]
    (row,) = by_method.records()
    assert (row["tasks"], row["solved"]) == (3, 2 / 3)
    assert row["correct"] == 1 / 6, "of the kernels kept at the end"

    requests = [
        asked(one.step, key=one.key, task=one.task, method="m", model="x") for one in attempts
    ]
    spending = [Spending("run", attempts, requests)]
    (to_solve,) = [one for one in cost.tables(attempts, spending) if one.name == "cost_to_solve"]
    assert [one["solved"] for one in to_solve.records()] == [2]

    found = cells(place(attempts))
    assert sorted((one["solved"], one["correct"]) for one in found) == [
        (False, 0), (True, 0), (True, 1),
    ]  # fmt: skip


def test_no_attempt_and_no_correct_one_solve_nothing() -> None:
    wrong = [one for one in _evaluations() if one.outcome == WRONG]
    assert not is_solved([]) and not is_solved(wrong)
    assert is_solved(_evaluations())
