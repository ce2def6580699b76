"""System calls without a function in Python; a failure is an `OSError` that names the call."""

import ctypes
import os
import platform
from functools import cache

Argument = int | bytes | None | ctypes.Array[ctypes.c_char]


def call(name: str, *arguments: Argument) -> int:
    """Call a function of the C library by name."""
    return _raise_on_error(name, getattr(_library(), name)(*map(_native, arguments)))


def syscall(name: str, number: int, *arguments: Argument) -> int:
    """Make a system call by number; the name is for the message."""
    native = [ctypes.c_long(number), *map(_native, arguments)]
    return _raise_on_error(name, _library().syscall(*native))


def prctl(what: str, option: int, *arguments: int) -> int:
    """Change an attribute of this process; all five arguments are always passed."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return _raise_on_error(f"prctl {what}", _library().prctl(option, *map(_native, padded)))


def buffer(data: bytes) -> ctypes.Array[ctypes.c_char]:
    """Memory with an address that holds exactly these bytes."""
    return ctypes.create_string_buffer(data, len(data))


def machine() -> str:
    """The name of the processor as the kernel spells it."""
    return platform.machine()


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _native(argument: Argument) -> object:
    return ctypes.c_ulong(argument) if isinstance(argument, int) else argument


def _raise_on_error(name: str, returned: int) -> int:
    if returned < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return returned
