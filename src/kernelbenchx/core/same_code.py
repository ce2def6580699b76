"""Whether two sources are the same program, however they are laid out and commented."""

import ast
import hashlib
import re

from kernelbenchx.core.parsing import parsed

_UNSEEN = re.compile(r"#[^\n]*|[\s\"'(),\\\ufeff]+")
"""What can differ between two texts of one program: comments, blanks, quotes, brackets, commas."""


def code_digest(text: str) -> str:
    """Equal for equal code: comments, blank lines and the way it is set do not count."""
    try:
        meaning = ast.dump(parsed(text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        meaning = text
    return hashlib.sha256(meaning.encode("utf-8", "replace")).hexdigest()


def same_code(one: str, other: str) -> bool:
    """By their digests; only texts that look alike are parsed, since that takes a while."""
    if one == other:
        return True
    alike = _UNSEEN.sub("", one) == _UNSEEN.sub("", other)
    return alike and code_digest(one) == code_digest(other)
