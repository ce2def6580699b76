"""Submissions in Triton: one parse, then every rule over it."""

from kernelbenchx.checks.composition import composition, torch_work
from kernelbenchx.checks.entry import bind_entry, entry, find_entry
from kernelbenchx.checks.fallback import fallback
from kernelbenchx.checks.imports import imports, parts, without_idle_imports
from kernelbenchx.checks.introspection import introspection, modules
from kernelbenchx.checks.kernel_body import kernel_body
from kernelbenchx.checks.kernels import called_kernels, decorators, kernels
from kernelbenchx.checks.randomness import randomness
from kernelbenchx.checks.rule import Expectation, Report, Rule, Subject, in_order
from kernelbenchx.checks.scopes import Unreadable
from kernelbenchx.checks.source import parse
from kernelbenchx.checks.state import state
from kernelbenchx.core.outcome import Composition, Finding

RULES: tuple[Rule, ...] = (
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
    randomness,
    torch_work,
)


def check(text: str, expectation: Expectation) -> Report:
    """Parse once and apply `RULES`; a text that cannot be parsed is one finding."""
    try:
        source = parse(text)
        found = find_entry(source, expectation.entries)
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
        finding = Finding(rule="source", line=error.line, why=error.why)
    except (RecursionError, MemoryError):
        finding = Finding(rule="source", line=1, why="nested too deeply to be checked")
    return Report(findings=(finding,), composition=Composition.NOT_A_KERNEL, entry="")
