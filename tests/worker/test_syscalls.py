"""The numbers of system calls are the kernel's own."""

import re
from pathlib import Path

import pytest

from kernelbenchx.worker import syscalls


def test_numbers_are_the_kernels_own() -> None:
    headers = {
        "aarch64": ("/usr/include/asm-generic/unistd.h",),
        "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    }
    compared = 0
    for machine, paths in headers.items():
        for path in filter(Path.exists, map(Path, paths)):
            text = path.read_text()
            for table in syscalls.TABLES:
                for name, number in syscalls.numbers(table, machine).items():
                    found = re.search(rf"#define __NR3?264?_?{name}\s+(\d+)\b", text) or re.search(
                        rf"#define __NR_{name}\s+(\d+)\b", text
                    )
                    if found:
                        compared += 1
                        assert int(found[1]) == number, (machine, name)
    if compared == 0:
        pytest.skip("no kernel headers on this machine")


def test_an_unknown_machine_is_an_error() -> None:
    with pytest.raises(KeyError, match="sparc"):
        syscalls.numbers(syscalls.REFUSED, "sparc")


def test_no_call_is_in_two_tables() -> None:
    names = [name for table in syscalls.TABLES for name in table]
    assert len(names) == len(set(names))
