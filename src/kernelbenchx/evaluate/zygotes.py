"""The zygotes of a device: they load torch in the background, and this process does not."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.checks.languages import language_of
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.expectation import expectation_of
from kernelbenchx.runner.levels import WorkerIsolation
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import MOST_CHILDREN


@contextmanager
def open_zygotes(settings: Settings, isolation: WorkerIsolation) -> Iterator[dict[str, Zygote]]:
    """One for each way of running, started by its first order if not before, ended afterwards."""
    modes = ("interpret", "compile") if settings.device == "interpreter" else ("ahead", "cuda")
    with ExitStack() as stack:
        # Timed submissions wait for the GPU with their processes warm.
        jobs = MOST_CHILDREN if settings.stage is Stage.PERF else settings.jobs
        zygotes = {mode: Zygote(mode, isolation, jobs=jobs) for mode in modes}
        for zygote in zygotes.values():
            stack.push(zygote)
        yield zygotes


def needs_workers(settings: Settings, submissions: Iterable[Submission]) -> bool:
    """Whether any of these will run: the source checks may refuse all of them first."""
    if settings.stage is Stage.CHECK:
        return False
    return settings.paper_rules or not settings.checks or any(map(_passes, submissions))


def _passes(submission: Submission) -> bool:
    if language_of(submission.source, submission.language) != "triton":
        return False
    expectation = expectation_of(facts(submission.task), submission.language)
    return not any(
        finding.fatal for finding in check_bounded(submission.source, expectation).findings
    )
