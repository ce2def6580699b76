"""The docstring of a file of the suite: one sentence, then `key: value` fields."""

import ast

from kernelbenchx.core.errors import KbxError


class BrokenAttack(KbxError):
    """A file of the suite does not say what it must get."""


def read_header(name: str, source: str, known: frozenset[str]) -> tuple[str, dict[str, str]]:
    """First line and `key: value` lines of the module's docstring."""
    try:
        text = ast.get_docstring(ast.parse(source)) or ""
    except SyntaxError as error:
        raise BrokenAttack(f"{name}: not Python: {error}") from error
    what, _, rest = text.partition("\n")
    if not what.endswith("."):
        raise BrokenAttack(f"{name}: its docstring must begin with one sentence")
    fields: dict[str, str] = {}
    for line in filter(str.strip, rest.splitlines()):
        key, colon, value = line.partition(":")
        if not colon or key not in known or key in fields or not value.strip():
            raise BrokenAttack(f"{name}: {line!r} is not one of {', '.join(sorted(known))}")
        fields[key] = value.strip()
    return what, fields


def require(name: str, fields: dict[str, str], wanted: tuple[str, ...]) -> None:
    """Check that the header has all of these fields."""
    missing = [key for key in wanted if key not in fields]
    if missing:
        raise BrokenAttack(f"{name}: says nothing about {', '.join(missing)}")


def one_of(name: str, word: str, known: tuple[str, ...]) -> str:
    """The word, which must be a known one."""
    if word not in known:
        raise BrokenAttack(f"{name}: {word!r} is not one of {', '.join(known)}")
    return word


def several_of(name: str, text: str, known: tuple[str, ...]) -> frozenset[str]:
    """Words between bars, each a known one."""
    return frozenset(one_of(name, word, known) for word in text.split("|"))
