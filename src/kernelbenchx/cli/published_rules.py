"""What the papers' own rules say, in words."""

from collections.abc import Iterator, Sequence

from kernelbenchx.cli.number_format import short
from kernelbenchx.core.disagreements import is_infeasible, is_lucky
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.rules import KernelBenchRule, KernelBenchXRule


def rule_lines(one: Evaluation) -> Iterator[tuple[str, str]]:
    """The paper and what its rule says of a submission, beside our verdict."""
    if one.rules is None:
        return
    if one.rules.kernelbenchx is not None:
        yield "paper's rule", kernelbenchx_words(one.rules.kernelbenchx)
    if one.rules.kernelbench is not None:
        yield "paper's rule", _kernelbench_words(one.rules.kernelbench)


def kernelbenchx_words(rule: KernelBenchXRule) -> str:
    """`KernelBench-X: called, not correct: test_case_2: 3 of 9 values differ (exact)`."""
    where = f"{rule.key}: " if rule.key else ""
    compared = f" ({rule.tolerance})" if rule.tolerance else ""
    why = f": {where}{short(rule.detail)}{compared}" if rule.detail else ""
    infeasible = f"; no honest kernel passes: {rule.infeasible}" if rule.infeasible else ""
    marked = "; provisional, without a GPU" if rule.provisional else ""
    return f"KernelBench-X: {_state(rule)}{why}{infeasible}{marked}"


def _state(rule: KernelBenchXRule) -> str:
    if rule.called is None:
        return "not known"
    if not rule.called:
        return "not called"
    if rule.correct is None:
        return "called, correct or not is not known"
    return "called and correct" if rule.correct else "called, not correct"


def _kernelbench_words(rule: KernelBenchRule) -> str:
    why = f": {short(rule.detail)}" if rule.detail else ""
    if rule.passes_1e_2 is None:
        return f"KernelBench: not known{why}"
    tolerances = ("1e-2", rule.passes_1e_2), ("1e-4", rule.passes_1e_4)
    passed = [name for name, passes in tolerances if passes]
    words = f"passes at {' and '.join(passed)}" if passed else "fails"
    return f"KernelBench: {words}{why}"


def rules_summary(evaluations: Sequence[Evaluation]) -> list[str]:
    """`by the papers' rules: 5 called, 3 correct of 8 (provisional)`; nothing where none was asked.

    Then how often they say something else than our verdict.
    """
    rules = [one.rules for one in evaluations if one.rules is not None]
    if not rules:
        return []
    called = sum(one.called is True for one in rules)
    correct = sum(one.passes is True for one in rules)
    known = sum(one.passes is not None for one in rules)
    provisional = any(one.kernelbenchx and one.kernelbenchx.provisional for one in rules)
    marked = ", provisional without a GPU" if provisional else ""
    lines = [f"by the papers' rules: {called} called, {correct} correct of {known}{marked}"]
    if unknown := len(rules) - known:
        lines[0] += f"; not known of {unknown}"
    lucky = sum(is_lucky(one) for one in evaluations)
    infeasible = sum(is_infeasible(one) for one in evaluations)
    if lucky or infeasible:
        lines.append(
            f"lucky (pass theirs, fail ours): {lucky}; "
            f"infeasible (correct here, or theirs cannot be passed): {infeasible}"
        )
    return lines
