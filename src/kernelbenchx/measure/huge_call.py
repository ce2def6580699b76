"""Judges the call of a task with more than 2^31 elements, on slices; the submission makes it once.

A kernel whose index is an int32 is right at every timed size and wrong here.
"""

import gc
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import torch

from kernelbenchx.core.huge import HugeResult, HugeState, make_not_judged
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.measure.output_judging import (
    SENSELESS_ANSWER,
    describe_failure,
    read_returned,
    worst_of,
)
from kernelbenchx.measure.output_sampling import POISON, SampledOutput, read_description
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed, awake
from kernelbenchx.runner import sanitize
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.huge_call import INT32, HugeCall
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Outputs, Task
from kernelbenchx.worker.timing.layout import Layout, align_up
from kernelbenchx.worker.timing.shared_memory import SharingFailed

NO_CALL = "the task declares no call of that size"
NO_GPU = "there is no GPU"
_SLICE = 1024
"""Elements of one slice; a slice has at least one entry."""
_DRAWN = 12
"""Slices at positions that the seed draws, beside those at the ends and around the threshold."""
_PERIOD = 1 << 20
"""About so many elements are drawn and tiled. The number is odd, so no power of two is a multiple
of it: a wrapped index reads another value."""
COPIES = 2
"""Arguments exist in the judge and in shared memory, results there and in the submission."""
PLENTY = 3
"""Multiple of the needed memory: with so much free, running out of it is the submission's fault."""
_CALL_S, _COMPILE_S = 20.0, 120.0
OUT_OF_MEMORY = ("OutOfMemoryError", "SharingFailed")


