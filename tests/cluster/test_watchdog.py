"""A process ends itself when the process that started it is gone."""

import os
import signal
import subprocess
import sys
import time

from fake_cluster import until
from kernelbenchx.cluster.watchdog import read_start_time

_CHILD = """
import time
from kernelbenchx.cluster.watchdog import end_with_parent
end_with_parent(every_s=0.1)
print("watching", flush=True)
time.sleep(60)
"""
_PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
print(child.pid, flush=True)
child.wait()
"""


def test_it_lives_with_its_parent_and_ends_after_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _PARENT, _CHILD], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        said = [parent.stdout.readline().strip() for _ in range(2)]
        assert "watching" in said
        child = int(next(one for one in said if one != "watching"))
        time.sleep(0.5)
        assert read_start_time(child), "its parent lives, so it does"
        parent.send_signal(signal.SIGKILL)
    until(lambda: not read_start_time(child))


def test_another_process_with_the_same_number_has_another_start() -> None:
    mine = read_start_time(os.getpid())
    assert mine and mine == read_start_time(os.getpid()) != read_start_time(1)
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        until(lambda: not read_start_time(ended.pid))
    assert read_start_time(ended.pid) == ""
