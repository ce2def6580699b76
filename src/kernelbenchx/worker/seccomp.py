"""A system call filter for the child, assembled by hand: no library is needed to install it."""

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Iterator

from . import libc, syscalls
from .settings import Policy

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT = 0, 4
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 38, 22
_SET_MODE_FILTER, _SPEC_ALLOW = 1, 4
# pdeathsig, dumpable, seccomp, mm, ptracer: what the sandbox itself rests on.
_REFUSED_PRCTL = (1, 4, _PR_SET_SECCOMP, 35, 0x59616D61)

_CLONE_THREAD = 0x10000
# mount, cgroup, uts, ipc, user, pid, net
_CLONE_NAMESPACES = (
    0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
)

_SCHEDULING = ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")

Instruction = tuple[int, int, int, int]


def program(
    policy: Policy, *, machine: str, pid: int, namespaced: bool = False
) -> list[Instruction]:
    """The filter for one child: refused calls fail with EPERM, a foreign call table kills."""
    instructions = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_IF_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        instructions += [(_IF_AT_LEAST, 0, 1, _X32_BIT), _refuse(errno.EPERM)]
    for number in _refused_numbers(policy, machine):
        instructions += [(_IF_EQUAL, 0, 1, number), _refuse(errno.EPERM)]
    examined = syscalls.numbers(syscalls.EXAMINED, machine)
    for name, body in _examinations(policy, pid, namespaced=namespaced):
        # The body falls through when it has no objection; the number is loaded again for the next.
        block = [*body, (_LOAD, 0, 0, _NUMBER_AT)]
        instructions += [(_IF_EQUAL, 0, len(block), examined[name]), *block]
    return [*instructions, (_RETURN, 0, 0, _ALLOW)]


def install(policy: Policy, *, namespaced: bool) -> None:
    """Filter every later system call of this process and of what it starts, for good."""
    machine = libc.machine()
    instructions = program(policy, machine=machine, pid=os.getpid(), namespaced=namespaced)
    code = libc.buffer(b"".join(struct.pack("=HBBI", *each) for each in instructions))
    header = libc.buffer(struct.pack("@HP", len(instructions), ctypes.addressof(code)))
    forbid_new_privileges()
    number = syscalls.numbers(syscalls.REFUSED, libc.machine())["seccomp"]
    # Kernels before 5.16 slow down every process with a filter, unless it opts out.
    libc.syscall("seccomp", number, _SET_MODE_FILTER, _SPEC_ALLOW, header)


def forbid_new_privileges() -> None:
    """From now on no program that this process starts can gain rights by being started."""
    libc.prctl("no_new_privs", _PR_SET_NO_NEW_PRIVS, 1)


def _refused_numbers(policy: Policy, machine: str) -> Iterator[int]:
    yield from syscalls.numbers(syscalls.REFUSED, machine).values()
    if not policy.device:
        yield from syscalls.numbers(syscalls.UNCOUNTED, machine).values()
    if not policy.processes:
        yield from syscalls.numbers(syscalls.PROGRAMS, machine).values()
        # Compilers set the mode of what they write.
        yield from syscalls.numbers(syscalls.ATTRIBUTES, machine).values()


def _examinations(
    policy: Policy, pid: int, *, namespaced: bool
) -> Iterator[tuple[str, list[Instruction]]]:
    # Its flags lie in memory where a filter cannot look; the C library then falls back to clone.
    yield "clone3", [_refuse(errno.ENOSYS)]
    clone = [_argument(0), (_IF_ANY_BIT, 0, 1, _CLONE_NAMESPACES), _refuse(errno.EPERM)]
    if not policy.processes:
        clone += [(_IF_ANY_BIT, 1, 0, _CLONE_THREAD), _refuse(errno.EPERM)]
    yield "clone", clone
    families = (int(socket.AF_UNIX),) if policy.device else ()
    yield "socket", _only(0, families)
    yield "socketpair", _only(0, families)
    if policy.device and not namespaced:
        # Landlock does not watch sockets that have a path; a GPU's driver opens some of its own.
        yield "connect", [_refuse(errno.ECONNREFUSED)]
    prctl: list[Instruction] = [_argument(0)]
    for option in _REFUSED_PRCTL:
        prctl += [(_IF_EQUAL, 0, 1, option), _refuse(errno.EPERM)]
    yield "prctl", prctl
    yield "prlimit64", _only(0, (0, pid))
    if not policy.device:
        for name in _SCHEDULING:
            yield name, _only(0, (0, pid))
        yield "setpriority", _only(1, (0, pid))
    if not policy.processes:
        for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            yield name, _only(0, (0, pid))
        yield "tkill", [_refuse(errno.EPERM)]


def _only(index: int, allowed: tuple[int, ...]) -> list[Instruction]:
    """Refuse unless the argument's low half is one of these."""
    body: list[Instruction] = [_argument(index)]
    for position, value in enumerate(allowed):
        body.append((_IF_EQUAL, len(allowed) - position, 0, value))
    return [*body, _refuse(errno.EPERM)]


def _argument(index: int) -> Instruction:
    """Both machines are little-endian: the low half of a 64-bit argument comes first."""
    return (_LOAD, 0, 0, 16 + 8 * index)


def _refuse(number: int) -> Instruction:
    return (_RETURN, 0, 0, _REFUSE | number)
