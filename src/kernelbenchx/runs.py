"""`load_run`: the results of a run, as records, rows or tables; without torch."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelbenchx.core.arguments import require_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.store.evaluation_lookup import find, newest
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.query import ask, column_kinds
from kernelbenchx.store.sources import read_sources

if TYPE_CHECKING:
    import pandas
    import pyarrow

_PANDAS_KINDS = {"text": "string", "whole": "Int64", "number": "Float64", "flag": "boolean"}


def load_run(path: str | os.PathLike[str]) -> "RunResults":
    """Open a run folder for reading; a path to its database is accepted, also a packed one."""
    require_type("load_run()", path, (str, os.PathLike), "the path of a run")
    where = Path(path)
    if not where.exists():
        raise BadInput(f"{where} does not exist")
    RunFolder.existing(where)
    opened = RunResults(where)
    opened.query("SELECT count(*) AS n FROM evaluations")
    return opened


@dataclass(frozen=True)
class RunResults:
    """A run, open for reading. Nothing is changed."""

    path: Path

    @cached_property
    def results(self) -> tuple[Evaluation, ...]:
        """The newest evaluation of every submission, in the order in which they were made.

        Read once, without raw samples: those are in the table `samples`.
        """
        return tuple(one.evaluation for one in newest(self.path))

    def find(self, submission: str) -> Evaluation:
        """The newest evaluation of that name."""
        require_type("find()", submission, str, "the name of a submission")
        return find(self.path, submission).evaluation

    def read_source(self, evaluation: Evaluation) -> str:
        """The source that was judged."""
        require_type("read_source()", evaluation, Evaluation, "an Evaluation")
        digest = evaluation.digest
        found = read_sources([self.path], [digest])
        if digest not in found:
            raise BadInput(f"{self.path} does not hold the source of {evaluation.submission}")
        return found[digest]

    def query(self, sql: str) -> list[dict[str, Any]]:
        """Rows of one read-only SQL statement over the tables of the run."""
        require_type("query()", sql, str, "a text of SQL")
        answer = ask([self.path], sql)
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]

    def to_arrow(self, table: str = "evaluations") -> "pyarrow.Table":
        """A table of the run for Arrow and Parquet; `evaluations` has one row for each
        evaluation."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise BadInput(
                "to_arrow() needs pyarrow: pip install 'kernelbenchx[parquet]'"
            ) from error
        kinds = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64(),
                 "flag": pa.bool_()}  # fmt: skip
        schema = pa.schema([(name, kinds[kind]) for name, kind in column_kinds(table).items()])
        return pa.Table.from_pydict(self._columns(table), schema)

    def to_pandas(self, table: str = "evaluations") -> "pandas.DataFrame":
        """The same for pandas; unknown values are `<NA>`."""
        try:
            import pandas
        except ImportError as error:
            raise BadInput(
                "to_pandas() needs pandas: pip install 'kernelbenchx[pandas]'"
            ) from error
        kinds = column_kinds(table)
        columns = {
            name: pandas.array(values, dtype=_PANDAS_KINDS[kinds[name]])
            for name, values in self._columns(table).items()
        }
        return pandas.DataFrame(columns)

    def _columns(self, table: str) -> dict[str, list[Any]]:
        kinds = column_kinds(table)
        answer = ask([self.path], f"SELECT {', '.join(kinds)} FROM {table}")
        columns = zip(*answer.rows, strict=True) if answer.rows else ((),) * len(kinds)
        return {
            name: [_flag(one) for one in values] if kinds[name] == "flag" else list(values)
            for name, values in zip(kinds, columns, strict=True)
        }


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)
