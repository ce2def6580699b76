"""Times of eager as the published benchmark stores them: 184 tasks, six GPUs, every size.

`published_times.json` has, by `category/name`, the published rows of sizes and the median times of
eager in nanoseconds, as of version fd41922. The times of the L20 are a copy of those of the
RTX 5090 but for `math/asin` and `math/zeta`, so the file has only these two. An L20 cannot reach
them: 1742 GB/s for relu, where its peak is 864 GB/s. A row that did not run on a GPU is missing
there, and is the last.
"""

from functools import cache
from pathlib import Path
from typing import Any

from kernelbenchx.catalog.published_sizes import SIZES, case_names
from kernelbenchx.core.record import Record, from_json

GPUS = {
    "5090": "RTX 5090",
    "4090": "RTX 4090",
    "a100": "A100-PCIE-40GB",
    "h20": "H20",
    "h800": "H800 PCIe",
    "l20": "L20",
}
"""As the published benchmark calls its folders of times, and what the paper calls the GPU."""
DEFAULT_GPU = "5090"
"""The GPU whose times the published benchmark takes by default."""
COPIED, COPY_OF = "l20", "5090"
"""The times of the first are a copy of those of the second, but for two tasks."""
BESIDE_THE_PAPER = frozenset(
    (
        *(
            f"activation/{name}_{kind}"
            for name in ("relu", "sigmoid", "tanh")
            for kind in ("bf16", "fp16")
        ),
        "math/mul_bf16",
        "math/mul_fp16",
    )
)
"""Tasks with published times that are none of the 176 of the paper."""
ALL_SIZES = "all published sizes"
"""In place of a case, where only a total over the rows of a task is known."""
_FILE = Path(__file__).parent / "published_times.json"
_NS_PER_MS = 1e6


class PublishedTask(Record, frozen=True, kw_only=True):
    """The rows of one task, and times by GPU."""

    rows: tuple[tuple[Any, ...], ...]
    """By row the shapes and numbers that a call has, in the published order."""
    ns: dict[str, tuple[int, ...]]


def published_tasks() -> tuple[str, ...]:
    """All tasks that have published times, as `category/name`."""
    return tuple(_tasks())


def published_rows(task: str) -> tuple[tuple[Any, ...], ...]:
    """Shapes and numbers of each row of a task, in the published order; empty where it has none."""
    known = _tasks().get(task)
    return () if known is None else known.rows


def eager_ms(task: str, gpu: str) -> tuple[float, ...]:
    """Times of the rows of a task, in their order; shorter than the rows where the last failed."""
    known = _tasks()[task].ns
    times = known[COPY_OF if gpu == COPIED and gpu not in known else gpu]
    return tuple(one / _NS_PER_MS for one in times)


@cache
def rows_by_case(task: str) -> dict[str, tuple[int, ...]]:
    """Which published rows each timing case of `--sizes published` stands for.

    Equal rows are one case. Empty for tasks without such cases.
    """
    if task not in SIZES:
        return {}
    rows, names = published_rows(task), case_names(task)
    first = [rows.index(row) for row in rows]
    distinct = sorted(set(first))
    return {
        name: tuple(place for place, one in enumerate(first) if one == at)
        for name, at in zip(names, distinct, strict=True)
    }


@cache
def _tasks() -> dict[str, PublishedTask]:
    return from_json(_FILE.read_bytes(), dict[str, PublishedTask])
