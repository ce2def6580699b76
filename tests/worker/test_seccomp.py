"""The filter as a program: what it answers to each system call, without installing it."""

import errno
import os
import socket
import struct
import sys
from pathlib import Path

import pytest

from kernelbenchx.worker import landlock, seccomp, syscalls
from kernelbenchx.worker.settings import KINDS

ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = 0x7FFF0000, 0x80000000
PID = 4711
CLONE_THREAD, CLONE_NEWUSER = 0x10000, 0x10000000


def answer(machine: str, kind: str, name: str | int, *arguments: int) -> int:
    """Run the filter over one system call, as the kernel would."""
    number = name if isinstance(name, int) else _number(name, machine)
    return _interpret(
        seccomp.program(KINDS[kind], machine=machine, pid=PID), number, arguments, ARCH[machine]
    )


def refused(code: int) -> int:
    return 0x00050000 | code


@pytest.mark.parametrize("machine", syscalls.MACHINES)
@pytest.mark.parametrize("kind", KINDS)
def test_dangerous_calls_are_refused_and_ordinary_ones_pass(machine: str, kind: str) -> None:
    for name in syscalls.numbers(syscalls.REFUSED, machine):
        assert answer(machine, kind, name) == refused(errno.EPERM), name
    read_write_ioctl_mmap = {"x86_64": (0, 1, 16, 9), "aarch64": (63, 64, 29, 222)}[machine]
    for number in read_write_ioctl_mmap:
        assert answer(machine, kind, number) == ALLOW


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_a_foreign_call_table_kills(machine: str) -> None:
    program = seccomp.program(KINDS["plain"], machine=machine, pid=PID)
    assert _interpret(program, 0, (), 0x40000003) == KILL
    assert _interpret(program, 0, (), ARCH[machine]) == ALLOW
    if machine == "x86_64":
        assert _interpret(program, 0x40000000, (), ARCH[machine]) == refused(errno.EPERM)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_threads_pass_and_processes_only_where_needed(machine: str) -> None:
    for kind in ("interpret", "compile", "cuda"):
        programs = ALLOW if KINDS[kind].processes else refused(errno.EPERM)
        assert answer(machine, kind, "clone", CLONE_THREAD) == ALLOW
        assert answer(machine, kind, "clone", 17) == programs
        assert answer(machine, kind, "execve") == programs
        assert answer(machine, kind, "clone", 17 | CLONE_NEWUSER) == refused(errno.EPERM)
        assert answer(machine, kind, "clone3") == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_sockets_are_refused_except_unix_ones_for_a_card(machine: str) -> None:
    unix, inet = 1, 2
    assert answer(machine, "cuda", "socket", unix) == ALLOW
    assert answer(machine, "cuda", "socket", inet) == refused(errno.EPERM)
    for family in (unix, inet):
        assert answer(machine, "interpret", "socket", family) == refused(errno.EPERM)
        assert answer(machine, "compile", "socketpair", family) == refused(errno.EPERM)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_below_l3_sockets_of_a_card_reach_nothing_that_has_a_name(machine: str) -> None:
    connect, write = _number("connect", machine), {"x86_64": 1, "aarch64": 64}[machine]
    for kind, number, namespaced, expected in (
        ("cuda", connect, False, refused(errno.ECONNREFUSED)),
        ("cuda", connect, True, ALLOW),  # there is nothing of this machine that it could name
        ("cuda", write, False, ALLOW),
        ("interpret", connect, False, ALLOW),  # it has no socket
    ):
        program = seccomp.program(KINDS[kind], machine=machine, pid=PID, namespaced=namespaced)
        assert _interpret(program, number, (), ARCH[machine]) == expected


def _connects_below(listening: str, *, filtered: bool) -> bool:
    """Whether a process confined as one on a GPU is at L2 gets through to a socket by its path."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            landlock.restrict([])
            if filtered:
                seccomp.install(KINDS["cuda"], namespaced=False)
            with socket.socket(socket.AF_UNIX) as line:
                code = int(line.connect_ex(listening) != 0)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(
    sys.platform != "linux" or landlock.abi() == 0, reason="no Landlock in this kernel"
)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_landlock_alone_lets_through_to_a_socket_by_its_path(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        assert _connects_below(str(tmp_path / "socket"), filtered=False)
        assert not _connects_below(str(tmp_path / "socket"), filtered=True)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_socket_that_came_with_the_child_can_be_used(machine: str, kind: str) -> None:
    sendto_recvfrom_sendmsg_recvmsg = {"x86_64": (44, 45, 46, 47), "aarch64": (206, 207, 211, 212)}
    for number in sendto_recvfrom_sendmsg_recvmsg[machine]:
        assert answer(machine, kind, number) == ALLOW


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_signals_and_limits_reach_only_the_child_itself(machine: str) -> None:
    for name in ("kill", "tgkill", "rt_sigqueueinfo"):
        assert answer(machine, "interpret", name, PID) == ALLOW
        assert answer(machine, "interpret", name, PID + 1) == refused(errno.EPERM)
        assert answer(machine, "compile", name, PID + 1) == ALLOW
    assert answer(machine, "compile", "prlimit64", 0) == ALLOW
    assert answer(machine, "compile", "prlimit64", PID + 1) == refused(errno.EPERM)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_what_the_sandbox_rests_on_cannot_be_switched_off(machine: str) -> None:
    name_a_thread = 15
    assert answer(machine, "cuda", "prctl", name_a_thread) == ALLOW
    for option in (1, 4, 22, 35):
        assert answer(machine, "cuda", "prctl", option) == refused(errno.EPERM)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_files_change_mode_and_processes_rank_only_where_needed(machine: str) -> None:
    assert answer(machine, "interpret", "fchmodat") == refused(errno.EPERM)
    assert answer(machine, "compile", "fchmodat") == ALLOW
    assert answer(machine, "compile", "sched_setaffinity", PID + 1) == refused(errno.EPERM)
    assert answer(machine, "compile", "sched_setaffinity", 0) == ALLOW
    assert answer(machine, "compile", "setpriority", 0, PID + 1) == refused(errno.EPERM)
    assert answer(machine, "cuda", "sched_setaffinity", PID + 1) == ALLOW


def test_memory_that_nobody_counts_is_refused_except_for_a_card() -> None:
    assert answer("x86_64", "interpret", "memfd_create") == refused(errno.EPERM)
    assert answer("x86_64", "cuda", "memfd_create") == ALLOW


def _number(name: str, machine: str) -> int:
    return next(
        table[name]
        for table in (syscalls.numbers(each, machine) for each in syscalls.TABLES)
        if name in table
    )


def _interpret(
    program: list[seccomp.Instruction], number: int, arguments: tuple[int, ...], arch: int
) -> int:
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    accumulator = at = 0
    while True:
        code, yes, no, value = program[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        elif code == 0x06:
            return value
        else:
            holds = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            at += yes if holds else no
