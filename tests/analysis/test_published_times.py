"""What the paper says of times is shown as printed, with the card where it names one."""

import pytest

from kernelbenchx.analysis.published_times import list_gpus, round_rates, rounds, speed


def test_a_card_is_named_where_the_paper_names_it_and_nowhere_else() -> None:
    rows = speed().records()
    named = {(row["method"], row["source"]): row["on"] for row in rows}
    assert named["GEAK", "last round"] == "RTX 5090"
    assert [card for (_, source), card in named.items() if source == "Table 1"] == [None] * 5


def test_the_same_kernels_stand_in_two_places_with_two_means() -> None:
    both = [row for row in speed().records() if row["method"] == "GEAK"]
    assert [row["kernels"] for row in both] == [54, 54]
    assert [row["speedup"] for row in both] == [1.15, 1.44]


def test_rates_of_rounds_have_intervals() -> None:
    first, last = round_rates().records()
    assert (first["round"], last["round"]) == (0, 2)
    assert isinstance(first["correct_high"], float) and isinstance(last["correct"], float)
    assert first["correct_high"] < last["correct"]
    assert first["called"] == pytest.approx(0.523, abs=5e-4)


def test_the_last_mean_is_that_of_its_two_groups() -> None:
    last = rounds().records()[-1]
    assert last["mixed"] == pytest.approx(last["printed"], abs=0.005)
    assert last["score"] == pytest.approx(last["printed_score"], abs=0.0005)
    assert "RTX 5090" in rounds().about


def test_of_cards_only_what_is_printed() -> None:
    rows = list_gpus().records()
    assert [row["ratio"] for row in rows if row["ratio"]] == [2.15, 2.73, 21.4]
    assert {row["on"]: row["share"] for row in rows if row["share"]} == {
        "6 GPUs": 0.466,
        "A100-PCIE-40GB": 0.18,
        "L20": 0.76,
    }
