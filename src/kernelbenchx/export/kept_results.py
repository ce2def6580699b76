"""The results of a run that count outside: of what a method wrote, the kernel that it keeps."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.analysis.kernel_selection import kept_at_the_end, number_answers
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.evaluation_lookup import newest


def kept_results(run: Path, wanted: AttemptFilter = ALL) -> list[Evaluation]:
    """The newest evaluation of each submission; of several turns or candidates, what is kept.

    Files from elsewhere are all there: each is a sample. A void one counts only where nothing else
    was judged.
    """
    found = {one.key: one.evaluation for one in newest(run)}
    here = [one for one in wanted.pick(read_attempts([run])) if one.key in found]
    kept = kept_keys(here)
    return [evaluation for key, evaluation in found.items() if key in kept]


def kept_keys(attempts: Sequence[Attempt]) -> set[str]:
    """Of the attempts of one run."""
    written = [one for one in attempts if one.step]
    groups: defaultdict[tuple[str, str, str, int], list[Attempt]] = defaultdict(list)
    for one, line in zip(
        written, number_answers(written, [0] * len(written)).tolist(), strict=True
    ):
        groups[one.task, one.method, one.model, line].append(one)
    return {one.key for one in attempts if not one.step} | {
        _select_kept(own).key for own in groups.values()
    }


def _select_kept(own: Sequence[Attempt]) -> Attempt:
    judged = [one for one in own if not one.void] or list(own)
    rows = kept_at_the_end(judged, np.zeros(len(judged), np.int64))
    return judged[int(rows[0])]
