"""What the papers print, for any run: their tables, and speed by their formulas."""

from collections.abc import Sequence

from kernelbenchx.analysis import paper_categories, paper_levels, paper_tables, paper_times
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.paper_sums import stored_gpu_for
from kernelbenchx.analysis.table import Table


def tables(
    attempts: Sequence[Attempt], stored_gpu: str = "", frame: AttemptFrame | None = None
) -> list[Table]:
    """`stored_gpu`: whose published eager times are taken; that of the runs where it is known."""
    frame = frame or frame_of(attempts)
    gpu = stored_gpu or stored_gpu_for(one.gpu for one in attempts)
    theirs = paper_tables.of_the_paper(frame.last)
    kernels = paper_times.summed_kernels(frame.last, gpu)
    return [
        paper_tables.overall(theirs),
        *paper_categories.tables(theirs),
        *paper_levels.tables(frame),
        paper_times.by_method(kernels),
        paper_times.by_task(kernels),
    ]
