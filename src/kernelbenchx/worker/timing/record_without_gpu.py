"""Records the calls of an order on a machine without a GPU.

Kernels are compiled for the target that the order names and none is run. The plans are those of the
GPU as long as nothing depends on values, so they show whether a submission can be replayed.
"""

import os
from dataclasses import replace
from pathlib import Path

from ..binding import binding_in
from ..cross_compile import install
from ..devices import redirect_cuda
from ..frames import pack, read_all
from ..order import Arguments, Order
from ..replies import Replies, error_of
from ..submission_loader import LOADERS, entry_of, hide_harness
from .recording import record_call
from .submission_program import SubmissionProgram


def serve(order_fd: int, result_fd: int) -> None:
    """One frame for each call: what was recorded, or the error that it raised."""
    order = Order.parse(read_all(order_fd))
    os.close(order_fd)
    replies = Replies(result_fd)
    hide_harness()
    header = order.header
    install(str(header["target"]), all_configurations=False, seed=int(header["seed"]))
    with redirect_cuda():
        module = LOADERS[header["language"]](header["source"], Path.cwd())
        _, entry = entry_of(module, header["entries"])
        program = SubmissionProgram(entry, header["form"], binding_in(header))
        for call in order.calls:
            arguments = _renumber(order.arguments(call))
            try:
                _, frame = record_call(program.bind(arguments), arguments)
            except Exception as error:  # noqa: BLE001 - boundary: what it raised is its outcome
                frame = pack({"error": error_of(error)})
            replies.write(frame)


def _renumber(arguments: Arguments) -> Arguments:
    """Arguments with storages counted from zero: an order counts them through all its calls."""
    found = sorted(arguments.storages.items())
    return replace(arguments, storages={new: one for new, (_, one) in enumerate(found)})
