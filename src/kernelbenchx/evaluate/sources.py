"""Builds one submission from what a program holds: a text, a path, or a submission."""

import os
from pathlib import Path

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.arguments import describe_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.text import replace_surrogates
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.extract import extract_source
from kernelbenchx.evaluate.intake import read_intake

Source = str | os.PathLike[str] | Submission
"""A `str` is the text of a kernel or a reply with one in a fence; a path names a file."""
DIGITS = 10
"""Digits of a text's digest in its name."""


def read_source(source: Source, task: str | None = None) -> Submission:
    """The submission in a source; `task` may be omitted if a file name says it."""
    if isinstance(source, Submission):
        return _with_known_task(source, task)
    if isinstance(source, str):
        return _read_text(source, task)
    if isinstance(source, os.PathLike):
        return _read_path(Path(source), task)
    raise TypeError(f"a source is a text, a Path or a Submission, not {describe_type(source)}")


def text_or_path(source: Source) -> Source:
    """The same, but a `str` of one line is a path: for input that a person typed, not a model."""
    return Path(source) if isinstance(source, str) and "\n" not in source else source


def _read_text(text: str, task: str | None) -> Submission:
    if task is None:
        raise BadInput("a source text does not say its task: name it, as in task='relu'")
    name = catalog.select_one(task)
    source = extract_source(replace_surrogates(text), accepted_entries(facts(name)))
    made = Submission(name="", task=name, source=source)
    bare = name.partition("/")[2]
    return msgspec.structs.replace(made, name=f"{bare}__{made.digest[:DIGITS]}")


def _read_path(path: Path, task: str | None) -> Submission:
    if path.is_dir() or path.suffix == ".jsonl":
        raise BadInput(f"{path} may hold several submissions: use read_submissions()")
    return read_intake([path], task).submissions[0]


def _with_known_task(submission: Submission, task: str | None) -> Submission:
    name = catalog.select_one(submission.task)
    if task is not None and catalog.select_one(task) != name:
        raise BadInput(f"the submission {submission.name} is for {name}, not for {task}")
    return msgspec.structs.replace(submission, task=name)
