"""Runs a submission under the published test of its task: a program of draws and calls.

The order holds the program and no answer. What the test computes goes back as bytes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from . import submission_loader
from .order import Arguments
from .published_program import as_plain, published_entry, run_program, seed_all
from .replies import Replies, call_frame, error_of
from .sessions import Session, interpreting


def serve(header: dict[str, Any], replies: Replies) -> None:
    """Seed, load the submission, run the program; the published harness does it in this order.

    There the file runs as a program, so that what it does under that name counts, too.
    """
    test, key = header["published_test"], ""

    def begin(name: str) -> None:
        nonlocal key
        key = name

    stage = "load"
    with _SURROUNDINGS[header["device"] == "cpu"](header) as session:
        seed_all()
        try:
            module = submission_loader.load_python(header["source"], Path.cwd(), name="__main__")
            entry = published_entry(vars(module), test["calls"], test["needs"])
            replies.say({"kind": "loaded", "entry": test["calls"]})
            stage = "call"
            frame = results_frame(test["program"], entry, "cuda", begin)
        except BaseException as error:  # noqa: BLE001 - boundary: whatever it raised is its outcome
            said = error_of(error)
            replies.say({"kind": "error", "stage": stage, "call": None, "error": said, "key": key})
            return
        if session is not None:
            replies.trace(0, {"ops": {}, **session.trace()})
    replies.write(frame)
    replies.say({"kind": "done"})


def results_frame(
    program: dict[str, Any],
    entry: Callable[..., Any],
    device: str,
    begin: Callable[[str], None] = lambda _name: None,
) -> bytes:
    """What the program computes with this function, as the frame of a call."""
    results = run_program(program, entry, device, begin=begin)
    if device.startswith("cuda") and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
    nothing = Arguments(args=(), kwargs={}, init=(), state={}, storages={})
    return call_frame(0, "first", as_plain(results), nothing)


@contextmanager
def _interpret_with_zeros(header: dict[str, Any]) -> Iterator[Session]:
    """Put zeros in lanes that a masked load leaves undefined, as a GPU does; trace launches."""
    with interpreting(header) as session:
        session.begin(ablate=False, order="shuffled", zeros=True)
        yield session


@contextmanager
def _on_gpu(header: dict[str, Any]) -> Iterator[None]:
    """Let autotuned kernels choose by measuring, as they do for the published harness."""
    from .ctypes_launcher import without_modules
    from .gpu_autotune import measured_briefly

    torch.cuda.set_device(torch.device(header["device"]))
    with without_modules(), measured_briefly():
        yield


_SURROUNDINGS = {True: _interpret_with_zeros, False: _on_gpu}
