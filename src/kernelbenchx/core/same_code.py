"""Whether two sources are the same program, however they are laid out and commented."""

import ast
import hashlib
from functools import lru_cache

from kernelbenchx.core.parsing import parse_python

_KEPT = 128
"""Texts whose digests are remembered: parsing takes a while, and a step ends where one begins."""


@lru_cache(_KEPT)
def code_digest(text: str) -> str:
    """Equal for equal code: comments, blank lines and the way it is set do not count."""
    try:
        meaning = ast.dump(parse_python(text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        meaning = text
    return hashlib.sha256(meaning.encode("utf-8", "replace")).hexdigest()


def same_code(one: str, other: str) -> bool:
    """By their digests: no look at the texts alone tells `0x400` from another number than 1024."""
    return one == other or code_digest(one) == code_digest(other)
