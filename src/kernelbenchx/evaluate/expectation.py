"""Derives from a task's facts what its statement promises about a submission's form."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from kernelbenchx.catalog.facts import Facts
from kernelbenchx.catalog.published_signatures import published_signatures
from kernelbenchx.checks.binding import map_names
from kernelbenchx.checks.rule import (
    Expectation,
    Form,
    ParameterKind,
    Randomness,
    SignatureParameter,
)
from kernelbenchx.checks.signatures import parse_signature

FALLBACK_ENTRY = "kernel_function"


def accepted_entries(facts: Facts) -> tuple[str, ...]:
    """The name in the statement first, then the task's name, then published ones."""
    published = published_signatures(f"{facts.category}/{facts.name}").entries
    return tuple(dict.fromkeys((facts.entry, facts.name, *published, FALLBACK_ENTRY)))


def expectation_of(facts: Facts, language: str) -> Expectation:
    """What the source checks compare a submission with."""
    called = _parameters(facts.signature, form=facts.form)
    making = None
    if facts.problem is not None:
        called = _by_place(called)
        making = _by_place(_parameters(facts.problem.constructor, form=facts.form))
    return Expectation(
        entries=accepted_entries(facts),
        parameters=called,
        init=making,
        other_names=_other_names(f"{facts.category}/{facts.name}", called),
        form=Form(facts.form),
        randomness=Randomness(facts.randomness),
        language=language,
    )


@cache
def _parameters(signature: str, *, form: str) -> tuple[SignatureParameter, ...]:
    """Without `self`."""
    found = parse_signature(signature)[1]
    return found[1:] if form == "module" and found[:1] and found[0].name == "self" else found


@cache
def _other_names(task: str, wanted: tuple[SignatureParameter, ...]) -> tuple[dict[str, str], ...]:
    forms = published_signatures(task).by_source
    return tuple(map_names(wanted, parse_signature(form)[1]) for _, form in forms)


def _by_place(parameters: Iterable[SignatureParameter]) -> tuple[SignatureParameter, ...]:
    """Modules of KernelBench are constructed and called with positional arguments only."""
    return tuple(replace(one, kind=ParameterKind.POSITIONAL_ONLY) for one in parameters)
