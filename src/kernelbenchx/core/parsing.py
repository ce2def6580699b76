"""Parses Python, also from several threads at once."""

import ast
import threading
import warnings

_ONE_AT_A_TIME = threading.RLock()


def parse_python(text: str) -> ast.Module:
    """Like `ast.parse`, which is not thread-safe, and without warnings.

    Python 3.11 counts the depth of new trees for all threads together. If the garbage collector
    lets another thread parse in the middle of one, both end in a `SystemError`.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
