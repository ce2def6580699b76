"""The warm parent forks any number of children that are each the first of their namespace."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.runner.isolation import Level, detect
from kernelbenchx.worker import namespaces

CODE = """
import os, signal, time
from kernelbenchx.worker import namespaces
namespaces.enter(mapped=os.geteuid() != 0)
namespaces.mount("proc", "/proc", "proc", 0)
own = os.open("/proc/self/ns/pid", os.O_RDONLY)
print(os.getpid(), flush=True)
for _ in range(3):
    child = namespaces.fork_as_init(own)
    if child == 0:
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        print(os.getpid(), os.getppid(), flush=True)
        os._exit(7)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
print(*filter(str.isdigit, os.listdir("/proc")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_children_are_init_and_take_their_descendants_along() -> None:
    if detect().level < Level.L3:
        pytest.skip("no namespaces here")
    source = Path(namespaces.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["1", *["1 0", "7"] * 3, "1"]


def test_a_failing_mount_names_its_target() -> None:
    with pytest.raises(OSError, match="mount /nowhere/at/all"):
        namespaces.mount("x", "/nowhere/at/all", "tmpfs", 0)
