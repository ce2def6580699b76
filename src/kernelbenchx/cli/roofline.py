"""What no kernel can beat: bytes, operations and the least time of each timing case on a GPU."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import DataDependentOutputException

from kernelbenchx import catalog
from kernelbenchx.cli.number_format import factor, microseconds
from kernelbenchx.core.performance import Gpu
from kernelbenchx.generate.hardware import find_gpu
from kernelbenchx.measure.roofline import limit_us, rate_of
from kernelbenchx.measure.spec_sheets import Sheet, sheet_of
from kernelbenchx.spec import Call, Case, Task

SETS = (1, 8)
"""Over so many sets of arguments a time may be a mean; the L2 keeps the writes of one."""


def limits_table(name: str, gpu: str) -> Table:
    """By the data sheet alone: what a GPU measures can only lower a limit."""
    card = find_gpu(gpu)
    sheet = sheet_of(card)
    assert sheet is not None, card
    title = f"{sheet.title}, {sheet.bandwidth_gb_per_s:g} GB/s, L2 of {sheet.l2_mib} MiB"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("case", overflow="fold")
    for column in ("MB", "GFLOP", "rate", "least us", f"of {SETS[1]} sets"):
        table.add_column(column, justify="right")
    task = catalog.load(name)
    for case in task.timings:
        table.add_row(*map(Text, (case.name, *_cells(name, task, case, sheet))))
    return table


def _cells(name: str, task: Task, case: Case, sheet: Sheet) -> Iterator[str]:
    cost = task.cost(**case.params)
    rate = rate_of(name, task, _arguments(task, case))
    gpu = Gpu(name=sheet.title, l2_bytes=sheet.l2_mib << 20)
    yield factor(cost.bytes / 1e6)
    yield factor(cost.flops / 1e9)
    yield rate
    for sets in SETS:
        yield microseconds(limit_us(cost, rate, gpu, sheet, sets=sets))


def _arguments(task: Task, case: Case) -> Call:
    """Without their values; with them where drawing looks at a value."""
    try:
        with FakeTensorMode():
            return task.draw(case, 1)
    except DataDependentOutputException:
        return task.draw(case, 1)
