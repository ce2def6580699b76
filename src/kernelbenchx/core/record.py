"""The frozen base of all records that cross a process, disk or network boundary."""

from typing import Any, TypeVar

import msgspec

R = TypeVar("R")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Immutable, compared by value, refuses fields it does not know."""


def to_json(record: object) -> bytes:
    """Compact JSON; infinities and NaN become strings, since JSON cannot express them."""
    return msgspec.json.encode(_spell_non_finite(msgspec.to_builtins(record)))


def to_plain(record: object) -> Any:
    """Dictionaries and lists with the same content as `to_json`."""
    return _spell_non_finite(msgspec.to_builtins(record))


def from_json(data: bytes | str, kind: type[R]) -> R:
    """The inverse of `to_json`; raises `msgspec.ValidationError` on anything else."""
    return msgspec.json.decode(data, type=kind, strict=False)


def _spell_non_finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _spell_non_finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spell_non_finite(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return repr(value)
    return value
