"""Claims about choices: two runs that differ in feedback, examples or hardware facts alone.

Runs of one method with other choices are methods of their own, named by what differs:
`refine feedback=G+E`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import numpy as np

from kernelbenchx.analysis.claim_findings import ClaimFinding
from kernelbenchx.analysis.claim_rounds import best_by_task, measure_gain, measured_of
from kernelbenchx.analysis.fast_p import FastAttempts
from kernelbenchx.analysis.frame import AttemptFrame
from kernelbenchx.analysis.intervals import Floats

_CHOICE = re.compile(r" (\w+)=(.*?)(?= \w+=|$)")
_NONE = ("none", "0", "")
NEVER = "never"
"""Of examples of optimization in refinement."""
_OTHER_CALLS = "judged on different calls: the runs have different seeds"
_FOLLOW = ("templates", "max_tokens")
"""They differ because something else does, and are not compared."""


class MethodChoices(NamedTuple):
    """A method as its name says it was run."""

    author: str
    model: str
    base: str
    choices: dict[str, str]


def choice_findings(own: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Of one GPU: every pair of methods that differ in one of these choices alone."""
    measure, asked, fast = measured_of(own)
    authors = {
        label: chosen_as(label, one.method, one.model)
        for label, one in zip(
            (asked.author.labels[code] for code in asked.author.codes), asked.attempts, strict=True
        )
    }
    for less, more in permutations(authors.values(), 2):
        claim = claim_of(less, more)
        if claim:
            sides = _share_fast_by_task(asked, fast, less.author, more.author)
            if sides is not None:
                subject = f"{more.author} against {less.author}, {gpu}"
                found = measure_gain(claim, subject, measure, sides)
                yield (
                    replace(found, note=_OTHER_CALLS)
                    if _differ_in_calls(asked, less, more)
                    else found
                )


def _differ_in_calls(frame: AttemptFrame, less: MethodChoices, more: MethodChoices) -> bool:
    """Whether some seed drew the calls of one of both alone."""
    codes = [frame.author.codes == frame.author.labels.index(one.author) for one in (less, more)]
    first, second = (set(frame.seed.codes[own].tolist()) for own in codes)
    return first != second


def chosen_as(author: str, method: str, model: str) -> MethodChoices:
    """From the name of a method."""
    choices = dict(_CHOICE.findall(method))
    return MethodChoices(author, model, _CHOICE.sub("", method), choices)


def claim_of(less: MethodChoices, more: MethodChoices) -> str | None:
    """Which claim the step from one to the other is about; None where it is about none."""
    if (less.base, less.model) != (more.base, more.model):
        return None
    names = {*less.choices, *more.choices} - set(_FOLLOW)
    apart = {name for name in names if less.choices.get(name) != more.choices.get(name)}
    if apart == {"feedback"}:
        return _FEEDBACK.get((less.choices.get("feedback", ""), more.choices.get("feedback", "")))
    if apart == {"examples"} and _has_fewer_examples(less.choices, more.choices):
        return "examples_do_not_help"
    if apart == {"optimization"} and less.choices.get("optimization", NEVER) == NEVER:
        return "examples_do_not_help"
    if apart and apart <= {"hardware", "hardware_facts"}:
        told = more.choices.get("hardware", "") not in _NONE
        return (
            "hardware_facts_help_little" if _lacks_hardware_facts(less.choices) and told else None
        )
    return None


_FEEDBACK = {
    ("G", "G+E"): "gain_by_execution_feedback",
    ("G+E", "G+E+P"): "gain_by_profile",
}


def _has_fewer_examples(less: dict[str, str], more: dict[str, str]) -> bool:
    one, other = less.get("examples", "0"), more.get("examples", "0")
    if one.isdigit() and other.isdigit():
        return int(one) < int(other)
    return one in _NONE and other not in _NONE


def _lacks_hardware_facts(choices: dict[str, str]) -> bool:
    return choices.get("hardware", "") in _NONE


def _share_fast_by_task(
    frame: AttemptFrame, fast: FastAttempts, first: str, second: str
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]] | None:
    """Shares by task of answers with a fast kernel in any round, over the tasks both tried."""
    labels = frame.author.labels
    tried = [frame.author.codes == labels.index(name) for name in (first, second)]
    both = np.intersect1d(*(frame.task.codes[own] for own in tried))
    if not both.size:
        return None
    found = []
    for own in tried:
        rows = own & np.isin(frame.task.codes, both)
        found.append(best_by_task(frame, fast, rows, rows))
    return found[0], found[1]
