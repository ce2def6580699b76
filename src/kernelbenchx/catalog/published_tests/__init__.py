"""The tests that the KernelBench-X paper published with its tasks, as data, also of tasks not here.

`<category>.json` holds what a test draws and calls, in order; `worker/published_program.py` says
how that is written and runs it. `scripts/convert_published_tests.py` makes these files from a copy
of the published repository. `honest_failures.json` says where kernels fail that keep to the
published statement.
"""

from functools import cache
from pathlib import Path
from typing import Any

from kernelbenchx.core.record import Record, from_json

FOLDER = Path(__file__).parent
_REASONS = FOLDER / "honest_failures.json"


class Thresholds(Record, frozen=True, kw_only=True):
    """How near a quantization task's tensor must be to the reference's, over the whole of it."""

    cosine: float
    """At least."""
    l1: float
    """Sum of differences over sum of reference values, at most."""
    rmse: float
    """At most."""


class HonestFailure(Record, frozen=True, kw_only=True):
    """Why a kernel that keeps to the published statement fails the published test."""

    code: str
    """As in `audit_codes.FLAWS`."""
    why: str


class PublishedTest(Record, frozen=True, kw_only=True):
    """What the test of a task draws and calls, and how its results are compared."""

    calls: str
    """The name that the test calls."""
    needs: tuple[str, ...] = ()
    """Other names that the test finds only if the submission defines or imports them."""
    difficulty: int | None = None
    """From 1 to 5; None for files that the published list of 176 tasks leaves out."""
    thresholds: Thresholds | None = None
    steps: list[Any]
    """A program of `worker/published_program.py`."""

    @property
    def program(self) -> dict[str, Any]:
        """As a worker runs it."""
        return {"steps": self.steps}


def is_in_published_list(name: str) -> bool:
    """Whether `category/name` is one of the published 176 tasks; files of other precisions lie
    beside the list."""
    found = published_test(name)
    return found is not None and found.difficulty is not None


def published_test(name: str) -> PublishedTest | None:
    """Of the task `category/name`; None where no test was published."""
    category, _, task = name.partition("/")
    return _tests_of(category).get(task)


def why_honest_kernels_fail(name: str) -> HonestFailure | None:
    """None where nothing is known that stands against them."""
    return _reasons().get(name)


def is_infeasible(name: str) -> bool:
    """Whether no kernel that keeps to the published statement passes the published test."""
    reason = why_honest_kernels_fail(name)
    return reason is not None and reason.code.startswith("I-")


@cache
def _tests_of(category: str) -> dict[str, PublishedTest]:
    path = FOLDER / f"{category}.json"
    if path == _REASONS or not path.exists():
        return {}
    return from_json(path.read_bytes(), dict[str, PublishedTest])


@cache
def _reasons() -> dict[str, HonestFailure]:
    return from_json(_REASONS.read_bytes(), dict[str, HonestFailure])
