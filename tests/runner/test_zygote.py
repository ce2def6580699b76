"""Every way to end is an ending, and the next child runs as if nothing had happened."""

import itertools
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.isolation import Level, WorkerIsolation
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.limits import MIB, Limits

from .conftest import QUICK, STUB, Warm

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="tested on Linux")


def test_a_child_reads_its_order_and_writes_its_result(warm: Warm) -> None:
    ran = warm.run("import os; os.write(RESULT, os.pread(ORDER, 6, 0)); print('hello')")
    assert ran.ending.clean
    assert ran.result == b"import"
    assert ran.log == "hello\n"
    assert 0 < ran.ending.seconds < QUICK.wall_s
    assert ran.ending.max_rss_bytes > MIB


def test_an_exception_is_exit_code_1_with_a_traceback_in_the_log(warm: Warm) -> None:
    ran = warm.run("raise ValueError('no such luck')")
    assert (ran.ending.exit_code, ran.ending.lost) == (1, False)
    assert "no such luck" in ran.log
    assert warm.still_works()


def test_exit_codes_pass_through(warm: Warm) -> None:
    assert warm.run("raise SystemExit(7)").ending.exit_code == 7
    assert warm.run("import os; os._exit(9)").ending.exit_code == 9


def test_a_hang_ends_at_the_wall_limit(warm: Warm) -> None:
    ran = warm.run("import time; time.sleep(600)", replace(QUICK, wall_s=0.4))
    assert ran.ending.over == "wall"
    assert ran.ending.timed_out
    assert 0.4 <= ran.ending.seconds < 60
    assert warm.still_works()


def test_a_spinning_child_ends_at_the_processor_limit(warm: Warm) -> None:
    ran = warm.run("while True: pass", Limits(wall_s=600, cpu_s=1))
    assert ran.ending.over == "cpu"
    assert warm.still_works()


def test_ignoring_the_processor_limit_does_not_help(warm: Warm) -> None:
    if warm.level.startswith("L3"):
        pytest.skip("the first process of a namespace is deaf to it anyway")
    source = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert warm.run(source, replace(QUICK, cpu_s=1)).ending.over == "cpu"


def test_a_segfault_is_a_signal(warm: Warm) -> None:
    ran = warm.run("import ctypes; ctypes.string_at(0)")
    assert ran.ending.signal == signal.SIGSEGV
    assert warm.still_works()


def test_an_abort_is_a_signal(warm: Warm) -> None:
    ran = warm.run("import os; os.abort()")
    # The first process of a namespace is deaf to SIGABRT, and the C library then traps.
    assert ran.ending.signal in (signal.SIGABRT, signal.SIGTRAP, signal.SIGSEGV, signal.SIGILL)
    assert warm.still_works()


def test_stopping_itself_gains_nothing(warm: Warm) -> None:
    source = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    ran = warm.run(source, replace(QUICK, wall_s=0.5))
    assert ran.ending.over == "wall" or (ran.ending.clean and warm.level.startswith("L3"))
    assert warm.still_works()


def test_closing_every_descriptor_leaves_an_empty_result(warm: Warm) -> None:
    ran = warm.run("import os; os.closerange(0, 1000)")
    assert not ran.ending.lost
    assert ran.result == b""
    assert warm.still_works()


def test_a_fork_bomb_is_stopped(warm: Warm) -> None:
    source = """
        import os, time
        try:
            while True:
                os.fork()
        except OSError:
            time.sleep(60)
    """
    ran = warm.run(source, replace(QUICK, processes=24, wall_s=3))
    assert ran.ending.over in ("processes", "wall")
    assert warm.still_works()


def test_filling_the_disk_is_stopped(warm: Warm) -> None:
    source = """
        for number in range(100000):
            with open(f"file{number}", "wb") as file:
                file.write(bytes(1 << 20))
    """
    ran = warm.run(source, replace(QUICK, scratch_bytes=16 * MIB))
    assert ran.ending.over == "scratch" or "No space left" in ran.log
    assert warm.still_works()


