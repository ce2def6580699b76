"""Simulated studies for the claims about how far methods get, in the form of `_planted_studies`."""

from collections.abc import Sequence

import numpy as np
from _planted_attempts import Study
from _planted_studies import GPU, mixed
from numpy.random import Generator

from kernelbenchx.analysis.attempt import Speed
from kernelbenchx.analysis.claim_findings import ClaimFinding
from kernelbenchx.analysis.claim_reach import reach_findings, worst_portability


def math(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """36 tasks, a kernel each."""
    study = Study()
    for task, chance in enumerate(mixed(rng, value, 36 * scale)):
        study.add(task, category="Math", right=bool(rng.random() < chance))
    return list(reach_findings(study.frame(), GPU))


def worst(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """142 kernels on six GPUs; one has the planted ratio, the others smaller ones; times have an
    error of half a percent, within their intervals of two."""
    study = Study()
    for number in range(142 * scale):
        share = 1.0 if not number else rng.random() ** 2
        places = np.concatenate([(0.0, 1.0), rng.random(4)])
        for gpu, place in enumerate(rng.permutation(places)):
            over = float(np.exp(np.log(value) * share * place + rng.normal(0.0, 0.005)))
            speed = Speed(speedup=over, low=0.98 * over, high=1.02 * over, speed_class="undecided")
            study.add(
                number % (66 * scale), digest=f"k{number}", gpu=f"g{gpu}", performance="timed",
                eager=speed,
            )  # fmt: skip
    return list(worst_portability(study.frame()))


def turns(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """250 problems, ten turns; what is solved at some turn may be lost again."""
    study, many = Study(), 10
    for task in range(250 * scale):
        since = int(rng.integers(many)) if rng.random() < value else many
        for turn in range(many):
            right = turn == since or (turn > since and rng.random() < 0.8)
            study.add(task, level=1, round=turn, right=bool(right))
    return list(reach_findings(study.frame(), GPU))


def samples(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """100 problems, a hundred samples each; what can be solved is so in one of five."""
    able = rng.random(100 * scale) >= value
    hits = able[:, None] & (rng.random((able.size, 100)) < 0.2)
    study = Study()
    for (task, sample), right in np.ndenumerate(hits):
        study.add(task, level=1, sample=sample, right=bool(right))
    return list(reach_findings(study.frame(), GPU))
