"""An account of finished programs that another process can read."""

import os
import time

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


def test_calls_are_counted_with_the_slowest_of_those_that_ended() -> None:
    account = begin_child()
    assert account.call.number == 0 and account.call.slowest_s == 0.0
    account.begin_call(1)
    spent = account.call.since_s
    account.begin()
    while time.process_time() < spent + 0.1:
        pass
    account.program_ended()
    assert account.call.slowest_s == 0.0, "it has not ended"
    account.begin_call(2)
    second = account.call
    assert second.number == 2 and 0.1 <= second.slowest_s < 60.0
    assert second.since_s >= spent + 0.1 and 0.09 <= second.programs_before_s <= account.seconds
    account.begin_call(0)
    assert account.call.number == 0 and account.call.slowest_s == second.slowest_s


def test_every_child_has_its_own() -> None:
    before = begin_child()
    before.begin()
    before.program_ended()
    assert current() is before
    assert begin_child().programs == 0
    assert current() is not before
