"""Opens the stages over warm workers, and ends everything that they started."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.evaluate.imported_problems import problem_sandbox
from kernelbenchx.evaluate.machine import torch_sees_gpu
from kernelbenchx.evaluate.zygotes import open_zygotes
from kernelbenchx.worker.gc_control import loading

if TYPE_CHECKING:
    from kernelbenchx.evaluate.gpu_slots import GpuSlots
    from kernelbenchx.evaluate.pipeline import Pipeline
    from kernelbenchx.evaluate.time_limits import RunNotes


class StageListener(Protocol):
    """Receives what the stages do; called from several threads."""

    def tell(self, submission: str, stage: str, /) -> None: ...

    def note(self, words: str, /) -> None: ...


@contextmanager
def open_pipeline(
    ground: EvaluationProvenance,
    hearing: StageListener,
    notes: "RunNotes",
    run: str = "",
    *,
    start: bool = True,
) -> "Iterator[Pipeline]":
    """The stages; loads torch. `run` names the run for processes that wait for a GPU.

    With `start` the warm workers load torch while this process loads it, otherwise with their first
    order.
    """
    settings = ground.settings
    with ExitStack() as stack:
        zygotes = stack.enter_context(open_zygotes(settings, ground.isolation))
        for zygote in zygotes.values() if start else ():
            zygote.start_parent()
        with loading("torch"):
            import torch

            from kernelbenchx.evaluate.ahead_compiler import AheadCompiler
            from kernelbenchx.evaluate.pipeline import Pipeline
            from kernelbenchx.evaluate.submission_timing import Timing
            from kernelbenchx.evaluate.time_limits import TimeLimits
            from kernelbenchx.evaluate.workers import Workers

        if settings.device == "cuda" and not torch_sees_gpu():
            raise BadInput("there is a GPU, but this torch cannot use it: is the driver too old?")
        # Several submissions are judged at once; threads inside each would only spin.
        torch.set_num_threads(1)
        workers = Workers(zygotes, settings, ground.isolation)
        sandbox = stack.enter_context(problem_sandbox(ground.isolation, settings.jobs))
        timing, cards = Timing(workers), _open_gpu_slots(ground, hearing, run)
        # What used a GPU takes a while to end, so end all of it at once.
        ending = threading.Thread(target=cards.close if cards is not None else None)
        for step in (ending.join, timing.close, ending.start):  # run in reverse order
            stack.callback(step)
        known = (workers, ground.seed, ground.environment, hearing.tell, cards, timing)
        yield Pipeline(*known, AheadCompiler(workers), sandbox, time_limits=TimeLimits(notes))


def _open_gpu_slots(
    ground: EvaluationProvenance, hearing: StageListener, run: str
) -> "GpuSlots | None":
    from kernelbenchx.evaluate.gpu_slots import GpuSlots

    if ground.settings.device != "cuda":
        return None
    return GpuSlots.of(ground.settings, ground.seed, run, hearing.note)
