"""Whether a task is bound by memory or by arithmetic on a named GPU, by its data sheet."""

from collections import Counter
from collections.abc import Iterable

from kernelbenchx.analysis.attempt import gpu_name
from kernelbenchx.catalog.task_facts import task_facts
from kernelbenchx.core.errors import BadInput
from kernelbenchx.measure.spec_sheets import Sheet, sheet_of

STANDARD = "NVIDIA H200"
SHOWN = (STANDARD, "NVIDIA GeForce RTX 5090", "NVIDIA A100-PCIE-40GB", "NVIDIA H20", "NVIDIA L20")
"""GPUs that a list of tasks names."""
_RATES = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "int8": "int8",
}
_OTHERS = "fp32"


def find_sheet(gpu: str) -> Sheet:
    """Find a sheet by the name that torch gives, with or without the maker's."""
    for name in (gpu, f"NVIDIA {gpu}", f"NVIDIA GeForce {gpu}"):
        if (found := sheet_of(name)) is not None:
            return found
    raise BadInput(f"no data sheet of {gpu!r} is known; name a GPU such as {', '.join(SHOWN)}")


def gpu_of_runs(gpus: Iterable[str]) -> str:
    """The GPU that most attempts ran on, if its data sheet is known; else the standard one."""
    for gpu, _ in Counter(gpus).most_common():
        if sheet_of(gpu_name(gpu)) is not None:
            return gpu_name(gpu)
    return STANDARD


def ridge(sheet: Sheet, dtype: str) -> float:
    """Operations per byte at which memory and arithmetic take equal time, in a dtype."""
    rate = sheet.tflops.get(_RATES.get(dtype, _OTHERS), sheet.tflops[_OTHERS])
    return 1000.0 * rate / sheet.bandwidth_gb_per_s


def bound_on(task: str, gpu: str) -> str | None:
    """`memory` or `compute`, in the first dtype of the task; None if it is not known."""
    known = task_facts(task)
    return None if known is None else known.bound(ridge(find_sheet(gpu), known.dtypes[0]))


def bounds(tasks: Iterable[str], gpu: str) -> dict[str, str]:
    """The bounds of those tasks that are known."""
    found = {name: bound_on(name, gpu) for name in tasks}
    return {name: bound for name, bound in found.items() if bound is not None}
