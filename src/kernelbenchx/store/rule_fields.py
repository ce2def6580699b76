"""What the papers' rules say of an evaluation, as fields of an attempt."""

from sys import intern
from typing import Any

from kernelbenchx.store.shallow_evaluation import ShallowRules

_DETAIL = 400


def rule_fields(rules: ShallowRules | None) -> dict[str, Any]:
    """What the papers' rules say, and why it is not known where it is not."""
    if rules is not None and rules.kernelbench is not None:
        theirs = rules.kernelbench
        unknown = theirs.detail if theirs.passes_1e_2 is None else ""
        return {
            "passes_1e_2": theirs.passes_1e_2,
            "passes_1e_4": theirs.passes_1e_4,
            "rule_unknown": intern(unknown[:_DETAIL]),
        }
    if rules is None or rules.kernelbenchx is None:
        return {}
    found = rules.kernelbenchx
    unknown = found.detail if found.correct is None else ""
    said = f"{found.key}: {found.detail}" if found.key else found.detail
    return {
        "paper_called": found.called,
        "paper_correct": found.correct,
        "paper_detail": intern(said[:_DETAIL]),
        "paper_infeasible": intern(found.infeasible[:_DETAIL]),
        "paper_provisional": found.provisional,
        "rule_unknown": intern(unknown[:_DETAIL]),
    }
