"""Checks a plan that came out of a sandbox; an invalid plan gives a reason in words."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kernelbenchx.replay.cubin import BadCubin, kernels_in
from kernelbenchx.replay.schema import (
    MOST_ALLOCATED_BYTES,
    MOST_BINARY_BYTES,
    MOST_BYTES,
    MOST_CUBIN_BYTES,
    Allocation,
    ArgumentBuffer,
    Copy,
    Fill,
    LaunchStep,
    Number,
    Pointer,
    ReplayPlan,
    View,
)
from kernelbenchx.worker.values import BadValue, Decoder, Geometry

ALIGNMENT = 16
MOST_GRID = (2**31 - 1, 65535, 65535)
MOST_SHARED_BYTES = 227 << 10
MOST_REASON = 200


class _Bad(Exception):
    """What is wrong with a plan."""


def validate_plan(document: Any, binaries: bytes, storages: Sequence[int]) -> ReplayPlan | str:
    """The plan, or why it is invalid; never raises.

    `storages` are the sizes of the call's storages, each of which begins at a multiple of 16.
    """
    try:
        plan = msgspec.convert(document, ReplayPlan)
        _Checks(plan, _split(plan, binaries), storages).all()
    except _Bad as bad:
        return f"a plan that cannot be: {bad}"
    except (msgspec.ValidationError, BadCubin, BadValue) as error:
        return printable(f"a plan that cannot be: {error}")
    except RecursionError:
        return "a plan that cannot be: it is nested too deeply"
    return plan


def printable(text: str) -> str:
    """A short text without terminal control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:MOST_REASON])


def _split(plan: ReplayPlan, binaries: bytes) -> dict[str, bytes]:
    if len(binaries) > MOST_BINARY_BYTES:
        raise _Bad("its binaries are too large")
    if sum(size for _, size in plan.cubins) != len(binaries):
        raise _Bad("the sizes of its binaries are not what came")
    found, start = {}, 0
    for digest, size in plan.cubins:
        found[digest] = binaries[start : start + size]
        start += size
        if size > MOST_CUBIN_BYTES or hashlib.sha256(found[digest]).hexdigest() != digest:
            raise _Bad("a binary is not what its digest says")
    if len(found) != len(plan.cubins):
        raise _Bad("a binary comes twice")
    return found


class _Checks:
    def __init__(
        self, plan: ReplayPlan, cubins: Mapping[str, bytes], storages: Sequence[int]
    ) -> None:
        self._plan = plan
        self._storages = storages
        self._functions = {digest: kernels_in(cubin) for digest, cubin in cubins.items()}

    def all(self) -> None:
        self._arguments()
        self._allocations()
        for step in self._plan.steps:
            if isinstance(step, LaunchStep):
                self._launch(step)
            elif isinstance(step, Copy):
                self._copy(step)
            else:
                self._fill(step)
        if set(self._functions) != {launch.cubin for launch in self._plan.launches}:
            raise _Bad("a binary that no launch needs")
        Decoder(tensor=self._leaf, stand_in=_refuse_tag).decode(self._plan.result)

    def _arguments(self) -> None:
        arguments = [one for one in self._plan.buffers if isinstance(one, ArgumentBuffer)]
        for one in arguments:
            if one.storage >= len(self._storages) or self._storages[one.storage] != one.nbytes:
                raise _Bad("an argument that the call does not have")
        if len({one.storage for one in arguments}) != len(arguments):
            raise _Bad("an argument that comes twice")

    def _allocations(self) -> None:
        made = sum(one.nbytes for one in self._plan.buffers if isinstance(one, Allocation))
        scratch = sum(scratch_bytes(launch) for launch in self._plan.launches)
        if made + scratch > MOST_ALLOCATED_BYTES:
            raise _Bad("it allocates too much memory")

    def _size(self, buffer: int) -> int:
        if buffer >= len(self._plan.buffers):
            raise _Bad("a buffer that does not exist")
        return self._plan.buffers[buffer].nbytes

    def _view(self, view: View) -> Geometry:
        geometry = Geometry.of(
            {
                "dtype": view.dtype,
                "shape": list(view.shape),
                "strides": list(view.strides),
                "offset": view.offset,
            }
        )
        if geometry.last_byte() > self._size(view.buffer):
            raise _Bad("a tensor reaches beyond its buffer")
        return geometry

    def _leaf(self, described: dict[str, Any]) -> None:
        fields = {name: value for name, value in described.items() if name != "t"}
        self._view(msgspec.convert(fields, View))

    def _target(self, view: View) -> None:
        self._view(view)
        # An element that is written twice would hold whichever came last.
        sides = sorted(
            (stride, size)
            for stride, size in zip(view.strides, view.shape, strict=True)
            if size > 1
        )
        reach = 0
        for stride, size in sides:
            if stride <= reach:
                raise _Bad("elements of a written tensor overlap")
            reach += stride * (size - 1)

    def _fill(self, step: Fill) -> None:
        self._target(step.target)
        if step.value.get("t") not in ("int", "float", "bool", "complex"):
            raise _Bad("memory is filled with what is no number")
        number = Decoder(tensor=_refused_tensor, stand_in=_refuse_tag).decode(step.value)
        if type(number) is int and not -(1 << 63) <= number < 1 << 64:
            raise _Bad("memory is filled with a number that no element holds")

    def _copy(self, step: Copy) -> None:
        self._target(step.target)
        self._view(step.source)
        if step.target.shape != step.source.shape:
            raise _Bad("a copy between different shapes")

    def _launch(self, launch: LaunchStep) -> None:
        if launch.kernel not in self._functions.get(launch.cubin, ()):
            raise _Bad("a kernel that is not in its binary")
        if any(not 0 < side <= most for side, most in zip(launch.grid, MOST_GRID, strict=True)):
            raise _Bad("a grid that no GPU has")
        if launch.shared > MOST_SHARED_BYTES:
            raise _Bad("more shared memory than any block has")
        for parameter in launch.parameters:
            if isinstance(parameter, Pointer):
                self._pointer(parameter)
            else:
                _check_number(parameter)

    def _pointer(self, pointer: Pointer) -> None:
        size = self._size(pointer.buffer)
        if pointer.offset and pointer.offset >= size:
            raise _Bad("a pointer beyond its buffer")
        if pointer.aligned and pointer.offset % ALIGNMENT:
            raise _Bad("a pointer that is less aligned than the kernel expects")


def scratch_bytes(launch: LaunchStep) -> int:
    """Memory that all programs of a launch need for themselves; bounded, however large the grid."""
    programs = launch.grid[0] * launch.grid[1] * launch.grid[2]
    return min(launch.scratch * programs, MOST_BYTES)


def _check_number(number: Number) -> None:
    if number.type in ("fp16", "bf16", "fp32", "fp64"):
        spelled = {"t": "float", "v": number.value}
        Decoder(tensor=_refused_tensor, stand_in=_refuse_tag).decode(spelled)
        return
    bits = int(number.type[1:])
    signed = number.type[0] == "i" and bits > 1
    least, most = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    if not isinstance(number.value, int) or not least <= number.value < most:
        raise _Bad(f"a number that is no {number.type}")


def _refused_tensor(_described: dict[str, Any]) -> Any:
    raise BadValue("a tensor in place of a number")


def _refuse_tag(tag: str, _body: Any) -> Any:
    raise BadValue(f"a value tagged {tag[:20]!r}")