@dataclass(frozen=True)
class HugeCallJudge:
    """The huge call of one task, and the seed for its values and slices."""

    task: Task
    call: HugeCall
    seed: int
    device: str
    rung: Rung
    threshold: int = INT32

    @property
    def case(self) -> Case:
        """The whole call."""
        return self.call.case(self.threshold)

    @property
    def entries(self) -> int:
        """Entries of the first dimension."""
        return int(self.case.params["shape"][0])

    def judge(self, runner: RunnerClient) -> HugeResult:
        """Judge the call made in the submission's process; other memory of the runner is released
        before."""
        with awake(runner):
            runner.release()
        gc.collect()  # what was timed before holds memory, too
        need, free = self._needed_bytes(), free_bytes(self.device)
        if free < need:
            gigabytes = f"{need / 1e9:.0f} GB, {free / 1e9:.0f} GB are free"
            return make_not_judged(f"it needs {gigabytes} on the GPU", self.case.name)
        try:
            return self._call_and_judge(runner)
        except RunnerFailed as failed:
            if failed.kind in OUT_OF_MEMORY and free < PLENTY * need:
                return make_not_judged(f"no memory left: {failed.message}", self.case.name)
            return self._make_result(describe_failure(self.case.name, failed))
        except (torch.OutOfMemoryError, SharingFailed) as error:
            return make_not_judged(f"the judge had no memory left: {error}", self.case.name)
        finally:
            with awake(runner):
                runner.release()

    def _call_and_judge(self, runner: RunnerClient) -> HugeResult:
        call = self._draw_call()
        places = self._places()
        layout = self._layout(call)
        with awake(runner):
            runner.open(layout)
            runner.fill(0, describe_call(call).storages)
            runner.rooms[0].fill_(POISON)
            _wait(self.device)
            runner.ask({"op": "tune"}, _COMPILE_S)
            runner.run("batch", _CALL_S)
        taken = SampledOutput(
            runner.name,
            call,
            read_description(runner, 0),
            runner.rooms[0],
            tuple(runner.inputs[0]),
            None,
        )
        try:
            whole = read_returned(self.task, taken, taken.room)
        except SENSELESS_ANSWER as error:
            detail = f"the answer is unreadable: {sanitize.printable(str(error)[:200])}"
            return self._make_result(self._make_failure(runner, Reason.MALFORMED, detail))
        for start in places:
            wrong = self._judge_slice(start, call, whole, runner)
            if wrong is not None:
                return self._make_result(wrong)
        return HugeResult(state=HugeState.PASSED, case=self.case.name, slices=len(places))

    def _judge_slice(
        self, start: int, call: Call, whole: CallResult, runner: RunnerClient
    ) -> Failed | None:
        """Judge one slice by the task's own reference and contract, as if it were a call of its
        own."""
        asked = call.map_tensors(lambda tensor: self._slice(tensor, start))
        for output in _tensors(whole.result):
            if output.dim() == 0 or output.shape[0] != self.entries:
                detail = f"the result has shape {tuple(output.shape)}, not {self.entries:,} entries"
                return self._make_failure(runner, Reason.BAD_SHAPE, detail)
        own = replace(
            whole,
            result=self._cut(whole.result, start),
            after=whole.after.map_tensors(lambda tensor: self._slice(tensor, start)),
        )
        truth = truth_of(self.task, asked, self.device)
        found = judge_case(self.task, self.case, asked, [own], self.rung, truth)
        if not isinstance(found, Wrong):
            return None
        detail = worst_of(_shift_index(found, start))
        if found.worst is not None:
            detail += " of a slice"
        return self._make_failure(runner, found.reason, detail)

    def _cut(self, result: Any, start: int) -> Any:
        """A slice of a result, or of each result of several."""
        if isinstance(result, tuple | list):
            return tuple(self._cut(one, start) for one in result)
        return self._slice(result, start) if isinstance(result, torch.Tensor) else result

    def _slice(self, tensor: torch.Tensor, start: int) -> torch.Tensor:
        return tensor.narrow(0, start, self._width).clone()

    @property
    def _width(self) -> int:
        return max(1, _SLICE // self.call.columns)

    def _places(self) -> list[int]:
        """Where slices start: both ends, around the threshold, and positions that the seed
        draws."""
        last, edge = self.entries - self._width, self.threshold // self.call.columns
        chance = random.Random(derive_seed(self.seed, "slices"))
        drawn = (chance.randrange(last) for _ in range(_DRAWN))
        fixed = (0, edge - self._width, edge, edge + 1, last)
        return sorted({max(0, min(start, last)) for start in (*fixed, *drawn)})

    def _draw_call(self) -> Call:
        """Draw a block of random values and tile it over every tensor."""
        period = min(_PERIOD, self.threshold >> 5) | 1
        block = self.call.make_case(math.ceil(period / self.call.columns))
        small = self.task.draw(block, derive_seed(self.seed, "values") % INT32, self.device)
        shape = self.case.params["shape"]
        return small.map_tensors(lambda tensor: _tile(tensor.flatten()[:period], shape))

    def _sample(self) -> tuple[Call, Outputs]:
        """A slice and its result, whose sizes say how large the whole is."""
        call = self.task.draw(self.call.make_case(self._width), 0, self.device)
        return call, self.task.native(call, self.device)

    def _output_bytes(self, outputs: Outputs) -> int:
        leaves = [leaf.value for leaf in outputs.leaves[: outputs.returned]]
        sizes = (one.numel() // self._width * one.dtype.itemsize for one in leaves)
        return sum(align_up(size * self.entries) for size in sizes)

    def _needed_bytes(self) -> int:
        call, outputs = self._sample()
        slice_bytes = sum(tensor.numel() * tensor.dtype.itemsize for tensor in call.tensors())
        whole = slice_bytes // self._width * self.entries
        return COPIES * (whole + self._output_bytes(outputs))

    def _layout(self, call: Call) -> Layout:
        _, outputs = self._sample()
        return layout_for(describe_call(call), self._output_bytes(outputs), 1, self.task.form)

    def _make_failure(self, runner: RunnerClient, reason: Reason, detail: str) -> Failed:
        return Failed(case=self.case.name, reason=reason, detail=detail, process=runner.name)

    def _make_result(self, found: Failed) -> HugeResult:
        return HugeResult(
            state=HugeState.FAILED,
            case=found.case,
            reason=found.reason,
            detail=f"with more than 2^31 elements: {found.detail}"[:1000],
            process=found.process,
        )


def judge_huge_call(
    task: Task, entries: Sequence[RunnerClient], seed: int, device: str, threshold: int | None
) -> HugeResult:
    """Judge a submission that is right in all other cases; without a threshold no call is made."""
    if task.huge is None:
        return make_not_judged(NO_CALL)
    if threshold is None:
        return make_not_judged(NO_GPU, task.huge.case().name)
    rung: Rung = "cuda" if device.startswith("cuda") else "interpreter"
    return HugeCallJudge(task, task.huge, seed, device, rung, threshold).judge(entries[0])


def _tensors(result: Any) -> list[torch.Tensor]:
    each = result if isinstance(result, tuple | list) else (result,)
    return [one for one in each if isinstance(one, torch.Tensor)]


def _tile(block: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    whole = torch.empty(tuple(shape), dtype=block.dtype, device=block.device)
    flat, count = whole.view(-1), whole.numel() // block.numel()
    even = count * block.numel()
    flat[:even].view(count, -1).copy_(block)
    flat[even:].copy_(block[: flat.numel() - even])
    return whole


def _shift_index(found: Wrong, start: int) -> Wrong:
    """Shift the index of the worst element to its index in the whole result."""
    worst = found.worst
    if worst is None or not worst.index:
        return found
    index = (worst.index[0] + start, *worst.index[1:])
    return msgspec.structs.replace(found, worst=msgspec.structs.replace(worst, index=index))


def free_bytes(device: str) -> float:
    """Free bytes on the GPU; a host has enough."""
    if not device.startswith("cuda"):
        return math.inf
    torch.cuda.empty_cache()
    return float(torch.cuda.mem_get_info(torch.device(device))[0])


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize(torch.device(device))
