"""A child keeps its descriptors at fixed places, whatever numbers they came with."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.worker import confine

CODE = """
import fcntl, os, socket, sys
from kernelbenchx.worker.confine import (
    CHANNEL, ORDER, RESULT, STATUS, Pipes, channel, keep_only, settle
)
pair = socket.socketpair()
here, there = (fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in pair)
order_end, order = (fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in reversed(os.pipe()))
result, log, status = (fcntl.fcntl(1, fcntl.F_DUPFD, 100) for _ in range(3))
os.write(order_end, b"order")
# Numbers that collide with the fixed places in every way.
os.dup2(order, 5); os.dup2(log, 3); os.dup2(status, 4); os.dup2(result, 0)
os.dup2(there, 6); os.dup2(there, 7)
wanted = 7 if sys.argv[1] == "with" else None
os.write(here, b"channel")
keep_only(Pipes(order=5, result=0, log=3, status=4, channel=wanted))
settle("/")
said = channel()
held = []
for number in range(300):
    try:
        os.fstat(number)
        held.append(number)
    except OSError:
        pass
os.write(RESULT, f"{held} {os.read(ORDER, 10)} {os.environ['TMPDIR']}\\n".encode())
os.write(1, b"log "); os.write(STATUS, b"status ")
if said is not None:
    os.write(1, said.recv(10) + b" %d %d" % (said.fileno(), os.get_inheritable(CHANNEL)))
"""


@pytest.mark.parametrize(
    ("channel", "held", "said"),
    [("without", "[0, 1, 2, 3, 4, 5]", ""), ("with", "[0, 1, 2, 3, 4, 5, 6]", "channel 6 0")],
)
def test_descriptors_and_folder(channel: str, held: str, said: str) -> None:
    source = Path(confine.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE, channel],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    assert done.stdout == f"{held} b'order' /\nlog status {said}"
