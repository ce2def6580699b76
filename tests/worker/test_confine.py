"""A child keeps five descriptors at fixed places, whatever numbers they came with."""

import os
import subprocess
import sys
from pathlib import Path

from kernelbenchx.worker import confine

CODE = """
import fcntl, os
from kernelbenchx.worker.confine import ORDER, RESULT, STATUS, Pipes, keep_only, settle
order_end, order = (fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in reversed(os.pipe()))
result, log, status = (fcntl.fcntl(1, fcntl.F_DUPFD, 100) for _ in range(3))
os.write(order_end, b"order")
# Numbers that collide with the fixed places in every way.
os.dup2(order, 5); os.dup2(log, 3); os.dup2(status, 4); os.dup2(result, 0)
keep_only(Pipes(order=5, result=0, log=3, status=4))
settle("/")
held = []
for number in range(300):
    try:
        os.fstat(number)
        held.append(number)
    except OSError:
        pass
os.write(RESULT, f"{held} {os.read(ORDER, 10)} {os.environ['TMPDIR']}\\n".encode())
os.write(1, b"log "); os.write(STATUS, b"status")
"""


def test_descriptors_and_folder() -> None:
    source = Path(confine.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    assert done.stdout == "[0, 1, 2, 3, 4, 5] b'order' /\nlog status"
