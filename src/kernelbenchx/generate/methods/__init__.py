"""The methods: `methods/<name>.py` is the method `<name>`, and nothing else has to be edited."""

import importlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.method import Method

ORDER = ("one_shot", "sample", "refine", "geak", "kernel_agent", "search")
"""How help lists them: from the simplest on. Others follow by name."""


def names() -> tuple[str, ...]:
    """Every method there is a file for."""
    files = {file.stem for file in Path(__file__).parent.glob("*.py") if file.stem[0] != "_"}
    return tuple(sorted(files, key=lambda name: (name not in ORDER, _place(name), name)))


def load(name: str) -> type[Method]:
    """The record of a method: calling it with options makes the method."""
    if name not in names():
        raise BadInput(f"no method is called {name!r}: one of {', '.join(names())}")
    module = importlib.import_module(f"{__name__}.{name}")
    found: type[Method] = module.METHOD
    return found


def made(name: str, options: Mapping[str, object]) -> Method:
    """A method with these options, which may be words as a person types them."""
    kind = load(name)
    known = options_of(kind)
    for option in options:
        if option not in known:
            has = ", ".join(known) or "none"
            raise BadInput(f"{name} has no option {option!r}; it has: {has}")
    try:
        plain = {name: None if said == "none" else said for name, said in options.items()}
        return msgspec.convert(plain, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"options of {name}: {error}") from error


def options_of(kind: type[Method]) -> tuple[str, ...]:
    """The names of a method's options."""
    fields: tuple[str, ...] = kind.__struct_fields__
    return fields


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)
