"""The methods: `methods/<name>.py` is the method `<name>`, and nothing else has to be edited."""

import importlib
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.method import Method

ORDER = ("one_shot", "sample", "refine", "geak", "kernel_agent", "search")
"""How help lists them: from the simplest on. Others follow by name."""
NONE = "none"
"""How a user writes that an option has no value."""

_EXPECTED = re.compile(r"Expected `([^`]+)`( [<>]=? \S+)?(?:, got .+)? - at `\$\.(\w+)`")
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "null": NONE}


@dataclass(frozen=True)
class MethodOption:
    """An option of a method, for help."""

    name: str
    default: str
    words: str


def names() -> tuple[str, ...]:
    """Every method there is a file for."""
    files = {file.stem for file in Path(__file__).parent.glob("*.py") if file.stem[0] != "_"}
    return tuple(sorted(files, key=lambda name: (name not in ORDER, _place(name), name)))


def load(name: str) -> type[Method]:
    """The record of a method: calling it with options makes the method."""
    if name not in names():
        raise BadInput(f"unknown method {name!r}; choose one of {', '.join(names())}")
    module = importlib.import_module(f"{__name__}.{name}")
    found: type[Method] = module.METHOD
    return found


def make_method(name: str, options: Mapping[str, object]) -> Method:
    """A method with these options, which may be words as a person types them."""
    kind = load(name)
    known = kind.__struct_fields__
    for option in options:
        if option not in known:
            raise BadInput(f"{name} has no option {option!r}; it has: {', '.join(known) or NONE}")
    plain = {option: None if said == NONE else said for option, said in options.items()}
    try:
        return msgspec.convert(plain, kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadInput(f"options of {name}: {_explain_type_error(str(error), plain)}") from error


def _explain_type_error(said: str, options: Mapping[str, object]) -> str:
    """A type error of msgspec in plain words."""
    found = _EXPECTED.fullmatch(said)
    if found is None:
        return said
    kind, bound, option = found.groups()
    words = " or ".join(_KINDS.get(one, one) for one in kind.split(" | "))
    return f"{option} must be {words}{bound or ''}, not {options.get(option)}"


def about(name: str) -> str:
    """A method in one line."""
    return (load(name).__doc__ or "").partition("\n")[0]


def options_of(name: str) -> list[MethodOption]:
    """The options of a method, with the source's defaults."""
    kind = load(name)
    hints, plain = typing.get_type_hints(kind, include_extras=True), kind()
    found = []
    for option in kind.__struct_fields__:
        metas = getattr(hints[option], "__metadata__", ())
        words = next((str(meta.description) for meta in metas if meta.description), "")
        found.append(MethodOption(option, _format_default(getattr(plain, option)), words))
    return found


def _format_default(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return NONE if value is None else str(value)


def _place(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)
