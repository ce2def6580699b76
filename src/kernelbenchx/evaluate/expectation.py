"""From a task's facts to what its statement promised about a submission's form."""

from collections.abc import Iterable

from kernelbenchx.catalog.facts import Facts
from kernelbenchx.catalog.facts import Parameter as ParameterFacts
from kernelbenchx.checks.rule import Expectation, Form, Kind, Parameter, Randomness

FALLBACK_ENTRY = "kernel_function"


def accepted_entries(facts: Facts) -> tuple[str, ...]:
    """The name in the statement first, then the task's name, then the published fallback."""
    return tuple(dict.fromkeys((facts.entry, facts.name, FALLBACK_ENTRY)))


def expectation_of(facts: Facts, language: str) -> Expectation:
    """What the source checks compare a submission with."""
    called = tuple(
        Parameter(one.name, Kind(one.kind.lower()), one.has_default) for one in facts.parameters
    )
    making = None
    if facts.problem is not None:
        called, making = _by_place(facts.parameters), _by_place(facts.problem.parameters)
    return Expectation(
        entries=accepted_entries(facts),
        parameters=called,
        init=making,
        form=Form(facts.form),
        randomness=Randomness(facts.randomness),
        language=language,
    )


def _by_place(parameters: Iterable[ParameterFacts]) -> tuple[Parameter, ...]:
    """Modules of KernelBench are made and called with positional arguments alone."""
    return tuple(Parameter(one.name, Kind.POSITIONAL_ONLY, one.has_default) for one in parameters)
