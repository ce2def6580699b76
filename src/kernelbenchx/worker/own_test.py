"""Runs a submission under a test that its author wrote: both are untrusted; there is no verdict.

The order holds the two texts and nothing else: no inputs and no answers that they could find.
"""

import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from . import submission_loader
from .replies import Replies, error_of
from .sessions import SESSIONS, Session
from .tracing import OperatorTrace

FILE_NAME = "own_test.py"


class NoTest(AssertionError):
    """The file tests nothing, or reports itself that its test failed."""


def serve(header: dict[str, Any], replies: Replies) -> None:
    """Load the submission, then the test, then run the test; report what either raises."""
    rung = "interpret" if header["device"] == "cpu" else "cuda"
    folder = Path.cwd()
    with SESSIONS[rung](header) as session:
        torch.manual_seed(int(header["seed"]))
        session.begin(ablate=False, order="shuffled", zeros=True)
        stage = "load"
        try:
            module = submission_loader.LOADERS[header["language"]](header["source"], folder)
            name, _ = submission_loader.entry_of(module, header["entries"])
            stage = "test"
            _run(header["test"], folder, session)
        except BaseException as error:  # noqa: BLE001 - boundary: whatever it raised is reported
            _print_where(error, folder)
            replies.say({"kind": "error", "stage": stage, "call": None, "error": error_of(error)})
            return
    replies.say({"kind": "loaded", "entry": name})
    replies.say({"kind": "done"})


def _run(test: str, folder: Path, session: Session) -> None:
    with OperatorTrace(session.fill):
        for one in _tests(submission_loader.load_python(test, folder, FILE_NAME)):
            _pass(one)
    seen = session.trace()
    if seen["failures"]:
        failed = seen["failures"][0]
        raise NoTest(f"a launch of {failed['kernel']} failed: {failed.get('message')}")
    if not seen["launches"]:
        raise NoTest("the test ended without a launch of any kernel")


def _pass(test: Callable[[], Any]) -> None:
    """It passes where it neither raises nor returns False; leaving with code 0 is no failure."""
    try:
        failed = test() is False
    except SystemExit as left:
        failed = left.code not in (None, 0, False)
    if failed:
        raise NoTest(f"{test.__name__} says itself that it failed")


def _tests(module: ModuleType) -> list[Callable[[], Any]]:
    """Functions of the file itself that are named as tests and can be called with nothing."""
    found: list[Callable[[], Any]] = [
        value
        for name, value in vars(module).items()
        if name.startswith("test")
        and inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not _list_required(value)
    ]
    if not found:
        raise NoTest("the test file defines no function test() without parameters")
    return found


def _list_required(function: Callable[..., Any]) -> list[str]:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.default is inspect.Parameter.empty and one.kind not in kinds
    ]


def _print_where(error: BaseException, folder: Path) -> None:
    """The author's own lines on the way to the error; those of the machinery say nothing."""
    own = {str(folder / name): name for name in (FILE_NAME, submission_loader.FILE_NAME)}
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in own]
    for frame in frames:
        frame.filename = own[frame.filename]
    said = traceback.format_list(frames) + traceback.format_exception_only(error)
    sys.stderr.write("".join(said))