def test_many_small_files_are_stopped(warm: Warm) -> None:
    source = """
        import os
        for number in range(2000):
            os.mkdir(f"folder{number}")
        while True: pass
    """
    ran = warm.run(source, replace(QUICK, scratch_files=500))
    assert ran.ending.over == "scratch" or "No space left" in ran.log
    assert warm.still_works()


def test_folders_without_an_end_are_removed(warm: Warm) -> None:
    source = """
        import os
        for _ in range(3000):
            os.mkdir("d"); os.chdir("d")
        os.chmod(".", 0)
    """
    ran = warm.run(source)
    assert ran.ending.clean or ran.ending.over == "scratch"
    assert warm.still_works()


def test_a_gigabyte_of_result_is_stopped(warm: Warm) -> None:
    source = "import os\nwhile True: os.write(RESULT, bytes(1 << 20))"
    limits = replace(QUICK, result_bytes=4 * MIB, scratch_bytes=8 * MIB)
    ran = warm.run(source, limits)
    assert ran.ending.over == "result"
    assert len(ran.result) <= 8 * MIB
    assert warm.still_works()


def test_a_hole_in_the_result_counts_in_full(warm: Warm) -> None:
    source = "import os; os.ftruncate(RESULT, 5 << 20)"
    limits = replace(QUICK, result_bytes=4 * MIB, scratch_bytes=8 * MIB)
    assert warm.run(source, limits).ending.over == "result"
    assert warm.run(source, QUICK).ending.clean


def test_a_gigabyte_of_log_is_stopped_and_both_ends_are_kept(warm: Warm) -> None:
    source = "print('first words')\nwhile True: print('x' * 1000)"
    ran = warm.run(source, replace(QUICK, log_bytes=2 * MIB))
    assert ran.ending.over == "log"
    assert ran.log.startswith("first words")
    assert "bytes left out" in ran.log
    assert len(ran.log) < 70_000
    assert warm.still_works()


def test_a_memory_hog_is_stopped(warm: Warm) -> None:
    source = "hoard = []\nwhile True: hoard.append(bytearray(1 << 20))"
    ran = warm.run(source, replace(QUICK, memory_bytes=64 * MIB))
    assert "MemoryError" in ran.log or ran.ending.over == "memory"
    assert warm.still_works()


def test_memory_spread_over_processes_is_stopped(warm: Warm) -> None:
    source = """
        import os, time
        for _ in range(8):
            if os.fork() == 0:
                hoard = bytearray(b"x") * (32 << 20)
                time.sleep(60)
        time.sleep(60)
    """
    ran = warm.run(source, replace(QUICK, memory_bytes=64 * MIB))
    assert ran.ending.over == "memory"
    assert warm.still_works()


@pytest.mark.parametrize("waits", ["False", "True"])
def test_a_daemon_does_not_survive(warm: Warm, waits: str) -> None:
    name = f"31.{os.getpid()}{warm.count}"  # no other test process looks for it
    source = f"""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/bin/sleep", ["sleep", "{name}"])
            os._exit(0)
        os.wait()
        if {waits}: time.sleep(0.6)
    """
    ran = warm.run(source)
    assert ran.ending.clean, ran
    assert not _running(name)
    assert warm.still_works()


