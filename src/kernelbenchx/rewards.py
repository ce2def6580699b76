"""A bounded reward for people who train models: one evaluation in, one number and its reasons out.

docs/how-to/train-with-rewards.md has the formula and what it promises.
"""

import math
from enum import StrEnum
from functools import cache
from itertools import pairwise
from statistics import fmean

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.arguments import require_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.huge import HugeResult
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Correct,
    Reached,
    Reason,
    Rejected,
    Void,
    Wrong,
)
from kernelbenchx.core.partial_credit import PartialCredit, partial_credit
from kernelbenchx.core.performance import (
    COMPILED_NOTHING,
    Clock,
    Failed,
    Speedup,
    Tier,
    Timed,
    Unmeasured,
)
from kernelbenchx.core.record import Record
from kernelbenchx.core.settings import BASELINES


class RewardReason(StrEnum):
    """Why a reward has its value. The first reason of a reward says what it rests on."""

    VOID = "void"
    UNSOUND_TASK = "unsound_task"
    NOT_JUDGED = "not_judged"
    UNMEASURED = "unmeasured"
    IMPOSSIBLE = "impossible"
    NO_BASELINE = "no_baseline"
    REJECTED = "rejected"
    NOT_A_KERNEL = "not_a_kernel"
    BROKEN = "broken"
    WRONG = "wrong"
    TIMED_CALL_FAILED = "timed_call_failed"
    CORRECT = "correct"
    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    UNDECIDED = "undecided"
    # remarks for a reader
    CORE_CORRECT = "core_correct"
    PROVISIONAL = "provisional"
    NOT_TIMED = "not_timed"
    MIXED = "mixed"
    AT_LIMIT = "at_limit"
    NO_LIMIT = "no_limit"
    HOST_TIMED = "host_timed"
    FELL_BACK = "fell_back"
    CHECKS_OFF = "checks_off"


class RewardScheme(Record, frozen=True, kw_only=True):
    """What each outcome is worth; the rest up to 1 is for speed."""

    rejected: float = 0.0
    broken: float = 0.02
    wrong: float = 0.05
    failed: float = 0.05
    """Failed at a timed size: wrong, late, or no answer at all."""
    basic: float = 0.075
    """Not correct; core is right in the task's first dtype and nothing else."""
    core: float = 0.1
    """Not correct; all of core is right and nothing else."""
    partial: float = 0.15
    """Not correct; all of core and every other scope are right as far as the cases show."""
    correct: float = 0.3
    least_share: float = 0.1
    """Up to this share of the operations, kernels beside torch earn the reward of a wrong
    submission."""

    def __post_init__(self) -> None:
        failures = (self.rejected, self.broken, self.wrong, self.failed)
        steps = (0.0, *failures, self.basic, self.core, self.partial, self.correct, 1.0)
        if not all(low <= high for low, high in pairwise(steps)) or self.partial >= self.correct:
            raise ValueError(f"a scheme must rise from 0 to 1, to `correct` strictly: {steps}")
        if not 0.0 <= self.least_share <= 1.0:
            raise ValueError(f"least_share is a share, not {self.least_share}")


class Reward(Record, frozen=True, kw_only=True):
    """The number to train on, and how far to trust it."""

    value: float | None
    """Between 0 and 1; None is no reward: leave the sample out, do not read it as 0."""
    upper: float | None
    """The reward at the upper end of what is not known yet."""
    reasons: tuple[RewardReason, ...]

    @property
    def confidence(self) -> float:
        """1 if nothing is open, 0 if nothing is known."""
        if self.value is None or self.upper is None:
            return 0.0
        return 1.0 - (self.upper - self.value)


def reward(
    evaluation: Evaluation, *, baseline: str = "eager", scheme: RewardScheme | None = None
) -> Reward:
    """What an evaluation is worth over a baseline: in [0, 1], or None if nothing is known."""
    require_type("reward()", evaluation, Evaluation, "an Evaluation, as evaluate() returns it")
    scheme = RewardScheme() if scheme is None else scheme
    require_type("scheme", scheme, RewardScheme, "a RewardScheme")
    if baseline not in BASELINES:
        raise BadInput(f"baseline is {' or '.join(BASELINES)}, not {baseline!r}")
    if _is_unsound(evaluation.task):
        return _nothing(RewardReason.UNSOUND_TASK)
    return _reward_outcome(evaluation, baseline, scheme)


