"""The program inside a reply: thoughts left out, and a module made callable as the task's function.

A model that thinks aloud shows code that it then rejects, and one that was trained to rewrite
modules names its answer `ModelNew` whatever the task is called.
"""

import re

from kernelbenchx.catalog.published_signatures import entries_of
from kernelbenchx.catalog.statement import Statement
from kernelbenchx.evaluate.expectation import FALLBACK_ENTRY
from kernelbenchx.evaluate.extract import defined_names, extract_source

MODULE = "ModelNew"
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>")


def program(reply: str, statement: Statement) -> str:
    """The file that a reply holds, whatever it is."""
    return callable_as(extract_source(without_thoughts(reply), entries(statement)), statement)


def entries(statement: Statement) -> tuple[str, ...]:
    """What the program of a task may be called by, or be made callable by."""
    return (*_functions(statement), MODULE)


def _functions(statement: Statement) -> tuple[str, ...]:
    published = entries_of(statement.task) if statement.form == "function" else ()
    return (statement.entry, statement.task, *published, FALLBACK_ENTRY)


def without_thoughts(reply: str) -> str:
    """What stands behind the thoughts; all of it where nothing does."""
    # Some servers cut the opening tag off, since the prompt ends with it.
    said = _END_OF_THOUGHT.split(_THOUGHT.sub("", reply))[-1]
    return said if said.strip() else reply


def callable_as(source: str, statement: Statement) -> str:
    """With a function under the task's name where there is only the module."""
    if statement.form != "function" or MODULE not in source:
        return source
    defined = defined_names(source) or frozenset()
    if MODULE not in defined or not defined.isdisjoint(_functions(statement)):
        return source
    return f"{source.rstrip()}\n\n\ndef {FALLBACK_ENTRY}(*args, **kwargs):\n" + (
        f"    return {MODULE}()(*args, **kwargs)\n"
    )
