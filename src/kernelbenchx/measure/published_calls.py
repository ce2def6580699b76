"""Calls of a published problem at its published size: drawn and answered in a separate process.

The problem's file runs in that process alone. Its replies are checked here, and trusted for that
problem only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.problem_worker.timed_program import ANSWER, DRAW, INPUTS, ROUTES, WEIGHTS
from kernelbenchx.runner import sanitize
from kernelbenchx.runner.problem_files import Found, read_untrusted
from kernelbenchx.spec.imported_problem import Answer, BadProblem
from kernelbenchx.spec.modules import ModuleCall
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.worker.timing.clocks import clock_of
from kernelbenchx.worker.timing.layout import Layout, align_up
from kernelbenchx.worker.values import BadValue, Decoder, Geometry

_QUICK_S, _SLOW_S = 60.0, 300.0
_NUMBERS = 3
"""Numbers that select a draw: a seed, what is drawn, and where weights come from."""
_MOST_TENSORS, _MOST_NAMES = 4096, 200
_LEAF_KINDS = ("tensor", "int", "float", "bool")
_NO_MEMORY = ("OutOfMemoryError", "SharingFailed")


@dataclass(frozen=True)
class LeafForm:
    """One result of the problem's module."""

    name: str
    kind: str
    form: Geometry


@dataclass(frozen=True)
class CallForm:
    """What all calls of the problem have in common."""

    args: tuple[Any, ...]
    """Tagged values; tensors are replaced by their form."""
    init: tuple[Any, ...]
    state: dict[str, Geometry]
    buffers: tuple[str, ...]
    leaves: tuple[LeafForm, ...]

    @classmethod
    def of(cls, header: dict[str, Any]) -> "CallForm":
        """A checked form: the process that reports it runs an untrusted file."""
        leaves = tuple(
            LeafForm(sanitize.text(one["name"], _MOST_NAMES), one["kind"], Geometry.of(one))
            for one in header["leaves"][:_MOST_TENSORS]
        )
        if not leaves or any(one.kind not in _LEAF_KINDS for one in leaves):
            raise BadProblem("its model returns something that is neither a tensor nor a number")
        return cls(
            args=tuple(header["args"]["v"]),
            init=tuple(header["init"]["v"]),
            state={
                sanitize.text(name, _MOST_NAMES): Geometry.of(one)
                for name, one in list(header["state"].items())[:_MOST_TENSORS]
            },
            buffers=tuple(sanitize.text(one, _MOST_NAMES) for one in header["buffers"]),
            leaves=leaves,
        )

    @property
    def inputs(self) -> list[Geometry]:
        """Forms of the tensors among the arguments."""
        return _tensors_in(self.args)

    @property
    def weights(self) -> list[Geometry]:
        """Forms of the tensors among constructor arguments, then of the weights."""
        return [*_tensors_in(self.init), *self.state.values()]

    @property
    def answers(self) -> list[Geometry]:
        """Forms of the results, of the truth, and of the effect of rounding."""
        own = [_contiguous(one.form) for one in self.leaves]
        wide = [_contiguous(one.form, wide=True) for one in self.leaves]
        moved = [_contiguous(one.form, wide=True, floating=True) for one in self.leaves]
        return [*own, *wide, *moved]

    @property
    def result_bytes(self) -> int:
        """Size of all results of one call."""
        return _count_bytes(_contiguous(one.form) for one in self.leaves)


