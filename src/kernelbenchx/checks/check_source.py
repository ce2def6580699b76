"""The entry point of all rules."""

import gc

from kernelbenchx.checks.languages import LANGUAGES
from kernelbenchx.checks.rule import Expectation, Report
from kernelbenchx.core.errors import BadInput


def check(source: str, expectation: Expectation) -> Report:
    """Everything the source alone says about a submission; nothing of it runs."""
    language = LANGUAGES.get(expectation.language)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise BadInput(f"unknown language {expectation.language!r}; expected one of: {known}")
    # A tree is many objects and its cycles are undone: looking for them only takes time.
    collects = gc.isenabled()
    gc.disable()
    try:
        return language.check(source, expectation)
    finally:
        if collects:
            gc.enable()
