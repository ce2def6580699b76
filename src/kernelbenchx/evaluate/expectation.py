"""From a task's facts to what its statement promised about a submission's form."""

from kernelbenchx.catalog.facts import Facts
from kernelbenchx.checks.rule import Expectation, Form, Kind, Parameter, Randomness

FALLBACK_ENTRY = "kernel_function"


def accepted_entries(facts: Facts) -> tuple[str, ...]:
    """The name in the statement first, then the task's name, then the published fallback."""
    return tuple(dict.fromkeys((facts.entry, facts.name, FALLBACK_ENTRY)))


def expectation_of(facts: Facts, language: str) -> Expectation:
    """What the source checks compare a submission with."""
    return Expectation(
        entries=accepted_entries(facts),
        parameters=tuple(
            Parameter(one.name, Kind(one.kind.lower()), one.has_default) for one in facts.parameters
        ),
        form=Form(facts.form),
        randomness=Randomness(facts.randomness),
        language=language,
    )