class PublishedCalls:
    """Draws calls of one problem and answers them; one call at a time."""

    def __init__(self, helper: Callable[[], RunnerClient], device: str) -> None:
        self._helper = helper
        self._device = device
        self._weights: tuple[tuple[int, str], list[torch.Tensor]] | None = None

    @cached_property
    def form(self) -> CallForm:
        """Requested once: a draw of any seed has it."""
        header = self._ask_safely(self._ask_for_form)
        return read_untrusted(lambda: CallForm.of(header))

    def draw_call(self, inputs: int, weights: int, route: str = "drawn") -> ModuleCall:
        """Draw published inputs of one seed, and weights of another."""
        form = self.form
        given = iter(self._draw(inputs, INPUTS, ROUTES[0], form.inputs))
        args = tuple(_decode_value(one, given) for one in form.args)
        held = iter(self._draw_weights(weights, route))
        return ModuleCall(
            args=args,
            init=tuple(_decode_value(one, held) for one in form.init),
            state=dict(zip(form.state, held, strict=True)),
            buffers=form.buffers,
            weights_seed=None if route == "drawn" else weights,
            loads=route != "seed alone",
        )

    def answer(self, call: ModuleCall) -> Answer:
        """The results of a call of this problem, in the dtype of the call and in float64."""
        form = self.form
        found = describe_call(call)
        layout = layout_for(found, _count_bytes(form.answers), 1, "module")
        tensors = self._ask_safely(
            lambda: self._run_call(ANSWER, layout, found.storages, form.answers, _SLOW_S)
        )
        many = len(form.leaves)
        native, truth, moves = (tensors[at * many : (at + 1) * many] for at in range(3))
        for one, what in ((truth, "truth"), (moves, "budget")):
            if not all(bool(value.isfinite().all()) for value in one):
                raise BadProblem(f"its {what} is not finite at its published size")
        leaves = (
            Leaf(one.name, one.kind, value) for one, value in zip(form.leaves, native, strict=True)
        )
        return Answer(native=tuple(leaves), truth=tuple(truth), moves=tuple(moves))

    def _ask_for_form(self) -> dict[str, Any]:
        runner = self._helper()
        self._open(runner, DRAW, _seeds_layout(0))
        return runner.ask({"op": "record", "slot": 0}, _SLOW_S).header

    def _draw_weights(self, seed: int, route: str) -> list[torch.Tensor]:
        """Keep the weights of the last seed: all calls of a case have the same."""
        if self._weights is None or self._weights[0] != (seed, route):
            self._weights = (seed, route), self._draw(seed, WEIGHTS, route, self.form.weights)
        return self._weights[1]

    def _draw(
        self, seed: int, what: int, route: str, wanted: Sequence[Geometry]
    ) -> list[torch.Tensor]:
        layout = _seeds_layout(max(_count_bytes(self.form.inputs), _count_bytes(self.form.weights)))
        asked = torch.tensor([seed, what, ROUTES.index(route)]).view(torch.uint8)
        return self._ask_safely(lambda: self._run_call(DRAW, layout, (asked,), wanted, _QUICK_S))

    def _run_call(
        self,
        role: str,
        layout: Layout,
        storages: Sequence[torch.Tensor],
        wanted: Sequence[Geometry],
        limit_s: float,
    ) -> list[torch.Tensor]:
        """Make one call in the process, and copy its results."""
        runner, clock = self._helper(), clock_of(torch.device(self._device))
        self._open(runner, role, layout)
        runner.fill(0, storages)
        clock.synchronise()
        runner.run("once", limit_s)
        header = runner.ask({"op": "collect", "slot": 0}, limit_s).header
        found = read_untrusted(lambda: _read_results(header, runner.rooms[0], wanted))
        clock.synchronise()
        return found

    def _open(self, runner: RunnerClient, role: str, layout: Layout) -> None:
        if runner.layout != layout:
            runner.ask({"op": "load", "plan": {"role": role}}, _QUICK_S)
            runner.open(layout)

    def _ask_safely(self, ask: Callable[[], Found]) -> Found:
        """An error there is not the fault of a submission, nor of a timed runner."""
        try:
            return ask()
        except RunnerFailed as failed:
            if failed.kind in _NO_MEMORY:  # other processes may hold it: then it is retried
                raise torch.OutOfMemoryError(failed.message[:200]) from failed
            raise BadProblem(
                sanitize.printable(f"the problem's own file: {failed}"[:300])
            ) from failed


def _seeds_layout(outputs: int) -> Layout:
    seeds = {"t": "tensor", "storage": 0, "dtype": "int64", "shape": [_NUMBERS], "strides": [1]}
    call = {"args": [seeds], "kwargs": {}, "init": [], "state": {}}
    return Layout(call, (8 * _NUMBERS,), align_up(outputs), 1)


def _count_bytes(forms: Any) -> int:
    """Bytes for results stored one after the other, each contiguous."""
    return sum(align_up(_contiguous(one).last_byte()) for one in forms)


def _contiguous(form: Geometry, *, wide: bool = False, floating: bool = False) -> Geometry:
    """The same shape without gaps; `wide`: floating-point numbers in float64."""
    dtype = form.dtype
    if floating or (wide and dtype.is_floating_point):
        dtype = torch.float64
    shape = list(form.shape)
    return Geometry.of({"dtype": str(dtype).removeprefix("torch."), "shape": shape})


def _tensors_in(values: Sequence[Any]) -> list[Geometry]:
    found: list[Geometry] = []

    def note(one: dict[str, Any]) -> None:
        found.append(Geometry.of(one))

    decoder = Decoder(tensor=note, stand_in=_refuse)
    for value in values:
        decoder.decode(value)
    return found


def _decode_value(value: Any, tensors: Any) -> Any:
    return Decoder(tensor=lambda _: next(tensors), stand_in=_refuse).decode(value)


def _refuse(tag: str, _body: Any) -> Any:
    raise BadProblem(f"an argument is neither a tensor nor plain data ({tag})")


def _read_results(
    header: dict[str, Any], room: torch.Tensor, wanted: Sequence[Geometry]
) -> list[torch.Tensor]:
    """Copies with the described strides, each in memory of its own."""
    given = header["result"]["v"]
    forms = [(one.dtype, one.shape) for one in map(Geometry.of, given)]
    if forms != [(one.dtype, one.shape) for one in wanted]:
        raise BadProblem("two draws of it differ in form")
    tensors = [_in_room(one, room) for one in given]
    return [_copy_tensor(one, form) for one, form in zip(tensors, wanted, strict=True)]


def _in_room(one: dict[str, Any], room: torch.Tensor) -> torch.Tensor:
    at = sanitize.number(one["at"])
    if not 0 <= at <= room.numel():
        raise BadValue("a result lies outside its room")
    return Geometry.of(one).over(room[at:])


def _copy_tensor(tensor: torch.Tensor, form: Geometry) -> torch.Tensor:
    """Copy without gaps and repetitions in memory."""
    if form.last_byte() - form.offset * form.dtype.itemsize != tensor.numel() * form.dtype.itemsize:
        return tensor.clone()
    fresh = torch.empty_strided(form.shape, form.strides, dtype=form.dtype, device=tensor.device)
    return fresh.copy_(tensor)
