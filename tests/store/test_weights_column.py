"""The column that says how modules got their weights."""

import msgspec

from kernelbenchx.core.outcome import Correct
from kernelbenchx.store.database import in_memory
from samples import evaluation


def test_the_column_follows_the_record() -> None:
    right = evaluation(outcome=Correct(cases=1, worst=0.1))
    with in_memory() as database:
        database.append("a", msgspec.structs.replace(right, weights="place"), "source")
        database.append("b", right, "source")
        rows = database.connection.execute("SELECT key, weights FROM evaluations ORDER BY key")
        assert [tuple(row) for row in rows] == [("a", "place"), ("b", "")]
