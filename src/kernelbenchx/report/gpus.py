"""On which GPU an attempt ran; the one place that asks the analysis for it."""

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import card_of


def gpu_of(attempt: Attempt) -> str:
    """Its name, `interpreter`, or that it was not recorded."""
    return card_of(attempt)
