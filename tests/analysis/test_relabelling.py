"""Doubtful tasks filed elsewhere, and tasks that are not there."""

import pytest
from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.relabelling import (
    DOUBTFUL,
    OWN,
    describe_moves,
    enumerate_moves,
    labellings,
    tables,
)
from kernelbenchx.analysis.success_counts import count_successes
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.grades import Grade

ONE = Attempt(
    run="r", key="k", submission="s", task="math/softmax", category="Math", method="m", model="x",
    round=0, sample=0, digest="d", difficulty=1, dtypes=("float32",), device="cuda", gpu="card",
    outcome="correct", reason="", stage="perf", composition="pure", provisional=False,
    isolation="L3", grade=Grade.CERTIFIED,
)  # fmt: skip
PLACES = (
    ("math/softmax", "Math"), ("math/fftn", "Math"), ("math/add", "Math"), ("math/cos", "Math"),
    ("math/exp_sqrt", "Math"), ("random/logspace", "Random"), ("random/rand", "Random"),
    ("reduce/mean", "Reduce"), ("reduce/sum", "Reduce"), ("linear_algebra/qr", "LinearAlgebra"),
)  # fmt: skip


def _attempts() -> list[Attempt]:
    return [
        replace(
            ONE,
            task=task,
            category=category,
            method=method,
            outcome="correct" if (at + step) % 3 == 0 or category == "Reduce" else "wrong",
        )
        for at, (task, category) in enumerate(PLACES)
        for step, method in enumerate(("m", "n"))
    ]


def test_each_doubtful_task_is_moved_alone_and_all_ways_are_ranked() -> None:
    doubtful, moved, _ = tables(_attempts())
    assert [row[0] for row in doubtful.rows] == [one.task for one in DOUBTFUL]
    rows = [row for row in moved.records() if row["outcome"] == "correct"]
    labels = [str(row["data"]) for row in rows]
    assert labels[:6] == [
        "as filed", "softmax in Normalization", "softmax in Reduce", "softmax in Activation",
        "fftn in LinearAlgebra", "logspace in Math",
    ]  # fmt: skip
    shares = [float(str(row["category"])) for row in rows]
    assert labels[6].startswith("least of 16 ways")
    assert labels[7].startswith("most of 16 ways")
    assert shares[6] <= min(shares[:6]) <= max(shares[:6]) <= shares[7]
    assert labels[8] == "composites outside Fusion filed there (1)"
    assert rows[1]["categories"] == 5
    assert not any("Not in this data" in note for note in moved.notes)


def test_what_is_not_in_the_data_is_said_and_moves_nothing() -> None:
    few = [one for one in _attempts() if one.task != "math/fftn"]
    doubtful, moved, _ = tables(few)
    assert [row[0] for row in doubtful.rows] == ["math/softmax", "random/logspace"]
    assert "Not in this data: math/fftn." in moved.notes
    assert not any("fftn" in str(row["data"]) for row in moved.records())


def test_where_all_end_alike_there_is_nothing_to_rank() -> None:
    alike = [replace(one, outcome="wrong") for one in _attempts()]
    counts = count_successes(alike, lambda one: one.correct)
    assert not any("ways" in name for name, _ in labellings(counts))


def test_every_way_holds_the_present_one() -> None:
    ways = enumerate_moves(DOUBTFUL)
    assert len(ways) == 16
    assert {} in ways
    assert describe_moves({}) == "as filed"


def test_own_labels_are_a_row_of_their_own_that_moves_their_tasks() -> None:
    own = {"math/add": "Arithmetic", "cos": "Arithmetic", "reduce/mean": "Reduce", "math/no": "X"}
    found = {one.name: one for one in tables(_attempts(), own)}
    rows = [row for row in found["categories_relabelled"].records() if row["data"] == OWN]
    by_hand = [
        replace(
            one, category="Arithmetic" if one.task in ("math/add", "math/cos") else one.category
        )
        for one in _attempts()
    ]
    (filed, *_) = tables(by_hand)[1].records()
    assert [rows[0][key] for key in ("category", "method", "categories")] == [
        filed[key] for key in ("category", "method", "categories")
    ]
    (agreed,) = found["categories_agreement"].records()
    # Of three tasks one is filed the same; chance: Reduce by both 1/3, Math and Arithmetic never.
    assert (agreed["tasks"], agreed["labelled"]) == (10, 3)
    assert agreed["same"] == pytest.approx(1 / 3)
    assert agreed["kappa"] == pytest.approx((1 / 3 - 1 / 9) / (1 - 1 / 9))
    assert agreed["moved"] == "add in Arithmetic, cos in Arithmetic"


def test_without_own_labels_nothing_is_compared() -> None:
    assert [one.name for one in tables(_attempts())][1] == "categories_relabelled"


def test_labels_that_name_no_task_or_two_are_refused() -> None:
    with pytest.raises(BadInput, match="no task of these runs, such as linear_algebra/qr"):
        tables(_attempts(), {"nothing": "Math"})
    twice = [*_attempts(), replace(ONE, task="other/add")]
    with pytest.raises(BadInput, match="add may be math/add or other/add"):
        tables(twice, {"add": "Math"})
    with pytest.raises(BadInput, match="math/add is Math and Loss"):
        tables(_attempts(), {"add": "Math", "math/add": "Loss"})
