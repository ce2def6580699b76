"""Print what no kernel can beat: bytes, operations and the limit of every timing case on one card.

    python scripts/limits_table.py [H200 [L2_MB]]

From the data sheet alone, so no card is needed; what a card measures can only lower a limit.
"""

import sys

from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import DataDependentOutputException

from kernelbenchx import catalog
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.performance import Gpu
from kernelbenchx.generate.hardware import card_named
from kernelbenchx.measure.roofline import limit_us, rate_of
from kernelbenchx.measure.spec_sheets import Sheet, sheet_of
from kernelbenchx.spec import Call, Case, Cost, Task


def main() -> None:
    """One row per timing case, in Markdown."""
    name, l2_mb = (*sys.argv[1:], *("NVIDIA H200", "60")[len(sys.argv) - 1 :])
    try:
        name = card_named(name)
    except BadInput as error:
        sys.exit(str(error))
    sheet = sheet_of(name)
    assert sheet is not None, name
    card = Gpu(name=name, l2_bytes=int(float(l2_mb) * 1e6))
    print(f"{sheet.title}, {sheet.bandwidth_gb_per_s:g} GB/s, L2 of {l2_mb} MB\n")
    print("| task | case | MB | GFLOP | rate | limit us | of 8 sets, us |")
    print("|---|---|---|---|---|---|---|")
    for task_name in catalog.function_names():
        for case in catalog.load(task_name).timings:
            print(f"| {task_name} | {case.name} | {row(task_name, case, card, sheet)} |")


def row(name: str, case: Case, card: Gpu, sheet: Sheet) -> str:
    """Cost, rate and limits of one case."""
    task = catalog.load(name)
    cost: Cost = task.cost(**case.params)
    rate = rate_of(name, task, drawn(task, case))
    limits = [limit_us(cost, rate, card, sheet, sets=sets) for sets in (1, 8)]
    cells = (cost.bytes / 1e6, cost.flops / 1e9)
    return " | ".join([*(f"{x:.4g}" for x in cells), rate, *(f"{x:.2f}" for x in limits)])


def drawn(task: Task, case: Case) -> Call:
    """The arguments without their values; with them where drawing looks at a value."""
    try:
        with FakeTensorMode():
            return task.draw(case, 1)
    except DataDependentOutputException:
        return task.draw(case, 1)


if __name__ == "__main__":
    main()
