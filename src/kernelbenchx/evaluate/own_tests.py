"""Runs a submission under a test of its own author, in a worker like any other submission.

The result is the word of a process that untrusted code could steer. It steers its author's next
step only: what a submission is worth is decided by an evaluation.
"""

import re
from contextlib import ExitStack
from dataclasses import dataclass, replace

from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.outcome import Broken, Stage
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.text import replace_surrogates
from kernelbenchx.core.trial import VOID, Trial
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.own_test_isolation import require_confined
from kernelbenchx.evaluate.pipeline import RETRIES, Pipeline
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.runner.endings import Ending, classify_ending
from kernelbenchx.runner.orders import CallPlan, WorkerReport, parse_report, write_order
from kernelbenchx.runner.sanitize import printable
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result
from kernelbenchx.worker.limits import MIB, Limits

MOST_OUTPUT = 4000
"""Characters, from the end: a traceback's last lines say most."""
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
MOST_TEXT = 400_000
"""Longest source or test that is run, in characters."""


@dataclass(frozen=True)
class OwnTest:
    """Two texts for one task."""

    task: str
    source: str
    test: str


def try_out(pipeline: Pipeline, wanted: OwnTest, wall_s: float) -> Trial:
    """Run the test in a fresh child; never raises for what the texts do."""
    require_confined(pipeline.workers.isolation.level)
    if max(len(wanted.source), len(wanted.test)) > MOST_TEXT:
        return Trial(passed=False, stage="load", detail=f"longer than {MOST_TEXT} characters")
    known, source, test = (
        facts(wanted.task),
        replace_surrogates(wanted.source),
        replace_surrogates(wanted.test),
    )
    plan = CallPlan(
        mode="own_test",
        source=source,
        test=test,
        entries=accepted_entries(known),
        form=known.form,
        language="triton",
        # Not the run's: what the test draws must say nothing about what the judge draws.
        seed=derive_seed(0, source, test) % (1 << 31),
        calls=(),
    )
    with ExitStack() as stack:
        kind = "interpret"
        if pipeline.gpu_slots is not None:
            card = stack.enter_context(pipeline.gpu_slots.assign_gpu())
            stack.enter_context(card.gate.acquire_shared())
            kind, plan = "cuda", replace(plan, device=card.device)
        for _ in range(RETRIES + 1):
            trial = _run_once(pipeline.workers, kind, plan, wall_s)
            if trial.stage != VOID:
                break
        return trial


def _run_once(workers: Workers, kind: str, plan: CallPlan, wall_s: float) -> Trial:
    limits = Limits(
        wall_s=wall_s,
        cpu_s=wall_s,
        memory_bytes=workers.settings.memory_bytes,
        result_bytes=MIB,
    )
    with Scratch() as scratch:
        order, result = scratch.path / "order", scratch.result("own_test")
        write_order(order, plan)
        ending = workers.zygotes[kind].run(order, result, limits)
        try:
            data = b"" if ending.lost else read_result(result, limit_bytes=limits.result_bytes)
        except OversizedResult:
            ending, data = replace(ending, over="result"), b""
    return _trial(ending, parse_report(data, plan, ()))


def _trial(ending: Ending, report: WorkerReport) -> Trial:
    output = _mask_volatile(printable(ending.log[-MOST_OUTPUT:])[-MOST_OUTPUT:])
    for error in report.errors:
        said = _mask_volatile(f"{error.kind}: {error.message}")
        return Trial(
            passed=False, stage=error.stage, detail=said, line=max(error.line, 0), output=output
        )
    if ending.clean and report.done:
        return Trial(passed=True, output=output)
    if ending.clean:
        said = "the process ended before its test did"
        return Trial(passed=False, stage="end", detail=said, output=output)
    found = classify_ending(replace(ending, seconds=0.0), Stage.CALL)
    stage = "end" if isinstance(found, Broken) else VOID
    return Trial(passed=False, stage=stage, detail=_mask_volatile(found.detail), output=output)


def _mask_volatile(said: str) -> str:
    """Mask times and addresses: prompts repeat the output, and a replayed run makes the same
    prompts."""
    return _ADDRESS.sub("0x...", said.replace(" (0.0 s)", ""))
