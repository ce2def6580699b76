"""Records of one kind as a file of rows: JSON lines or Parquet, written as they come."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 256
"""Rows of a group in Parquet: what is in memory before it is written."""


def form_of(path: Path) -> str:
    """What the name of a file asks for."""
    return "parquet" if path.suffix == ".parquet" else "jsonl"


def check_form(form: str) -> None:
    """Refuse, before any work is done, what this installation cannot write."""
    if form == "parquet":
        _arrow()


def write_rows(path: Path, rows: Iterable[Record], kind: type[Record], form: str) -> int:
    """How many there were; only a complete file takes the place of what was there."""
    with whole_file(path) as file:
        return (_write_parquet if form == "parquet" else _write_lines)(file, rows, kind)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place to write to, which gets its name only when nothing went wrong."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def _write_lines(file: Path, rows: Iterable[Record], _kind: type[Record]) -> int:
    encoder, count = msgspec.json.Encoder(), 0
    with file.open("wb") as out:
        for row in rows:
            out.write(encoder.encode(row) + b"\n")
            count += 1
    return count


def _write_parquet(file: Path, rows: Iterable[Record], kind: type[Record]) -> int:
    arrow, waiting, count = _arrow(), iter(rows), 0
    from pyarrow import parquet

    schema = arrow.schema(_fields(arrow, kind))
    with parquet.ParquetWriter(file, schema, compression="zstd") as out:
        while group := list(islice(waiting, AT_ONCE)):
            plain = [msgspec.to_builtins(row) for row in group]
            out.write_table(arrow.Table.from_pylist(plain, schema))
            count += len(group)
    return count


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise BadInput("Parquet needs pyarrow: pip install 'kernelbenchx[parquet]'") from error
    return pyarrow


def _fields(arrow: Any, kind: type[msgspec.Struct]) -> "list[pa.Field]":
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return [arrow.field(one.encode_name, _column(arrow, one.type)) for one in found.fields]


def _column(arrow: Any, kind: inspect.Type) -> "pa.DataType":
    if isinstance(kind, inspect.Metadata):
        return _column(arrow, kind.type)
    if isinstance(kind, inspect.UnionType):
        (known,) = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return _column(arrow, known)
    if isinstance(kind, inspect.VarTupleType):
        return arrow.list_(_column(arrow, kind.item_type))
    if isinstance(kind, inspect.StructType):
        return arrow.struct(_fields(arrow, kind.cls))
    plain = {
        inspect.StrType: arrow.string,
        inspect.IntType: arrow.int64,
        inspect.FloatType: arrow.float64,
        inspect.BoolType: arrow.bool_,
    }
    return plain[type(kind)]()
