"""Calls into the C library fail as OSErrors that say which call."""

import errno
import os

import pytest

from kernelbenchx.worker import libc


def test_a_call_returns_its_value() -> None:
    assert libc.call("getpid") == os.getpid()


def test_a_failure_names_the_call() -> None:
    with pytest.raises(OSError, match="chdir: No such file") as caught:
        libc.call("chdir", b"/nowhere/at/all")
    assert caught.value.errno == errno.ENOENT


def test_a_buffer_holds_exactly_its_bytes() -> None:
    assert bytes(libc.buffer(b"a\0b")) == b"a\0b"
