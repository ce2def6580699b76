"""Submissions in Triton: one parse, then every rule over it."""

import ast
import re

from kernelbenchx.checks.composition import composition, torch_work
from kernelbenchx.checks.entry import bind_entry, entry, find_entry
from kernelbenchx.checks.fallback import fallback
from kernelbenchx.checks.idioms import idioms
from kernelbenchx.checks.imports import imports, parts, without_idle_imports
from kernelbenchx.checks.introspection import introspection, modules
from kernelbenchx.checks.kernel_body import kernel_body
from kernelbenchx.checks.kernels import called_kernels, decorators, kernels
from kernelbenchx.checks.randomness import randomness
from kernelbenchx.checks.rule import Expectation, Report, SourceRule, Subject, in_order
from kernelbenchx.checks.scopes import Unreadable
from kernelbenchx.checks.source import MOST_CHARACTERS, parse
from kernelbenchx.checks.state import state
from kernelbenchx.core.outcome import Composition, Finding

RULES: tuple[SourceRule, ...] = (
    entry,
    imports,
    parts,
    kernels,
    decorators,
    called_kernels,
    kernel_body,
    fallback,
    introspection,
    modules,
    state,
    idioms,
    randomness,
    torch_work,
)


SOURCE, NO_CODE = "source", "no_code"
"""Rules of a text that cannot be read: code that is not Python, and no code at all."""
_LINE_OF_CODE = re.compile(
    r"""^[ \t]*(?:
        (?:async[ \t]+)?def[ \t]+\w+[ \t]*\(
        | class[ \t]+\w+[ \t]*[(:]
        | @[\w.]+[ \t]*(?:\(|$)
        | import[ \t]+[\w.]+[ \t]*(?:,|as\b|\#|$)
        | from[ \t]+[\w.]+[ \t]+import\b
        | [A-Za-z_][\w.]*[ \t]*=
    )""",
    re.MULTILINE | re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_PROSE = Finding(rule=NO_CODE, line=1, why="there is no code: no function, class or import")


def check(text: str, expectation: Expectation) -> Report:
    """Parse once and apply `RULES`; a text that cannot be parsed is one finding."""
    try:
        source = parse(text)
        if not _does_anything(source.tree):
            return _unread(_PROSE)
        found = find_entry(source, expectation.entries, expectation.form)
        subject = Subject(source, expectation, found, bind_entry(source, expectation, found))
        findings = in_order(finding for rule in RULES for finding in rule(subject))
        report = Report(
            findings=findings,
            composition=composition(subject, findings),
            entry=subject.entry.name,
            runs=without_idle_imports(source),
            binding=subject.bound.binding,
        )
        source.names.forget()
        return report
    except Unreadable as error:
        if _is_prose(text):
            return _unread(_PROSE)
        return _unread(Finding(rule=SOURCE, line=error.line, why=error.why))
    except (RecursionError, MemoryError):
        return _unread(Finding(rule=SOURCE, line=1, why="nested too deeply to be checked"))


def _does_anything(tree: ast.Module) -> bool:
    """A word is an expression of Python, too; so is a sentence in quotes."""
    return any(
        not isinstance(one, ast.Expr) or any(isinstance(node, ast.Call) for node in ast.walk(one))
        for one in tree.body
    )


def _is_prose(text: str) -> bool:
    """Whether a text is words, without a line that begins like code: no attempt at a kernel."""
    if len(text) > MOST_CHARACTERS or _LINE_OF_CODE.search(text):
        return False
    return any(len(_WORD.findall(line.partition("#")[0])) > 1 for line in text.split("\n"))


def _unread(finding: Finding) -> Report:
    return Report(findings=(finding,), composition=Composition.NOT_A_KERNEL, entry="")
