"""Runs a plan of recorded launches: a program without a line of the submission's Python.

The plan was checked by the trusted side. Kernels can read and write all of this process's memory on
the GPU, so it holds the arguments and outputs of the calls and nothing else.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch

from ..frames import unpack
from ..order import Arguments
from ..values import BadValue, Decoder, Geometry
from .cubin_variables import with_variables_at
from .launcher import CudaLauncher, KernelLauncher, LoadedKernel

Step = dict[str, Any]
Own = tuple[torch.Tensor, int | torch.Tensor]
"""Memory, and its initial content."""
_POISON = 0xFF
"""Not a number in every floating dtype, and minus one in integers."""
_WHOLE_BYTES = {1: 1, 8: 1, 16: 2, 32: 4, 64: 8}
_POINTER_BYTES = 8
_WARP = 32
_ALIGNMENT = 16
_MOST_SCRATCHES = 2


class BadPlan(RuntimeError):
    """A plan that does not fit its binaries or the call's memory."""


class ReplayProgram:
    """A plan as a program; workspaces are shared by all calls of a case, outputs are not."""

    def __init__(self, launcher: KernelLauncher | None = None) -> None:
        self._launcher = launcher
        self._plan: dict[str, Any] = {}
        self._kernels: list[LoadedKernel | None] = []
        self._shared: dict[Any, torch.Tensor] = {}
        self._variables: list[Own] = []

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        """Load a plan: one frame, with the bytes of the binaries one behind the other."""
        (frame,) = unpack(binaries)
        plan, cubins, start = frame.header, {}, 0
        self._variables = []
        for digest, size in plan["cubins"]:
            cubin = bytes(frame.payload[start : start + size])
            cubins[digest] = with_variables_at(cubin, self._place)
            start += size
        kernels = [
            self._kernel(step, cubins) if step["t"] == "launch" else None for step in plan["steps"]
        ]
        self._plan, self._kernels = plan, kernels
        self._shared.clear()

    def prepare(self, arguments: Arguments) -> None:
        """There is nothing to compile."""

    def tune(self, arguments: Arguments) -> None:
        """There is nothing to choose."""

    def obstacle(self, arguments: Arguments) -> str:  # noqa: ARG002 - same form for all
        return "it is a plan already"

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:  # noqa: ARG002 - same form for all
        raise TypeError("a plan is not recorded again")

    def bind(self, arguments: Arguments) -> Callable[[], Any]:
        """Bind one call to these arguments; what it allocates is allocated here."""
        buffers = self._buffers(arguments)
        actions = [
            self._action(number, step, buffers) for number, step in enumerate(self._plan["steps"])
        ]
        decoder = Decoder(tensor=lambda one: _view(one, buffers), stand_in=_refuse_tag)
        call = _ReplayCall(actions, decoder.decode(self._plan["result"]), buffers)
        given = {id(storage) for storage in arguments.storages.values()}
        call.own = [(buffer, _POISON) for buffer in buffers if id(buffer) not in given]
        call.own += self._variables
        return call

    def release(self) -> None:
        """Free the workspaces."""
        self._shared.clear()

    def _place(self, data: bytes) -> int:
        """Place variables of a binary in memory of the calls, like any other."""
        new = torch.frombuffer(bytearray(data or b"\0"), dtype=torch.uint8).to(_default_device())
        memory = new.clone()
        self._variables.append((memory, new))
        return memory.data_ptr()

    def _kernel(self, step: Step, cubins: dict[str, bytes]) -> LoadedKernel:
        if self._launcher is None:
            self._launcher = CudaLauncher()
        kernel = self._launcher.kernel(cubins[step["cubin"]], step["kernel"], step["shared"])
        wanted = [_size(parameter) for parameter in step["parameters"]]
        declared, behind = list(kernel.sizes[: len(wanted)]), kernel.sizes[len(wanted) :]
        # Triton appends the addresses of scratch memory; anything else was not recorded.
        if declared != wanted or any(size != _POINTER_BYTES for size in behind):
            raise BadPlan("a kernel that takes other parameters than were recorded")
        if len(behind) > _MOST_SCRATCHES or (step["scratch"] and not behind):
            raise BadPlan("a kernel that takes other parameters than were recorded")
        return kernel

    def _buffers(self, arguments: Arguments) -> list[torch.Tensor]:
        device = _device(arguments)
        returned = set(_buffers_in(self._plan["result"]))
        buffers = []
        for number, described in enumerate(self._plan["buffers"]):
            size = int(described["nbytes"])
            if described["t"] == "argument":
                storage = arguments.storages.get(described["storage"])
                if storage is None or storage.numel() != size:
                    raise BadPlan("an argument that the call does not have")
                buffers.append(storage)
            elif number in returned:
                buffers.append(_allocate_poisoned(size, device))
            else:
                buffers.append(self._workspace(number, size, device))
        return buffers

    def _workspace(self, key: Any, size: int, device: torch.device) -> torch.Tensor:
        if key not in self._shared:
            self._shared[key] = _allocate_poisoned(size, device)
        return self._shared[key]

    def _action(self, number: int, step: Step, buffers: list[torch.Tensor]) -> Callable[[], Any]:
        if step["t"] == "fill":
            decoder = Decoder(tensor=_refuse_tensor, stand_in=_refuse_tag)
            return partial(_view(step["target"], buffers).fill_, decoder.decode(step["value"]))
        if step["t"] == "copy":
            target, source = _view(step["target"], buffers), _view(step["source"], buffers)
            return partial(target.copy_, source)
        kernel = self._kernels[number]
        if kernel is None:
            raise BadPlan("no plan is loaded")
        x, y, z = step["grid"]
        parameters = [_pack_parameter(parameter, buffers) for parameter in step["parameters"]]
        parameters += self._scratches(number, step, kernel, buffers)
        return kernel.bound((x, y, z), step["warps"] * _WARP, step["shared"], parameters)

    def _scratches(
        self, number: int, step: Step, kernel: LoadedKernel, buffers: list[torch.Tensor]
    ) -> Iterator[bytes]:
        """Scratch memory that programs need for themselves; a profiler's is never there."""
        for place in range(len(kernel.sizes) - len(step["parameters"])):
            address = 0
            if place == 0 and step["scratch"]:
                x, y, z = step["grid"]
                device = buffers[0].device if buffers else torch.device("cuda")
                room = self._workspace(("scratch", number), step["scratch"] * x * y * z, device)
                buffers.append(room)
                address = room.data_ptr()
            yield struct.pack("<Q", address)


