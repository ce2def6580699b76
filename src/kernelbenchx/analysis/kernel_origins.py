"""The authors of a table's kernels, and how many kernels are witnesses of their tasks."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cache

from kernelbenchx import catalog
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.frame import AttemptFrame
from kernelbenchx.analysis.published_attempts import RUN

MOST_NAMED = 12
"""Methods that a note names."""


def who_wrote(frame: AttemptFrame) -> str:
    """The method, or how many there are."""
    there = {frame.author.labels[code] for code in frame.author.codes.tolist()}
    return str(*there) if len(there) == 1 else f"{len(there)} methods"


def whose_kernels(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Notes: the methods with their kernels, and the witnesses among these."""
    counted = [one for one in attempts if one.counts and one.run != RUN]
    if not counted:
        return ()
    names = author_names(counted)
    kernels = Counter(names[one.method, one.model] for one in counted)
    named = [f"{name} ({many:,})" for name, many in sorted(kernels.items())]
    if len(named) > MOST_NAMED:
        named[MOST_NAMED:] = [f"and {len(named) - MOST_NAMED} more methods"]
    said = [f"These runs hold kernels of {', '.join(named)}."]
    ours = sum(is_witness(one) for one in counted)
    if ours:
        said.append(
            f"{ours:,} of {len(counted):,} are witnesses: kernels of this project, which show that "
            "a task can be solved. No model wrote them: verdicts on them say nothing about models."
        )
    return tuple(said)


def is_witness(one: Attempt) -> bool:
    """Whether its source is that of the task's witness, character by character."""
    return one.digest == _witness_digest(one.task)


@cache
def _witness_digest(task: str) -> str | None:
    """None where the task is not in the catalogue or has no witness."""
    try:
        source = catalog.witness_path(task).read_bytes()
    except OSError:
        return None
    return hashlib.sha256(source).hexdigest()
