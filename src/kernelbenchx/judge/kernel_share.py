"""The share of a task's operations that kernels do where torch does some beside them.

What torch did in a call is compared with what torch does in eager execution of the same call.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.judge.authorship import is_computing
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.imported_problem import ImportedProblem
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.data_flow import MOVED
from kernelbenchx.worker.dispatch import Mode
from kernelbenchx.worker.operator_work import count_work

MOST_BY_TORCH = 0.9
"""From this share on, an answer is torch's."""


@dataclass(frozen=True)
class CallShares:
    """Shares of kernels and torch in the calls of a submission."""

    share: float | None
    """Of the operations of all calls, by kernels; None where there is nothing to compute."""
    by_torch: frozenset[int]
    """Calls in which torch did nearly all."""


def find_share(
    task: Task, traced: Mapping[int, tuple[Call, dict[str, Any]]], *, data_movement: bool
) -> CallShares:
    """From the arguments and the trace of each call."""
    whole, by_torch = {}, {}
    for number, (call, trace) in traced.items():
        whole[number] = most = _work_of_eager(task, call)
        by_torch[number] = min(most, _work_of_torch(trace, data_movement, most))
    total = sum(whole.values())
    nearly_all = {n for n, most in whole.items() if most and by_torch[n] >= MOST_BY_TORCH * most}
    share = 1.0 - sum(by_torch.values()) / total if total else None
    return CallShares(share, frozenset(nearly_all))


def _work_of_torch(trace: dict[str, Any], data_movement: bool, most: int) -> int:
    """Work that torch did: bytes of what is no operator; everything where an amount is unknown."""
    ops, work = trace.get("ops", {}), trace.get("work", {})
    names = [n for n in ops if is_computing(n) and (n != MOVED or data_movement)]
    done = sum(work.get(n, 0 if n.startswith("aten.") else ops[n]) for n in names)
    return done or (most if names else 0)


def _work_of_eager(task: Task, call: Call) -> int:
    """Where eager cannot be called here, or only moves elements, the elements of its largest
    tensor."""
    largest = max((one.numel() for one in call.tensors()), default=0)
    if isinstance(task, ImportedProblem):
        return largest
    try:
        with _WorkCount() as count, torch.no_grad():  # type: ignore[no-untyped-call]
            task.outputs(task.baseline, call.copy().concrete(None))
    except Exception:  # noqa: BLE001 - some calls are valid for the reference alone
        return largest
    return sum(count.work.values()) or largest


class _WorkCount(Mode):  # type: ignore[no-untyped-call]
    """Adds up the work of operators that compute."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.work: Counter[str] = Counter()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        del types
        result, name = func(*args, **(kwargs or {})), str(func)
        if is_computing(name):
            self.work[name] += count_work(name, (args, kwargs), result)
        return result
