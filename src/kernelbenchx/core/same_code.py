"""Whether two sources are the same program, regardless of layout and comments."""

import ast
import hashlib
from functools import lru_cache

from kernelbenchx.core.parsing import parse_python

_KEPT = 128
"""Texts whose digests are cached: parsing takes a while, and a step ends where one begins."""


@lru_cache(_KEPT)
def code_digest(text: str) -> str:
    """Equal for equal code: comments, blank lines and formatting do not count."""
    try:
        meaning = ast.dump(parse_python(text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        meaning = text
    return hashlib.sha256(meaning.encode("utf-8", "replace")).hexdigest()


def same_code(one: str, other: str) -> bool:
    """Compare by digest: comparing texts alone cannot tell that `0x400` and 1024 are one number."""
    return one == other or code_digest(one) == code_digest(other)
