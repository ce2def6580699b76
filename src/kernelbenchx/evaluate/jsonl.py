"""Reads rows of a JSONL file; a line that cannot be read costs only that row."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from kernelbenchx.core.errors import BadInput

MAX_ROW_BYTES = 16 << 20
"""A longer line is passed over without being held in memory."""
_BOM = b"\xef\xbb\xbf"
_SKIP_BYTES = 1 << 20


@dataclass(frozen=True)
class JsonlRow:
    """One line that is not blank."""

    number: int
    """Line number, from 1."""
    values: dict[str, Any]
    error: str = ""
    """Why it cannot be read; then there are no values."""


def read_rows(path: Path) -> Iterator[JsonlRow]:
    """Read every row. Only a line feed ends a line: other line separators belong to strings."""
    try:
        if path.exists() and not path.is_file():
            raise BadInput(f"{path} is not a file")
        with path.open("rb") as file:
            yield from _rows(file)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error


def _rows(file: BinaryIO) -> Iterator[JsonlRow]:
    number = 0
    while line := file.readline(MAX_ROW_BYTES + 1):
        number += 1
        if len(line) > MAX_ROW_BYTES:
            _skip_line(file, line)
            yield JsonlRow(number, {}, f"longer than {MAX_ROW_BYTES >> 20} MiB")
            continue
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield _row(number, line)


def _skip_line(file: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = file.readline(_SKIP_BYTES)


def _row(number: int, line: bytes) -> JsonlRow:
    try:
        values = json.loads(line.decode("utf-8"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        return JsonlRow(number, {}, f"not UTF-8 text: {error.reason} at byte {error.start}")
    except RecursionError:
        return JsonlRow(number, {}, "not JSON that can be read: nested too deeply")
    except ValueError as error:
        return JsonlRow(number, {}, f"not JSON: {error}")
    if not isinstance(values, dict):
        return JsonlRow(number, {}, "expected an object")
    return JsonlRow(number, values)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing a repeated key: either value could be meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {counts.most_common(1)[0][0][:40]!r} comes twice")
    return found
