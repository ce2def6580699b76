"""Judges kernels under several seeds, and counts verdicts that differ from the majority."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import NOTHING_TO_RETRY, Reason, Void
from kernelbenchx.core.record import Record
from kernelbenchx.core.standards import Standard
from kernelbenchx.evaluate.calls import ablated_cases, drawn_cases, repeated_case
from kernelbenchx.evaluator import Evaluator
from kernelbenchx.stability.kernels import KernelOrigin, StabilityKernel
from kernelbenchx.stability.verdicts import Verdicts

_DRAWN_PAIRS = 200
"""After so many pairs the inputs of finished tasks are dropped from memory."""


class Stability(Record, frozen=True, kw_only=True):
    """The verdicts on one kernel."""

    kernel: StabilityKernel
    verdicts: dict[int, str]
    """By seed; those without a verdict are left out."""

    @property
    def majority(self) -> str:
        """The verdict of most seeds."""
        common = Counter(self.verdicts.values()).most_common(1)
        return common[0][0] if common else ""

    @property
    def deviating(self) -> tuple[int, ...]:
        """Seeds whose verdict is another one."""
        return tuple(n for n, one in self.verdicts.items() if one != self.majority)

    @property
    def lives_under(self) -> tuple[int, ...]:
        """Seeds under which a near miss is taken for correct."""
        if self.kernel.kind is not KernelOrigin.NEAR_MISS:
            return ()
        return tuple(n for n, one in self.verdicts.items() if one.startswith("correct"))


def judge_under_seeds(
    kernels: Sequence[StabilityKernel],
    seeds: Sequence[int],
    evaluator: Evaluator,
    verdicts: Verdicts,
    on_done: Callable[[int, int], None],
) -> list[Stability]:
    """Every kernel under every seed; pairs that are finished are not judged again.

    `on_done` is called with the number of finished pairs and of all pairs.
    """
    session = evaluator.session
    # Whether kernels must compile is no part of the key of an evaluation.
    mode = "" if evaluator.settings.compile else " interpreted only"
    keys = [session.job_for(kernel.submission).key + mode for kernel in kernels]
    found = {
        (at, seed): known
        for at, key in enumerate(keys)
        for seed in seeds
        if (known := verdicts.find(key, seed)) is not None
    }
    missing = [(at, n) for at in range(len(kernels)) for n in seeds if (at, n) not in found]
    total = len(kernels) * len(seeds)
    on_done(len(found), total)
    if missing:
        pipeline = session.pipeline
        # Inputs of different seeds are drawn at once.
        by_seed = {n: replace(pipeline, seed=n, _planning=threading.Lock()) for n in seeds}
        with ThreadPoolExecutor(max_workers=pipeline.settings.jobs) as pool:
            waiting: dict[Future[Evaluation], tuple[int, int]] = {
                pool.submit(by_seed[n].evaluate, kernels[at].submission): (at, n)
                for at, n in missing
            }
            try:
                for done, future in enumerate(as_completed(waiting), start=1):
                    at, seed = waiting[future]
                    evaluation = future.result()
                    if not _is_fault(evaluation):
                        found[at, seed] = describe_verdict(evaluation)
                        verdicts.add(keys[at], seed, found[at, seed])
                    on_done(total - len(missing) + done, total)
                    if done % _DRAWN_PAIRS == 0:
                        _drop_inputs()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                pipeline.stop()
                raise
    return [
        Stability(kernel=kernel, verdicts={n: found[at, n] for n in seeds if (at, n) in found})
        for at, kernel in enumerate(kernels)
    ]


def describe_verdict(evaluation: Evaluation) -> str:
    """Outcome, purity and the standards that are met, such as `wrong pure basic core`."""
    met = [standard.value for standard in Standard if evaluation.meets(standard)]
    return " ".join((evaluation.verdict, evaluation.composition.value, *met))


def _is_fault(evaluation: Evaluation) -> bool:
    """Whether the same pair may get a verdict another time, perhaps on a faster machine."""
    outcome = evaluation.outcome
    settled = NOTHING_TO_RETRY - {Reason.TOO_SLOW}
    return isinstance(outcome, Void) and outcome.reason not in settled


def deviating_share(found: Sequence[Stability]) -> float:
    """Of all pairs, those whose verdict differs from the majority of their kernel."""
    pairs = sum(len(one.verdicts) for one in found)
    return sum(len(one.deviating) for one in found) / pairs if pairs else 0.0


def _drop_inputs() -> None:
    for draw in (drawn_cases, ablated_cases, repeated_case):
        draw.cache_clear()
