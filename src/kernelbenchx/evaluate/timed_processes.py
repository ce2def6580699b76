"""Processes that are timed: each has a channel, and is ended on leaving its context."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.stages import tf32_of
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.runner.orders import CallPlan, write_order
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.worker.limits import Limits

_ENTRY, _REPLAY = "timing", "replay"
_LIFE_S = 1800.0
FORK_S = 60.0


def replay_plan(device: str) -> CallPlan:
    """The plan of a replaying process, which is given no submission."""
    return CallPlan(
        mode=_REPLAY,
        source="",
        entries=(),
        form="function",
        language="triton",
        seed=0,
        calls=(),
        device=device,
    )


def entry_plan(attempt: EvaluationState, device: str, *, few_queues: bool = False) -> CallPlan:
    """The plan that loads a submission; `few_queues` if nothing of it runs in parallel."""
    return CallPlan(
        mode=_ENTRY,
        source=attempt.source,
        entries=attempt.entries,
        binding=attempt.binding,
        form=attempt.facts.form,
        language=attempt.submission.language,
        seed=0,
        calls=(),
        device=device,
        compiled=attempt.compiled,
        few_queues=few_queues,
        tf32=tf32_of(attempt.submission.task),
    )


@contextmanager
def open_timed_process(
    workers: Workers, plan: CallPlan, children: list[PendingChild]
) -> Iterator[RunnerClient]:
    """Open a process. One with a submission in it runs only while it handles a request."""
    ours, theirs = socket.socketpair()
    runner = RunnerClient(plan.mode, ours, plan.device, trusted=plan.mode == _REPLAY)
    with Scratch() as scratch, closing(runner):
        order, result = scratch.path / "order", scratch.result(plan.mode)
        with theirs:
            write_order(order, plan)
            pending: PendingChild = workers.zygotes["cuda"].start(
                order, result, _limits(workers), theirs.fileno()
            )
        children.append(pending)
        try:
            if not runner.trusted:
                process = pending.process(FORK_S)
                runner.process = -1 if process is None else process
            yield runner
        finally:
            pending.kill()
            pending.wait()


def _limits(workers: Workers) -> Limits:
    return Limits(
        wall_s=_LIFE_S,
        cpu_s=_LIFE_S,
        memory_bytes=workers.settings.memory_bytes,
        result_bytes=1 << 20,
    )
