import math

import numpy as np
import pytest
from msgspec.structs import replace

from attempt_samples import attempt, timed_attempt
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.hardware import tables
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.table import Table, Value


def _kernels(count: int = 40) -> list[Attempt]:
    """Twice as well suited to A as to B, and slower than eager on B for every second task."""
    rng = np.random.default_rng(5)
    found = []
    for number in range(count):
        base = float(np.exp(rng.normal(0, 0.05))) * (0.8 if number % 2 else 1.5)
        for gpu, factor in (("A", 2.0), ("B", 1.0)):
            found.append(
                timed_attempt(
                    base * factor, gpu=gpu, task=f"math/t{number}", digest=f"{number:064d}"
                )
            )
    return found


def _rows(attempts: list[Attempt], name: str) -> list[dict[str, Value]]:
    return {one.name: one for one in tables(attempts)}[name].records()


def test_the_ratio_over_cards_is_found_for_every_kernel() -> None:
    (row,) = _rows(_kernels(), "hardware_ratio")
    assert (row["over"], row["kernels"], row["tasks"]) == ("2 GPUs", 40, 40)
    for name in ("median", "mean", "worst"):
        assert row[name] == pytest.approx(2.0)
    assert row["worst_low"] == pytest.approx(2.0 * 0.99 / 1.01)
    assert str(row["worst_kernel"]).startswith("math/t")


def test_one_kernel_far_off_is_the_worst_and_moves_the_mean_not_the_median() -> None:
    given = [*_kernels(), *(timed_attempt(s, gpu=g, digest="odd") for s, g in ((9, "A"), (1, "B")))]
    (row,) = _rows(given, "hardware_ratio")
    assert row["worst"] == pytest.approx(9.0) and row["worst_kernel"] == "activation/relu odd"
    assert row["median"] == pytest.approx(2.0) and row["mean"] == pytest.approx((80 + 9) / 41)
    low, high = row["mean_low"], row["mean_high"]
    assert isinstance(low, float) and isinstance(high, float) and low < 2.17 < high


def test_equal_code_measured_again_on_one_card_is_the_noise_beside_it() -> None:
    again = [replace(one, key="again") for one in _kernels() if one.gpu == "A"]
    rows = _rows([*_kernels(), *again], "hardware_ratio")
    assert [row["over"] for row in rows] == ["2 GPUs", "A, measured again"]
    assert rows[1]["median"] == pytest.approx(1.0)


def test_cards_agree_on_the_order_or_not() -> None:
    same = {str(row["measure"]): row for row in _rows(_kernels(), "hardware_agreement")}
    assert same["Kendall's W"]["value"] == pytest.approx(1.0)
    rng = np.random.default_rng(7)
    mixed = [
        timed_attempt(float(np.exp(rng.normal())), gpu=gpu, task=f"math/{n}", digest=str(n))
        for n in range(60)
        for gpu in ("A", "B", "C")
    ]
    other = {str(row["measure"]): row for row in _rows(mixed, "hardware_agreement")}
    assert other["Kendall's W"]["value"] == pytest.approx(1 / 3, abs=0.15)
    low, high = (other["mean Spearman correlation"][end] for end in ("low", "high"))
    assert isinstance(low, float) and isinstance(high, float) and low < 0.05 and high > -0.05


def test_pairs_compare_kernels_that_both_cards_timed() -> None:
    given = [*_kernels(), timed_attempt(3.0, gpu="A", digest="only here")]
    (row,) = _rows(given, "hardware_pairs")
    assert (row["first"], row["second"], row["kernels"]) == ("A", "B", 40)
    assert row["ratio"] == pytest.approx(2.0) and row["spearman"] == pytest.approx(1.0)


def test_spearman_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(9)
    speeds = np.round(np.exp(rng.normal(size=(50, 2))), 1) + 0.1
    given = [
        timed_attempt(float(speeds[n, at]), gpu=gpu, task=f"math/{n}", digest=str(n))
        for n in range(50)
        for at, gpu in enumerate("AB")
    ]
    (row,) = _rows(given, "hardware_pairs")
    assert row["spearman"] == pytest.approx(stats.spearmanr(speeds[:, 0], speeds[:, 1])[0])


def test_slower_than_eager_by_card_with_wilsons_interval() -> None:
    rows = {(row["gpu"], row["kernels"]): row for row in _rows(_kernels(), "hardware_slower")}
    row, wanted = rows["B", "all"], wilson(20, 40)
    assert (row["slower"], row["low"], row["high"]) == (wanted.value, wanted.low, wanted.high)
    assert rows["A", "all"]["slower"] == 0.0
    assert rows["B", "on every GPU"]["attempts"] == 40


def test_what_is_not_surely_slower_is_told_apart() -> None:
    (row,) = _rows([timed_attempt(0.995), timed_attempt(0.5, task="math/add")], "hardware_slower")
    assert (row["slower"], row["surely"]) == (1.0, 0.5)


def test_one_card_or_none_is_said() -> None:
    for given in ([timed_attempt(2.0)], [attempt()], []):
        found: dict[str, Table] = {one.name: one for one in tables(given)}
        assert found["hardware_ratio"].rows == ()
        assert "nothing to compare" in found["hardware_ratio"].notes[0]


def test_one_task_gives_numbers_without_an_interval() -> None:
    (row,) = _rows([timed_attempt(2.0, gpu="A"), timed_attempt(1.0, gpu="B")], "hardware_ratio")
    assert row["median"] == 2.0 and row["median_low"] is None
    assert isinstance(row["worst_high"], float) and math.isfinite(row["worst_high"])
