"""A published problem at its published size, on the device where submissions are timed.

One process draws calls and answers them, two others are the baseline. All of it goes through the
memory that runners share with the bench server.
"""

import hashlib
import os
import socket
from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch

from kernelbenchx.problem_worker.draw_call import make_deterministic
from kernelbenchx.problem_worker.problem_source import ProblemSource
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import (
    ModuleCall,
    buffers_of,
    build_under_seed,
    constants_of,
    draw_weights,
    run_module,
    seeded_state,
)
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import DTYPES, ROUNDINGS, Precision
from kernelbenchx.worker.confine import CHANNEL
from kernelbenchx.worker.frames import read_all, unpack
from kernelbenchx.worker.modules import set_tf32
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import Bound
from kernelbenchx.worker.timing.loop import CallServer
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from kernelbenchx.worker.values import dtype_name, encode

EAGER, DRAW, ANSWER = "eager", "draw", "answer"
INPUTS, WEIGHTS = 0, 1
"""What a draw is asked for."""
ROUTES = ("drawn", "seeded", "seed alone")
"""As `Problem.weights`; a draw names one by its place."""


def serve(order_fd: int, result_fd: int) -> None:  # noqa: ARG001 - the form of all workers
    """Until the other side hangs up; what the file raises becomes the reply to a request."""
    (order,) = unpack(read_all(order_fd))
    os.close(order_fd)
    header = order.header
    torch.set_num_threads(1)
    set_tf32(header["precision"] == "tf32")
    # Contracts ask for sums in float32, also where a long one is split.
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    device = str(header["device"])
    program = PublishedProgram(header["source"], device, header["precision"])
    with socket.socket(fileno=CHANNEL) as channel:
        CallServer(channel, program, device).serve()


class PublishedProgram:
    """What a runner runs: the problem's own module, or calls of it and their answers."""

    def __init__(self, source: str, device: str, precision: Precision) -> None:
        self._source = ProblemSource(source)
        self._device = torch.device(device)
        self._precision = precision
        self._role = EAGER

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:  # noqa: ARG002 - same form for all
        """Take a role; nothing of the file runs before its first request."""
        self._role = str(plan.get("role", EAGER))

    def prepare(self, arguments: Arguments) -> None:
        self.bind(arguments)()

    def obstacle(self, arguments: Arguments) -> str:  # noqa: ARG002 - same form for all
        return "a reference is not replayed"

    def tune(self, arguments: Arguments) -> None:
        self.bind(arguments)()

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:  # noqa: ARG002
        """Of a baseline that nothing was compiled; else the form of a call and its results."""
        return ({} if self._role == EAGER else self._describe_call()), b""

    def bind(self, arguments: Arguments) -> Bound:
        if self._role == DRAW:
            return lambda: self._draw_tensors(*arguments.args[0].tolist())
        if self._role == ANSWER:
            return lambda: self._compute_answers(arguments)
        return SubmissionProgram(_eager(self._module.Model), "module").bind(arguments)

    def release(self) -> None:
        return

    @cached_property
    def _module(self) -> Any:
        return self._source.load({})

    @property
    def _dtype(self) -> torch.dtype:
        return DTYPES[self._precision]

    def _draw_tensors(self, seed: int, what: int, route: int) -> list[torch.Tensor]:
        """The tensors of one draw, in the order of their description."""
        found: list[torch.Tensor] = []

        def note(tensor: torch.Tensor) -> dict[str, Any]:
            found.append(tensor)
            return {}

        if what == INPUTS:
            encode(self._inputs(seed), note)
            return found
        init, state, _ = self._weights(seed, ROUTES[route])
        encode(init, note)
        return [*found, *state.values()]

    def _inputs(self, seed: int) -> tuple[Any, ...]:
        """As published: whatever the file draws, on the device."""
        torch.manual_seed(_stream(seed, "inputs"))
        with self._device:
            return tuple(self._move_to_device(one) for one in self._module.get_inputs())

    def _weights(
        self, seed: int, route: str = ROUTES[0]
    ) -> tuple[tuple[Any, ...], dict[str, torch.Tensor], tuple[str, ...]]:
        """Constructor arguments, weights, and names of those that are no parameters."""
        model, init = make_deterministic(self._module.Model), tuple(self._module.get_init_inputs())
        fresh = build_under_seed(seed, model, init, self._device)
        draw = Draw.from_seed(_stream(seed, "constants"), str(self._device))
        state = draw_weights(fresh, draw, self._dtype)
        if route != "drawn":  # on the host, where a submission draws its own
            own = {
                name: self._move_to_device(one)
                for name, one in seeded_state(seed, model, init).items()
            }
            given = () if route == "seed alone" else constants_of(model, init)
            state = own | {name: state[name] for name in given}
        return init, state, buffers_of(fresh)

    def _move_to_device(self, value: Any) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(self._move_to_device(one) for one in value)
        if not isinstance(value, torch.Tensor):
            return value
        return value.to(self._device, self._dtype if value.is_floating_point() else None)

    def _describe_call(self) -> dict[str, Any]:
        """The form of a call; the bench makes every call from this and from drawn tensors."""
        init, state, buffers = self._weights(0)
        given = self._inputs(0)
        call = ModuleCall(args=given, init=init, state=state, buffers=buffers)
        native = flatten(run_module(make_deterministic(self._module.Model), call))
        self._give_back()
        return {
            "args": encode(given, _form),
            "init": encode(init, _form),
            "state": {name: _form(one) for name, one in state.items()},
            "buffers": list(buffers),
            "leaves": [{"name": one.name, "kind": one.kind, **_form(one.value)} for one in native],
        }

    def _compute_answers(self, arguments: Arguments) -> list[torch.Tensor]:
        """What torch gives, what is true, and how far rounding every step moves each element."""
        model = make_deterministic(self._module.Model)
        call = ModuleCall(args=arguments.args, init=arguments.init, state=arguments.state)
        native = [leaf.value for leaf in flatten(run_module(model, call.copy()))]
        truth = [leaf.value for leaf in flatten(run_module(model, call.widen()))]
        scale = Intermediates(model, roundings=ROUNDINGS[self._precision])
        moves = scale.scale(call.widen(), 1.0)
        self._give_back()
        return [one.detach().to(self._device) for one in (*native, *truth, *moves)]

    def _give_back(self) -> None:
        """Free the memory that many steps in float64 needed."""
        if self._device.type == "cuda":
            torch.cuda.empty_cache()


def _eager(model: Callable[..., Any]) -> Callable[..., Any]:
    """The module as its author wrote it, with all its tensors on the device of the call."""
    moving: Any = make_deterministic(model)  # type: ignore[arg-type]
    return type("Eager", (moving,), {"forward": model.forward})  # type: ignore[attr-defined]


def _form(tensor: torch.Tensor) -> dict[str, Any]:
    return {
        "t": "tensor",
        "dtype": dtype_name(tensor.dtype),
        "shape": list(tensor.shape),
        "strides": list(tensor.stride()),
    }


def _stream(seed: int, purpose: str) -> int:
    """Inputs and constants that no other draw shares: as in `draw_call`."""
    digest = hashlib.sha256(f"{purpose} {seed}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
