import json
import sqlite3
from contextlib import closing

import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import from_json
from kernelbenchx.store.renames import FIRST_VERSION, MIGRATION, VALUES
from kernelbenchx.store.schema import STEPS
from old_runs import EARLIER, old_record


def _renamed(table: str, text: str) -> str:
    """What becomes of the text of a record."""
    with closing(sqlite3.connect(":memory:")) as connection:
        (found,) = connection.execute(
            f"SELECT {VALUES[table, 'record']} FROM (SELECT ? AS record)", (text,)
        ).fetchone()
        return str(found)


def test_the_step_stands_where_the_version_says() -> None:
    assert STEPS[FIRST_VERSION - 1] == MIGRATION


@pytest.mark.parametrize("table", ["evaluations", "feedback"])
def test_keys_are_renamed_and_texts_are_left_alone(table: str) -> None:
    old = {"pace": "tie", "tier": "wall", "detail": '"pace":"tier":"wall"', "why": "pace"}
    written = json.dumps(old, separators=(",", ":"))
    assert json.loads(_renamed(table, written)) == {
        "speed_class": "tie",
        "tier": "host_timed",
        "detail": '"pace":"tier":"wall"',
        "why": "pace",
    }


def test_an_old_record_can_be_read_only_under_its_new_names() -> None:
    with pytest.raises(Exception, match="unknown field"):
        from_json(old_record(EARLIER), Evaluation)
    assert from_json(_renamed("evaluations", old_record(EARLIER)), Evaluation).performance


def test_a_trial_says_in_detail_why_it_failed() -> None:
    assert _renamed("trials", '{"said":"no"}') == '{"detail":"no"}'
