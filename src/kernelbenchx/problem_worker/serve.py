"""Serves requests about one problem file: its sizes, and calls with their answers."""

import os
from collections.abc import Sequence
from typing import Any

import torch

from kernelbenchx.problem_worker.call_cost import warm_up
from kernelbenchx.problem_worker.draw_call import (
    KINDS,
    DrawnCall,
    DrawRequest,
    compute_answer,
    constants,
    is_random,
)
from kernelbenchx.problem_worker.problem_source import ProblemSource
from kernelbenchx.problem_worker.size_reduction import find_smaller_sizes
from kernelbenchx.worker.frames import pack, read_all, unpack, write_all
from kernelbenchx.worker.values import PackedStorages, dtype_name, encode

_MESSAGE = 300
warm_up()


def serve(order_fd: int, result_fd: int) -> None:
    """One order from start to end; whatever the file raises becomes an error frame."""
    (order,) = unpack(read_all(order_fd))
    os.close(order_fd)
    header = order.header
    torch.set_num_threads(1)
    problem = ProblemSource(header["source"])
    try:
        frame = _probe_problem(problem) if header["sizes"] is None else _draw_frame(problem, header)
    except BaseException as error:  # noqa: BLE001 - a border: the judge says it in one line
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MESSAGE]
        frame = pack({"kind": "error", "message": said})
    write_all(result_fd, frame)


def _probe_problem(problem: ProblemSource) -> bytes:
    """Smaller sizes, and which kinds of inputs have a finite answer there."""
    sizes = find_smaller_sizes(problem)
    module = problem.load(sizes)
    first = DrawRequest("published", 0, 0, moves=False)
    found: dict[str, Any] = {
        "kind": "probed",
        "sizes": {name: _convert_tuple(value) for name, value in sizes.items()},
        "values": [one for one in KINDS if _is_finite(module, one)],
        "random": is_random(module, first),
        "constants": list(constants(module)),
        "weights": {
            name: list(value.shape)
            for name, value in compute_answer(module, first).call.state.items()
        },
    }
    return pack(found)


def _convert_tuple(value: int | tuple[int, ...]) -> int | list[int]:
    return list(value) if isinstance(value, tuple) else value


def _is_finite(module: Any, values: str) -> bool:
    try:
        found = compute_answer(module, DrawRequest(values, 0, 0, moves=False))
    except Exception:
        if values == "published":
            raise
        return False  # the problem takes no such numbers
    each = [*found.truth, *(leaf.value for leaf in found.native)]
    return all(bool(one.isfinite().all()) for one in each)


def _draw_frame(problem: ProblemSource, header: dict[str, Any]) -> bytes:
    sizes = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in header["sizes"].items()
    }
    module = problem.load(sizes)
    return _frame(compute_answer(module, DrawRequest(**header["wanted"])))


def _frame(found: DrawnCall) -> bytes:
    storages = PackedStorages()

    def write(tensor: torch.Tensor) -> dict[str, Any]:
        return {
            "t": "tensor",
            "storage": storages.add(tensor),
            "dtype": dtype_name(tensor.dtype),
            "shape": list(tensor.shape),
            "strides": list(tensor.stride()),
            "offset": tensor.storage_offset(),
        }

    def plain(tensors: Sequence[torch.Tensor]) -> list[Any]:
        return [encode(one.detach().contiguous(), write) for one in tensors]

    call = found.call
    header = {
        "kind": "drawn",
        "init": [encode(one, write) for one in call.init],
        "args": [encode(one, write) for one in call.args],
        "state": {name: encode(one.detach(), write) for name, one in call.state.items()},
        "buffers": list(call.buffers),
        "weights_seed": call.weights_seed,
        "loads": call.loads,
        "native": [{"name": leaf.name, "kind": leaf.kind} for leaf in found.native],
        "values": plain([leaf.value for leaf in found.native]),
        "truth": plain(found.truth),
        "moves": plain(found.moves),
    }
    return pack(header | {"storages": storages.spans}, storages.payload())
