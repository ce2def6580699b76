"""Resources that a compiled kernel needs of a GPU: from the compiler, or a noted guess.

Nothing is compiled where kernels are interpreted. An evaluation compiles the launches of a wrapper
that read a guess and makes the calls again with the numbers of the compiler.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["GUESS", "Needs", "key_of", "known_needs"]

_SEEN_BY_VALUE = ("constexpr", "descriptor", "none")
"""Kinds of arguments of which everything is part of a binary."""


class Needs(NamedTuple):
    """Resource needs of one binary."""

    registers: int
    shared_bytes: int


GUESS = Needs(registers=32, shared_bytes=1024)


def key_of(launch: dict[str, Any]) -> str:
    """Equal for launches of one binary, up to alignment and integers of 1."""
    named = [launch.get(name) for name in ("kernel", "line", "captured", "options")]
    return json.dumps([*named, [_form(one) for one in launch["args"]]], sort_keys=True)


def known_needs(binaries: Iterable[dict[str, Any]]) -> dict[str, Needs]:
    """By the key of a launch."""
    return {
        key_of(one["launch"]): Needs(int(one["registers"]), int(one["shared_bytes"]))
        for one in binaries
    }


def _form(argument: dict[str, Any]) -> Any:
    if argument["kind"] in _SEEN_BY_VALUE:
        return argument
    items = [_form(item) for item in argument.get("items", ())]
    return [argument.get("name"), argument["kind"], argument.get("dtype"), items]
