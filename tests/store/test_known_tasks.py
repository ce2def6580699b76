"""Facts of a task, from a run's own statement first and the catalogue second."""

import json

from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.grades import Grade
from kernelbenchx.store.known_tasks import known_task


def test_the_statement_of_a_run_comes_first() -> None:
    stated = json.dumps({"category": "Other", "dtypes": ["float64"], "difficulty": 9})
    found = known_task("activation/relu", stated)
    assert (found.category, found.dtypes, found.difficulty) == ("Other", ("float64",), 9)
    assert known_task("activation/relu", json.dumps({"category": "Other", "dtypes": []})) != found


def test_what_no_statement_says_the_catalogue_does() -> None:
    known, found = facts("activation/relu"), known_task("activation/relu", None)
    assert (found.category, found.dtypes) == ("Activation", known.dtypes)
    assert found.difficulty == known.difficulty


def test_a_task_that_is_not_here_has_no_facts() -> None:
    found = known_task("activation/gone", None)
    assert (found.category, found.difficulty, found.dtypes) == ("Activation", 0, ())
    assert found.grade is Grade.IMPORTED
