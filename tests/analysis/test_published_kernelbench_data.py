"""KernelBench's printed numbers are complete, and say the same in both places."""

from kernelbenchx.analysis.published_kernelbench_data import (
    BY_GPU,
    GPU,
    KINDS,
    LEVELS,
    SAMPLED_AT_10,
    SAMPLED_AT_100,
    TABLE_1,
    TABLE_2,
)


def test_every_model_has_every_level_and_every_kind_of_feedback() -> None:
    assert sum(LEVELS.values()) == 250
    assert {len(row) for row in (*TABLE_1.values(), *SAMPLED_AT_10.values())} == {len(LEVELS)}
    for by_level in TABLE_2.values():
        assert tuple(by_level) == tuple(LEVELS)
        assert {len(row) for row in by_level.values()} == {len(KINDS)}
    assert set(TABLE_2) < set(TABLE_1)


def test_numbers_that_are_printed_twice_are_equal() -> None:
    model, level, once, _ = SAMPLED_AT_100
    assert TABLE_1[model][level - 1] == once
    model, level, by_gpu = BY_GPU
    assert TABLE_1[model][level - 1] == by_gpu[GPU]
