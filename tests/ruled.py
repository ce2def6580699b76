"""Rules of the papers as tests need them."""

from kernelbenchx.core.rules import KernelBenchRule, KernelBenchXRule, Rules

Passed = tuple[bool | None, bool | None]
BOTH, LOOSE, FAILS, UNKNOWN = (True, True), (True, False), (False, False), (None, None)
"""What KernelBench's rule says at 1e-2 and at 1e-4."""


def passed(rule: KernelBenchRule) -> Passed:
    """At 1e-2 and at 1e-4."""
    return rule.passes_1e_2, rule.passes_1e_4


def kernelbench(said: Passed, case: str = "") -> KernelBenchRule:
    """An answer that was compared."""
    return KernelBenchRule(passes_1e_2=said[0], passes_1e_4=said[1], case=case)


def by_kernelbench(said: Passed, case: str = "") -> Rules:
    """The record of a module."""
    return Rules(kernelbench=kernelbench(said, case))


def by_kernelbenchx(*, called: bool, correct: bool, infeasible: str = "") -> Rules:
    """The record of a function."""
    rule = KernelBenchXRule(called=called, correct=correct, infeasible=infeasible)
    return Rules(kernelbenchx=rule)