class _ReplayCall:
    """One bound call; keeps the memory that its launches refer to by address only."""

    def __init__(
        self, actions: list[Callable[[], Any]], result: Any, buffers: list[torch.Tensor]
    ) -> None:
        self.parts = actions
        self.own: list[Own] = []
        """Outputs, workspaces, scratch memory, variables; some belong to other calls, too."""
        self._result = result
        self._buffers = buffers

    def __call__(self) -> Any:
        for act in self.parts:
            act()
        return self._result


def _device(arguments: Arguments) -> torch.device:
    for storage in arguments.storages.values():
        return storage.device
    return _default_device()


def _default_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _allocate_poisoned(size: int, device: torch.device) -> torch.Tensor:
    return torch.full((size,), _POISON, dtype=torch.uint8, device=device)


def _view(described: dict[str, Any], buffers: Sequence[torch.Tensor]) -> torch.Tensor:
    return Geometry.of(described).over(buffers[described["buffer"]])


def _buffers_in(value: Any) -> Iterator[int]:
    """Buffers that a result refers to."""
    if value["t"] == "tensor":
        yield value["buffer"]
    body = value.get("v")
    for item in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        if isinstance(item, dict):
            yield from _buffers_in(item)


def _size(parameter: dict[str, Any]) -> int:
    if parameter["t"] == "pointer":
        return _POINTER_BYTES
    kind = str(parameter["type"])
    if kind.startswith(("fp", "bf")):
        return int(kind[2:]) // 8
    return _WHOLE_BYTES[int(kind[1:])]


def _pack_parameter(parameter: dict[str, Any], buffers: Sequence[torch.Tensor]) -> bytes:
    if parameter["t"] == "pointer":
        address = buffers[parameter["buffer"]].data_ptr() + parameter["offset"]
        if parameter["aligned"] and address % _ALIGNMENT:
            raise BadPlan("memory that is less aligned than the kernel expects")
        return struct.pack("<Q", address)
    kind, value = str(parameter["type"]), parameter["value"]
    if not kind.startswith(("fp", "bf")):
        return int(value).to_bytes(_size(parameter), "little", signed=value < 0)
    number = float.fromhex(value)
    if kind == "fp64":
        return struct.pack("<d", number)
    if kind == "fp16":
        return torch.tensor([number], dtype=torch.float16).view(torch.uint8).numpy().tobytes()
    single = bytes(ctypes.c_float(number))  # also where it overflows to infinity
    return single if kind == "fp32" else single[2:]  # truncated as by Triton: the upper half


def _refuse_tag(tag: str, _body: Any) -> Any:
    raise BadValue(f"a plan may not hold a value tagged {tag!r}")


def _refuse_tensor(_described: dict[str, Any]) -> Any:
    raise BadValue("a tensor in place of a number")