def _reward_outcome(evaluation: Evaluation, baseline: str, scheme: RewardScheme) -> Reward:
    outcome = evaluation.outcome
    caveats = _caveats(evaluation)
    match outcome:
        case Void():
            return _void(outcome.reason, scheme, caveats)
        case Reached():
            return _nothing(RewardReason.NOT_JUDGED)
        case Rejected():
            return _make_exact(scheme.rejected, RewardReason.REJECTED, caveats)
        case _ if evaluation.composition is Composition.NOT_A_KERNEL:
            return _make_exact(scheme.rejected, RewardReason.NOT_A_KERNEL, caveats)
        case Broken():
            return _partial(evaluation, scheme, scheme.broken, RewardReason.BROKEN, caveats)
        case Wrong():
            return _partial(evaluation, scheme, scheme.wrong, RewardReason.WRONG, caveats)
        case Correct():
            found = _correct(evaluation, baseline, scheme, caveats)
            return _cap_by_torch_cases(found, evaluation, scheme)


_AT_WILL = frozenset(
    (Reason.UNSUPPORTED, Reason.NOT_INTERPRETABLE, Reason.TOO_SLOW, Reason.WEIGHTS)
)
"""Void by a choice of the submission: it gains nothing from what cannot be judged here."""


def _void(reason: Reason, scheme: RewardScheme, caveats: tuple[RewardReason, ...]) -> Reward:
    """Unknown; a void that an author can cause at will earns the reward of a broken submission."""
    if reason in _AT_WILL:
        return _make_exact(scheme.broken, RewardReason.BROKEN, caveats)
    impossible = reason is Reason.IMPOSSIBLE
    return _nothing(RewardReason.IMPOSSIBLE if impossible else RewardReason.VOID)


def _partial(
    evaluation: Evaluation,
    scheme: RewardScheme,
    least: float,
    code: RewardReason,
    caveats: tuple[RewardReason, ...],
) -> Reward:
    """Reward what is right in part: the first dtype, core, then the other scopes."""
    if isinstance(evaluation.core_performance or evaluation.basic_performance, Failed):
        return _make_exact(min(least, scheme.failed), RewardReason.TIMED_CALL_FAILED, caveats)
    credit = partial_credit(_own_cases(evaluation), evaluation.first_dtype)
    if credit is None:
        return _make_exact(least, code, caveats)
    value = _score_credit(credit, scheme, least)
    passed = (RewardReason.CORE_CORRECT,) if credit.core_passed else ()
    value = least + _share_of_kernels(evaluation, scheme) * (value - least)
    return _make_exact(value, code, (*passed, *caveats))


def _score_credit(credit: PartialCredit, scheme: RewardScheme, least: float) -> float:
    if credit.core_passed:
        return scheme.core + credit.others * (scheme.partial - scheme.core)
    if credit.basic_passed:
        return scheme.basic + credit.core * (scheme.core - scheme.basic)
    return scheme.wrong + credit.core * (scheme.basic - scheme.wrong) if credit.core else least


def _own_cases(evaluation: Evaluation) -> list[CaseResult]:
    """The cases; those that torch answers count as broken."""
    return [
        msgspec.structs.replace(one, state=CaseState.BROKEN)
        if one.case in evaluation.by_torch
        else one
        for one in evaluation.cases
    ]


def _cap_by_torch_cases(found: Reward, evaluation: Evaluation, scheme: RewardScheme) -> Reward:
    """Cases that torch answers are worth no more than leaving them unanswered."""
    if found.value is None or found.upper is None or not evaluation.by_torch:
        return found
    # Which cases of a correct submission are trivial is not known.
    cases = [msgspec.structs.replace(one, trivial=False) for one in _own_cases(evaluation)]
    credit = partial_credit(cases, evaluation.first_dtype)
    most = scheme.wrong if credit is None else _score_credit(credit, scheme, scheme.wrong)
    value, upper = min(found.value, most), min(found.upper, most)
    return msgspec.structs.replace(found, value=value, upper=upper)


def _share_of_kernels(evaluation: Evaluation, scheme: RewardScheme) -> float:
    """The kernels' share of the operations; 0 if it is too small or not known."""
    if evaluation.composition is not Composition.MIXED:
        return 1.0
    share = evaluation.kernel_share or 0.0
    return share if share > scheme.least_share else 0.0


