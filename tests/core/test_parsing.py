import ast
import gc
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from kernelbenchx.core.parsing import parse_python

SOURCE = "\n".join(f"x{n} = [{', '.join(f'f({n}, {m})' for m in range(20))}]" for n in range(20))


class _Lets:
    """Garbage that lets other threads run when it is collected."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        time.sleep(0)


def _errors(parse: Callable[[str], Any]) -> list[str]:
    """What four threads get that parse while there is such garbage."""
    found: list[str] = []

    def read() -> None:
        for _ in range(15):
            try:
                for _ in range(3):
                    _Lets()
                parse(SOURCE)
            except SystemError as error:
                found.append(str(error))

    threads = [threading.Thread(target=read) for _ in range(4)]
    before, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
        sys.setswitchinterval(interval)
    return found


def test_several_threads_read_without_disturbing_each_other() -> None:
    # With `ast.parse` in its place Python 3.11 fails here nearly every time.
    assert _errors(parse_python) == []


def test_the_tree_is_the_plain_one() -> None:
    assert ast.dump(parse_python(SOURCE)) == ast.dump(ast.parse(SOURCE))
    with pytest.raises(SyntaxError):
        parse_python("x = (")


def test_what_only_looks_odd_is_read_in_silence() -> None:
    assert parse_python("x = '\\d' is 1")
