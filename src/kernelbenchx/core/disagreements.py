"""Finds where a paper's own rule and the verdict of kbx differ on a submission."""

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reached, Void


def is_lucky(one: Evaluation) -> bool:
    """Passes the paper's rule and is not correct here."""
    judged = not isinstance(one.outcome, Void | Reached)
    return judged and not one.solved and one.rules is not None and one.rules.passes is True


def is_infeasible(one: Evaluation) -> bool:
    """Fails the paper's rule and is correct here, or no honest kernel passes that rule."""
    if one.rules is None or one.rules.passes is not False:
        return False
    theirs = one.rules.kernelbenchx
    return one.solved or (theirs is not None and bool(theirs.infeasible))
