"""KernelBench's own rule for a submission that is not correct: one call at the published size."""

from collections.abc import Iterable, Iterator

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, PublishedRule
from kernelbenchx.core.record import Record

FAILS = PublishedRule(passes_1e_2=False, passes_1e_4=False)


class RuleCall(Record, frozen=True, kw_only=True):
    """One untimed call with published inputs and weights; it changes no verdict and no time."""

    case: str = ""
    rule: PublishedRule | None = None
    """None: not known, and `detail` says why."""
    reason: Reason | None = None
    """Why there was no answer to compare: it raised, hung or crashed. Then the rule fails."""
    detail: str = ""


def no_answer(reason: Reason, detail: str, case: str = "") -> RuleCall:
    """The rule fails where a submission gives no answer."""
    return RuleCall(case=case, rule=FAILS, reason=reason, detail=detail[:1000])


def not_known(why: str, case: str = "") -> RuleCall:
    """Says nothing about the submission."""
    return RuleCall(case=case, detail=why[:300])


def rules_of(times: Performance | None) -> Iterator[PublishedRule]:
    """Of every timed case to which the rule was applied."""
    if times is None:
        return
    own = times.published_rule if isinstance(times, Failed) else None
    for rule in (own, *(one.published_rule for one in times.cases)):
        if rule is not None:
            yield rule


def combined_rule(rules: Iterable[PublishedRule]) -> PublishedRule | None:
    """A submission passes if all its answers do; None where there are none."""
    found = list(rules)
    if not found:
        return None
    return PublishedRule(
        passes_1e_2=all(one.passes_1e_2 for one in found),
        passes_1e_4=all(one.passes_1e_4 for one in found),
    )
