"""Simulated studies with planted truths: one way to draw for each of the papers' claims.

Every function takes a generator, the true value of the claim's quantity, and how many times the
paper's n there are. It returns what the analysis of claims finds in such a study.
"""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from _planted_attempts import Study
from deviance_bias import SIZES, World
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from kernelbenchx.analysis.claim_choices import choice_findings
from kernelbenchx.analysis.claim_deviance import difference, findings
from kernelbenchx.analysis.claim_findings import ClaimFinding
from kernelbenchx.analysis.claim_rounds import round_findings
from kernelbenchx.analysis.claim_tasks import first_round_findings, portability, task_findings
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.analysis.success_counts import Counts

Floats = NDArray[np.float64]
GPU = "GPU"


def mixed(rng: Generator, mean: float, count: int, alike: float = 3.0) -> Floats:
    """Chances of tasks: they differ, and are right on average."""
    if mean <= 0.0 or mean >= 1.0:
        return np.full(count, mean)
    return rng.beta(mean * alike, (1.0 - mean) * alike, count)


def fusion(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """60 tasks by four methods; a task is beyond all of them, or one or more solve it."""
    tasks = 60 * scale
    hits = rng.random((tasks, 4)) < 0.3
    hits[np.arange(tasks), rng.integers(4, size=tasks)] = True
    hits[rng.random(tasks) < value] = False
    study = Study()
    for (task, method), right in np.ndenumerate(hits):
        study.add(task, method=f"m{method}", category="Fusion", right=bool(right))
    return list(task_findings(study.frame(), GPU))


def quantization(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """Six tasks by five methods."""
    chance = mixed(rng, value, 6 * scale)
    study = Study()
    for (task, method), right in np.ndenumerate(rng.random((chance.size, 5)) < chance[:, None]):
        study.add(task, method=f"m{method}", category="Quantization", right=bool(right))
    return list(task_findings(study.frame(), GPU))


def conversion(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """176 tasks by four methods; about half of the kernels run."""
    chance = mixed(rng, value, 176 * scale)
    shape = chance.size, 4
    ran, right = rng.random(shape) < 0.486, rng.random(shape) < chance[:, None]
    study = Study()
    for (task, method), runs in np.ndenumerate(ran):
        one = bool(runs and right[task, method])
        study.add(task, method=f"m{method}", right=one, runs=bool(runs))
    return list(task_findings(study.frame(), GPU))


def slow(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """142 kernels of 66 tasks."""
    chance = mixed(rng, value, 66 * scale)
    at = np.concatenate([np.arange(chance.size), rng.integers(chance.size, size=76 * scale)])
    below = rng.random(at.size) < chance[at]
    over = np.exp(np.abs(rng.normal(0.0, 0.5, at.size)) * np.where(below, -1.0, 1.0))
    study = Study()
    for number, (task, speed) in enumerate(zip(at, over, strict=True)):
        study.add(int(task), method=f"m{number}", over=float(speed))
    return list(task_findings(study.frame(), GPU))


def rounds(rng: Generator, gained: float, lost: float, scale: int) -> Sequence[ClaimFinding]:
    """176 tasks, 18.2 percent correct at first; so many are rescued, so many regress."""
    tasks = 176 * scale
    before = rng.random(tasks) < 0.182
    rescued = ~before & (rng.random(tasks) < gained / 0.818)
    regressed = before & (rng.random(tasks) < lost / 0.182)
    after = (before | rescued) & ~regressed
    study = Study()
    for task in range(tasks):
        for number, right in enumerate((before[task], after[task])):
            study.add(task, right=bool(right), round=number)
    return list(round_findings(study.frame(), GPU))


def repairs(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """The net gain in points: two percent of tasks change for nothing, either way."""
    return rounds(rng, 0.02 + max(value, 0.0), 0.02 + max(-value, 0.0), scale)


def falling(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """What `declining` draws, analysed."""
    return list(round_findings(declining(rng, value, scale).frame(), GPU))


def declining(rng: Generator, value: float, scale: int) -> Study:
    """46 persistent kernels with a planted gain, 15 rescued ones that are slower: the mean of all
    falls by composition."""
    study = Study()
    for task in range(46 * scale):
        first = float(np.exp(rng.normal(0.2, 0.6)))
        study.add(task, over=first, round=0)
        study.add(task, over=first * value * float(np.exp(rng.normal(0.0, 0.1))), round=1)
    for task in range(46 * scale, 61 * scale):
        study.add(task, right=False, round=0)
        study.add(task, over=float(np.exp(rng.normal(-0.4, 0.9))), round=1)
    return study


def rescue(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """15 rescued and 32 persistent kernels."""
    study = Study()
    for task in range(47 * scale):
        persistent = task < 32 * scale
        centre, spread = (0.2, 0.6) if persistent else (0.2 + math.log(value), 0.94)
        over = float(np.exp(rng.normal(centre, spread)))
        study.add(task, right=persistent, over=over if persistent else None, round=0)
        study.add(task, over=over, round=1)
    return list(round_findings(study.frame(), GPU))


def gpus(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """142 kernels of 66 tasks on six GPUs; tasks have much to do with the ratio."""
    at = np.concatenate([np.arange(66 * scale), rng.integers(66 * scale, size=76 * scale)])
    own = rng.normal(0.0, 0.5, 66 * scale)[at] + rng.normal(0.0, 0.5, at.size)
    spans = math.log(value) * np.exp(own)
    study = Study()
    for number, (task, span) in enumerate(zip(at, spans, strict=True)):
        places = np.concatenate([(0.0, 1.0), rng.random(4)])
        for gpu, place in enumerate(rng.permutation(places)):
            study.add(
                int(task), digest=f"k{number}", gpu=f"g{gpu}", over=float(np.exp(span * place))
            )
    return list(portability(study.frame()))


def one_attempt(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """250 problems; half of the kernels that are not fast are correct."""
    fast = rng.random(250 * scale) < value
    study = Study()
    for task, wins in enumerate(fast):
        over = 1.5 if wins else 0.7 if task % 2 else None
        study.add(task, level=1, right=over is not None, over=over)
    return list(first_round_findings(study.frame(), GPU))


def samples(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """100 problems, ten samples each; where a problem can be solved, three of ten samples do."""
    chance, k = 0.3, 10
    solvable = value / (1.0 - (1.0 - chance) ** k - chance)
    able = rng.random(100 * scale) < solvable
    hits = able[:, None] & (rng.random((able.size, k)) < chance)
    study = Study()
    for (task, sample), wins in np.ndenumerate(hits):
        study.add(task, level=2, sample=sample, right=bool(wins), over=2.0 if wins else None)
    return list(round_findings(study.frame(), GPU))


def turns(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """100 problems, ten turns; a kernel that was once fast may be lost again."""
    tasks, many = 100 * scale, 10
    first = np.where(rng.random(tasks) < 0.12, 0, many)
    later = np.where(rng.random(tasks) < value / 0.88, rng.integers(1, many, tasks), many)
    since = np.minimum(first, later)
    study = Study()
    for task, begun in enumerate(since):
        for turn in range(many):
            wins = turn == begun or (turn > begun and rng.random() < 0.8)
            study.add(task, level=1, round=turn, right=bool(wins), over=2.0 if wins else None)
    return list(round_findings(study.frame(), GPU))


def choice(
    less: str, more: str, base: float, rng: Generator, value: float, scale: int
) -> Sequence[ClaimFinding]:
    """250 problems by two variants; what is hard for one is hard for the other."""
    hard = rng.normal(0.0, 1.0, 250 * scale)
    study = Study()
    for method, rate in ((less, base), (more, base + value)):
        wins = rng.random(hard.size) < expit(_logit(rate) + 1.5 * hard)
        for task, one in enumerate(wins):
            over = 2.0 if one else None
            study.add(task, level=1, method=method, right=bool(one), over=over)
    return list(choice_findings(study.frame(), GPU))


@cache
def _logit(rate: float) -> float:
    """The mean log odds of problems that are solved at that rate; they differ by 1.5 each way."""
    at, weights = np.polynomial.hermite_e.hermegauss(60)
    weights /= weights.sum()
    return float(brentq(lambda one: expit(one + 1.5 * at) @ weights - rate, -15.0, 15.0))


def bound(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """90 memory-bound and 30 compute-bound tasks."""
    study = Study()
    for task in range(120 * scale):
        memory = task < 90 * scale
        over = float(np.exp(rng.normal(math.log(value) if memory else 0.0, 0.6)))
        study.add(task, over=over, iou=0.6 if memory else 0.1, mfu=0.1 if memory else 0.6)
    return list(task_findings(study.frame(), GPU))


def deviance(rng: Generator, value: float, scale: int) -> Sequence[ClaimFinding]:
    """176 tasks in the published categories by four methods; the value is the difference of the
    true shares. Below 0 it is a method effect, at 0 both explain the same."""
    world = _world(value)
    category, method = world.effects()
    home = np.repeat(np.arange(len(SIZES)), SIZES * scale)
    logits = world.base + category[home][:, None] + method[None, :]
    hits = rng.random((home.size, method.size)) < expit(logits + rng.normal(size=(home.size, 1)))
    counts = Counts(
        tasks=tuple(map(str, range(home.size))),
        categories=tuple(TASKS),
        methods=tuple(map(str, range(method.size))),
        category_of=home,
        successes=hits.astype(float),
        trials=np.ones(hits.shape),
    )
    return findings(counts, difference(counts.pool_singletons(), replicates=400), "")


@cache
def _world(value: float) -> World:
    """With the method effect as printed, a category effect that makes the difference."""

    def world(category: float) -> World:
        return World(name="", category=category, method=0.7, task=1.0)

    def apart(category: float) -> float:
        truth = world(category).truth()
        return float(truth[0] - truth[1]) - value

    return world(float(brentq(apart, 0.0, 6.0)))