def test_killing_the_parent_is_our_fault_at_l1_and_impossible_above(warm: Warm) -> None:
    ran = warm.run("import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    assert ran.ending.lost == (warm.level == "L1")
    assert warm.still_works()


def test_the_trusted_process_loses_its_parent_and_starts_another(warm: Warm) -> None:
    timer = threading.Timer(0.3, lambda: os.kill(warm.zygote.pid or 0, signal.SIGKILL))
    timer.start()
    ran = warm.run("import time; time.sleep(20)")
    timer.join()
    assert ran.ending.lost
    assert "ended" in ran.ending.fault
    assert warm.still_works()


def test_children_run_beside_each_other(warm: Warm) -> None:
    times: list[tuple[float, ...]] = []
    source = b"import time; print(time.monotonic()); time.sleep(0.6); print(time.monotonic())"

    def sleep_in_a_child(name: str) -> None:
        ending = warm.zygote.run(warm.scratch.order(name, source), warm.scratch.result(name), QUICK)
        times.append(tuple(float(line) for line in ending.log.split()))

    threads = [threading.Thread(target=sleep_in_a_child, args=(f"beside{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times.sort()
    assert [len(one) for one in times] == [2] * 6
    assert any(later[0] < earlier[1] for earlier, later in itertools.pairwise(times))


def test_a_sealed_child_starts_no_process_above_l1(sealed: Warm) -> None:
    source = """
        import os, subprocess, threading
        thread = threading.Thread(target=lambda: print("thread"))
        thread.start(); thread.join()
        for attempt in (os.fork, lambda: os.execv("/bin/true", ["true"]),
                        lambda: subprocess.run(["/bin/true"])):
            try:
                attempt()
            except PermissionError:
                print("refused")
    """
    ran = sealed.run(source)
    expected = 0 if sealed.level == "L1" else 3
    assert ran.log.count("refused") == expected
    assert ran.log.startswith("thread")
    assert sealed.still_works()


def test_a_parent_that_cannot_start_says_why() -> None:
    start = Start(main="worker.nowhere:serve")
    with pytest.raises(EvaluatorFault, match="nowhere"):
        Zygote("plain", WorkerIsolation(Level.L1), start=start).__enter__()


def test_a_parent_that_cannot_start_loses_the_order() -> None:
    zygote = Zygote("plain", WorkerIsolation(Level.L1), start=Start(main="worker.nowhere:serve"))
    with Scratch() as scratch:
        ending = zygote.run(scratch.order("a", b""), scratch.result("a"), Limits())
    assert ending.lost


def test_starting_one_does_not_wait_and_whoever_ends_it_need_not_either(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(600)\n")
    zygote = Zygote(
        "plain", WorkerIsolation(Level.L1), start=Start(main="slow:serve", modules=(slow,))
    )
    endings: list[Ending] = []
    with Scratch() as scratch:
        order, result = scratch.order("a", b""), scratch.result("a")
        waits = threading.Thread(target=lambda: endings.append(zygote.run(order, result, QUICK)))
        zygote.start_parent()
        parent = zygote._parent
        assert parent is not None
        waits.start()
        time.sleep(0.3)
        assert zygote.pid is None
        zygote.__exit__(None, None, None)
        waits.join(60.0)
    assert endings[0].lost
    assert parent._process.returncode == -signal.SIGKILL


def test_one_that_was_started_before_serves_the_first_order() -> None:
    start = Start(main="worker.probe:serve")
    zygote = Zygote("plain", WorkerIsolation(Level.L1), start=start)
    zygote.start_parent()
    parent = zygote._parent
    assert parent is not None
    with Scratch() as scratch:
        ending = zygote.run(scratch.order("a", b"[]"), scratch.result("a"), QUICK)
    assert ending.clean
    assert zygote.pid == parent.pid
    zygote.__exit__(None, None, None)


def test_one_that_is_stopped_gives_up_its_child_and_starts_no_other(tmp_path: Path) -> None:
    (tmp_path / "order").write_text("import time; time.sleep(600)")
    zygote = Zygote("plain", WorkerIsolation(Level.L1), start=STUB)
    started = time.monotonic()
    pending = zygote.start(tmp_path / "order", tmp_path / "result", replace(QUICK, wall_s=600))
    zygote.stop()
    assert pending.wait().lost
    again = zygote.run(tmp_path / "order", tmp_path / "result", QUICK)
    assert again.lost and "stopped" in again.fault
    assert time.monotonic() - started < 60


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(BadInput, match="opencl"):
        Zygote("opencl", WorkerIsolation(Level.L1))


def _running(argument: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in path.read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False
