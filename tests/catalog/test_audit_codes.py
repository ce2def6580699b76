"""Every audit code of a task has a meaning and a wrong answer; unknown ones are noticed.

That faithful answers pass and wrong ones fail is what certificates show: tests/tasks.
"""

import csv
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.audit_codes import FLAWS
from kernelbenchx.catalog.facts import facts

AUDITED = [name for name in catalog.names() if facts(name).audit]


@pytest.mark.parametrize("name", AUDITED)
def test_every_code_of_a_task_has_a_meaning_and_a_mutant(name: str) -> None:
    known = facts(name)
    assert set(known.audit) <= set(FLAWS)
    assert set(known.covered) == set(known.audit)
    task = catalog.load(name)
    for code, names in known.covered.items():
        covering = [one.name for one in task.wrong_answers if code in one.covers]
        assert covering and list(names) == covering, code


def test_tasks_without_a_code_are_told_from_those_with_one() -> None:
    assert "activation/selu" in AUDITED and "activation/gelu" not in AUDITED
    assert facts("activation/selu").covered == {"I-REF": ("minimum with x",)}
    assert facts("activation/gelu").covered == {}


def test_every_published_code_has_a_meaning(shared: Path) -> None:
    with (shared / "data" / "audit.csv").open(encoding="utf-8", newline="") as file:
        codes = {code for row in csv.DictReader(file) for code in row["codes"].split()}
    assert codes and codes == set(FLAWS)
