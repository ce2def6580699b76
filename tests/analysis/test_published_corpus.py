"""The times of GEAK's kernels agree with each other and with what the paper counts."""

import numpy as np

from kernelbenchx.analysis.published_corpus import RESCUED, RISEN, RISEN_SAME_CODE
from kernelbenchx.analysis.published_data import TASKS, TRANSITIONS


def test_the_facts_fit_together() -> None:
    for rounds, kernels in RISEN.items():
        assert not set(kernels) & set(RESCUED[rounds])
        assert RISEN_SAME_CODE[rounds] <= len(kernels) <= TRANSITIONS[rounds].persistent
        assert all(after > before for before, after in kernels.values())
        assert {name.partition("/")[0] for name in [*kernels, *RESCUED[rounds]]} <= set(TASKS)
    for name, (before, _) in RISEN["1 to 2"].items():
        known = RESCUED["0 to 1"].get(name) or RISEN["0 to 1"].get(name, (np.nan, before))[1]
        assert before == known, "a round begins where the one before it ended"