def _correct(
    evaluation: Evaluation, baseline: str, scheme: RewardScheme, caveats: tuple[RewardReason, ...]
) -> Reward:
    measured, share = evaluation.performance, _share_of_kernels(evaluation, scheme)
    if evaluation.provisional or measured is None:
        known, most = (
            _scale_by_share(scheme.correct, scheme, share),
            _scale_by_share(1.0, scheme, share),
        )
        return Reward(
            value=known,
            upper=most,
            reasons=(RewardReason.CORRECT, RewardReason.NOT_TIMED, *caveats),
        )
    match measured:
        case Unmeasured(reason=Reason.IMPOSSIBLE):
            return _nothing(RewardReason.IMPOSSIBLE)
        case Unmeasured():
            return _nothing(RewardReason.UNMEASURED)
        case Failed(huge=HugeResult()):
            value = _scale_by_share(scheme.partial, scheme, share)
            return _make_exact(
                value, RewardReason.TIMED_CALL_FAILED, (RewardReason.CORE_CORRECT, *caveats)
            )
        case Failed():
            value = _scale_by_share(scheme.failed, scheme, share)
            return _make_exact(value, RewardReason.TIMED_CALL_FAILED, caveats)
        case Timed():
            return _reward_speed(measured, baseline, scheme, share=share, caveats=caveats)


def _reward_speed(
    measured: Timed,
    baseline: str,
    scheme: RewardScheme,
    *,
    share: float,
    caveats: tuple[RewardReason, ...],
) -> Reward:
    found = measured.find_speedup(baseline)
    if found is None:
        return _nothing(RewardReason.NO_BASELINE)
    if not 0.0 <= found.low <= found.high < math.inf:
        return _nothing(RewardReason.UNMEASURED)
    limit = find_speedup_limit(measured, baseline)
    reasons = (RewardReason(found.speed_class.value), *caveats, *_remarks(measured, found, limit))
    value, upper = (
        _scale_by_share(
            scheme.correct + (1.0 - scheme.correct) * score_speedup(end, limit), scheme, share
        )
        for end in (found.low, found.high)
    )
    return Reward(value=value, upper=upper, reasons=reasons)


def score_speedup(speedup: float, limit: float | None) -> float:
    """s / (1 + s): 0 for infinite time, one half at parity, always below 1.

    Speed beyond the roofline of the GPU does not count.
    """
    counted = speedup if limit is None else min(speedup, limit)
    return counted / (1.0 + counted)


def find_speedup_limit(measured: Timed, baseline: str) -> float | None:
    """The largest possible speedup over the baseline on this GPU; None if a case has no limit."""
    logs = []
    for case in measured.cases:
        compared = case.find_comparison(baseline, Clock.DEVICE)
        limit_us = case.efficiency.roofline_us
        if compared is None or not limit_us > 0.0 or not compared.baseline_us > 0.0:
            return None
        logs.append(math.log(compared.baseline_us / limit_us))
    return math.exp(fmean(logs)) if logs else None


@cache
def _is_unsound(task: str) -> bool:
    """Whether the catalogue says so; a task without an entry was judged elsewhere."""
    return catalog.path_of(task).is_file() and bool(facts(task).unsound)


def _scale_by_share(value: float, scheme: RewardScheme, share: float) -> float:
    """Scale the part above a wrong answer by the kernels' share of the operations."""
    return scheme.wrong + share * (value - scheme.wrong)


def _make_exact(value: float, code: RewardReason, caveats: tuple[RewardReason, ...]) -> Reward:
    return Reward(value=value, upper=value, reasons=(code, *caveats))


def _nothing(code: RewardReason) -> Reward:
    return Reward(value=None, upper=None, reasons=(code,))


def _caveats(evaluation: Evaluation) -> tuple[RewardReason, ...]:
    known = (
        (RewardReason.PROVISIONAL, evaluation.provisional),
        (RewardReason.MIXED, evaluation.composition is Composition.MIXED),
        (RewardReason.CHECKS_OFF, not evaluation.checks),
    )
    return tuple(code for code, holds in known if holds)


def _remarks(measured: Timed, found: Speedup, limit: float | None) -> tuple[RewardReason, ...]:
    """Remarks to read with a speedup."""
    flags = [flag for case in measured.cases for flag in case.flags]
    back = any(flag.startswith(COMPILED_NOTHING) for flag in flags)
    known = (
        (RewardReason.NO_LIMIT, limit is None),
        (RewardReason.AT_LIMIT, limit is not None and found.low > limit),
        (RewardReason.HOST_TIMED, measured.tier is Tier.HOST_TIMED),
        (RewardReason.FELL_BACK, back and found.baseline == "compile"),
    )
    return tuple(code for code, holds in known if holds)
