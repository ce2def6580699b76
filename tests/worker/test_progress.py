"""An account of finished programs that another process can read."""

import os

from kernelbenchx.worker.progress import Progress, begin_child, current


def test_a_child_writes_what_its_parent_reads() -> None:
    account = begin_child()
    other = Progress()
    pid = os.fork()
    if pid == 0:
        current().begin()
        for _ in range(3):
            sum(range(200_000))
            current().program_ended()
        current().note_undefined()
        os._exit(0)
    os.waitpid(pid, 0)
    assert account.programs == 3
    assert 0 < account.seconds < 60
    assert account.undefined
    assert (other.programs, other.seconds, other.undefined) == (0, 0, False)


def test_every_child_has_its_own() -> None:
    before = begin_child()
    before.begin()
    before.program_ended()
    assert current() is before
    assert begin_child().programs == 0
    assert current() is not before
