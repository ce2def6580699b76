"""Which languages a submission may be written in, and what is checked in each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kernelbenchx.checks import cuda_rules, triton_rules
from kernelbenchx.checks.rule import Expectation, Report

Check = Callable[[str, Expectation], Report]


@dataclass(frozen=True)
class Language:
    """One language: how its text is parsed and judged before anything runs."""

    name: str
    check: Check


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "triton": Language("triton", triton_rules.check),
        "cuda": Language("cuda", cuda_rules.check),
    }
)
"""A task names its language; each has its own parse and its own tuple of rules."""
