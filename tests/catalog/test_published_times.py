"""Published times are read as they are stored, and the copied column is known as such."""

import json
from pathlib import Path

import pytest

from kernelbenchx.catalog import PUBLISHED_CATEGORIES
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.catalog.published_times import (
    COPIED,
    COPY_OF,
    DEFAULT_GPU,
    GPUS,
    eager_ms,
    published_rows,
    published_tasks,
    rows_by_case,
)

TIMINGS = "data/published_eager_timings.jsonl"
NEVER_COPIED = {"math/asin", "math/zeta"}
SHORTER = {
    ("fusion/fused_add_mul_groupnorm", "4090"),
    ("fusion/fused_avg_pool2d_cosine_similarity", "4090"),
    ("fusion/fused_instance_norm_selu_conv2d", "4090"),
    ("fusion/fused_instance_norm_selu_conv2d", "a100"),
    ("fusion/fused_layer_norm_relu_linear", "4090"),
    ("fusion/fused_pairwise_distance_adaptive_avg_pool2d", "4090"),
    ("fusion/fused_pairwise_distance_normalize", "4090"),
    ("fusion/fused_relu_max_pool2d_conv2d", "4090"),
}
"""Where one row fewer ran than there are sizes."""


def test_every_time_is_the_published_one(shared: Path) -> None:
    lines = (shared / TIMINGS).read_text(encoding="utf-8").splitlines()
    kept = {published: kept for kept, published in PUBLISHED_CATEGORIES.items()}
    seen = set()
    for row in map(json.loads, lines):
        name = f"{kept[row['category']]}/{row['name']}"
        seen.add(name)
        assert {gpu: list(eager_ms(name, gpu)) for gpu in GPUS} == row["eager_ms"]
        if name != "random/logspace":  # The data says only that it is a number.
            assert [list(one) for one in published_rows(name)] == row["input_sizes"]
    assert seen == set(published_tasks()) and len(seen) == 184


def test_a_time_is_in_milliseconds_of_its_gpu() -> None:
    assert eager_ms("activation/gelu", "5090")[-1] == 0.70912
    assert eager_ms("activation/gelu", "4090")[-1] == 1.171456
    assert published_rows("random/logspace")[0] == (4096,)
    assert published_rows("level1/relu") == (), "no task of that benchmark"
    with pytest.raises(KeyError):
        eager_ms("level1/relu", DEFAULT_GPU)
    with pytest.raises(KeyError):
        eager_ms("activation/gelu", "h200")


def test_the_l20_has_the_times_of_another_gpu_for_all_tasks_but_two() -> None:
    def differ(one: str, other: str) -> set[str]:
        return {task for task in published_tasks() if eager_ms(task, one) != eager_ms(task, other)}

    assert differ(COPIED, COPY_OF) == NEVER_COPIED
    assert len(differ("h20", COPY_OF)) == len(published_tasks()), "other GPUs were measured"


def test_a_gpu_lacks_the_last_row_of_few_tasks() -> None:
    shorter = {
        (task, gpu)
        for task in published_tasks()
        for gpu in GPUS
        if len(eager_ms(task, gpu)) < len(published_rows(task))
    }
    assert shorter == SHORTER
    for task, gpu in shorter:
        assert len(eager_ms(task, gpu)) == len(published_rows(task)) - 1
        # Times by size rise as on a GPU that has all rows: none in the middle is missing.
        whole = eager_ms(task, "h800")
        ratios = [one / other for one, other in zip(eager_ms(task, gpu), whole, strict=False)]
        assert max(ratios) < 3 * min(ratios)


def test_equal_rows_are_one_case() -> None:
    assert list(rows_by_case("activation/combined_activation").values()) == [
        (0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11),
    ]  # fmt: skip
    assert list(rows_by_case("activation/relu").values()) == [(row,) for row in range(16)]
    assert rows_by_case("random/logspace")["steps=8192,dtype=float32,ends=(0.0,10.0)"] == (1,)
    assert rows_by_case("fusion/fused_hstack_div") == {}, "no such case yet"
    for task in SIZES:
        rows = [row for own in rows_by_case(task).values() for row in own]
        assert sorted(rows) == list(range(len(published_rows(task))))
