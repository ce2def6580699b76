"""The door to all rules."""

from kernelbenchx.checks.languages import LANGUAGES
from kernelbenchx.checks.rule import Expectation, Report
from kernelbenchx.core.errors import BadInput


def check(source: str, expectation: Expectation) -> Report:
    """Everything the source alone says about a submission; nothing of it runs."""
    language = LANGUAGES.get(expectation.language)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise BadInput(f"unknown language {expectation.language!r}; expected one of: {known}")
    return language.check(source, expectation)
