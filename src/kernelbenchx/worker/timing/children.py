"""Entry points of timed children: a submission's Python, or a plan of launches without any."""

import os
import socket
from pathlib import Path
from typing import Any

from ..binding import binding_in
from ..confine import CHANNEL
from ..replies import Replies, error_of
from ..sessions import FEW_QUEUES
from ..submission_loader import LOADERS, entry_of
from .loop import CallServer
from .submission_program import SubmissionProgram


def serve_entry(header: dict[str, Any], replies: Replies) -> None:
    """Load a submission and call it on request."""
    if header["few_queues"]:
        os.environ.update(FEW_QUEUES)
    with socket.socket(fileno=CHANNEL) as channel:
        try:
            module = LOADERS[header["language"]](header["source"], Path.cwd())
            _, entry = entry_of(module, header["entries"])
        except BaseException as error:  # noqa: BLE001 - boundary: what it raised is its outcome
            replies.say({"kind": "error", "stage": "load", "call": None, "error": error_of(error)})
            return
        runner = CallServer(
            channel, SubmissionProgram(entry, header["form"], binding_in(header)), header["device"]
        )
        runner.serve()


def serve_replay(header: dict[str, Any], replies: Replies) -> None:  # noqa: ARG001 - same form
    """Launch the steps of a plan on request; nothing of a submission is loaded."""
    from .replay_program import ReplayProgram

    with socket.socket(fileno=CHANNEL) as channel:
        CallServer(channel, ReplayProgram(), header["device"]).serve()


PROGRAMS = {"timing": serve_entry, "replay": serve_replay}
