"""Print which submissions can be replayed without their Python, and the shares.

    python scripts/replay_share.py [KERNELS.jsonl...]

All witnesses, then every kernel of the given data sets whose task is in the catalogue. Of each the
largest check case is recorded twice on different values, by a driver without a GPU, in a sandbox.
The smallest ones are often a single number, for which wrappers take ways of their own. What it
printed for real kernels of models is kept in benchmarks/replay_share.txt.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernelbenchx import Submission, catalog, read_submissions, tasks
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of
from kernelbenchx.evaluate.intake import Intake
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.replay.plan import Replayable, replayable
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.orders import CallPlan, PlannedCall, write_order
from kernelbenchx.runner.scratch import Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.spec.call import Call
from kernelbenchx.worker.frames import Frame, pack, unpack
from kernelbenchx.worker.limits import Limits

LIMITS = Limits(wall_s=120, cpu_s=120, memory_bytes=8 << 30, result_bytes=64 << 20)
TARGET = "sm_90"


class Sizes:
    """The storages of a call, by their sizes."""

    def __init__(self, storages: list[int]) -> None:
        self.storages = storages


class Recorder:
    """Records calls in children of a warm compiler."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote

    def tried(self, submission: Submission) -> tuple[Replayable | None, str]:
        """What two draws of the largest check case agree on, or why they do not."""
        task = catalog.load(submission.task)
        case = max(task.cases(0), key=lambda one: task.cost(**one.params).bytes)
        calls = [task.draw(case, seed) for seed in (1, 2)]
        return self.tried_on(submission, calls)

    def tried_on(self, submission: Submission, calls: list[Call]) -> tuple[Replayable | None, str]:
        """The same for two calls of the caller's choice."""
        sizes, frames = self._recorded(submission, calls)
        for frame in frames:
            if "error" in frame.header:
                return None, _raised(frame.header["error"])
        if len(frames) != len(calls):
            return None, "ended its worker"
        first, second = (pack(frame.header, frame.payload) for frame in frames)
        return replayable(first, second, Sizes(sizes))

    def _recorded(self, submission: Submission, calls: list[Call]) -> tuple[list[int], list[Frame]]:
        known = facts(submission.task)
        names = catalog.load(submission.task).tensor_names
        expected = expectation_of(known, submission.language)
        plan = CallPlan(
            mode="compile",
            source=submission.source,
            entries=accepted_entries(known),
            form=known.form,
            language=submission.language,
            seed=0,
            calls=tuple(PlannedCall(call, names(call)) for call in calls),
            target=TARGET,
            binding=check_bounded(submission.source, expected).binding,
        )
        with Scratch() as scratch:
            order, result = scratch.path / "order", scratch.result("recording")
            placed = write_order(order, plan)
            (frame,) = unpack(order.read_bytes())
            sizes = [frame.header["storages"][index][1] for index in sorted(set(placed[0]))]
            self._zygote.run(order, result, LIMITS)
            return sizes, list(unpack(read_result(result, limit_bytes=LIMITS.result_bytes)))


def _raised(error: dict[str, Any]) -> str:
    return f"raised {error.get('type')}: {error.get('message')}".partition("\n")[0][:80]


def _kind(found: Replayable | None, obstacle: str) -> str:
    if found is not None:
        return "replayable"
    return "failed" if obstacle.startswith(("raised", "ended")) else "not replayable"


def _setting() -> str:
    here = environment("cpu")
    versions = f"python {here.python}, torch {here.torch}, triton {here.triton}"
    return f"kernelbenchx {here.harness}, {versions}, card none, compiled for {TARGET}"


@contextmanager
def recorder() -> Iterator[Recorder]:
    """A warm compiler, ended afterwards."""
    start = Start(main="worker.timing.record_without_gpu:serve")
    with Zygote("compile", detect(), jobs=1, start=start) as zygote:
        yield Recorder(zygote)


def _row(submission: Submission, found: Replayable | None, obstacle: str) -> str:
    """Without the words of an error: they are the submission's own."""
    launches = "" if found is None else len(found.plan.launches)
    failed = _kind(found, obstacle) == "failed"
    said = obstacle.partition(":")[0] if failed else obstacle
    return f"| {submission.name} | {submission.task} | {launches} | {said} |"


def _share(outcomes: Counter[str], unknown: int) -> str:
    ran = outcomes["replayable"] + outcomes["not replayable"]
    share = f"{outcomes['replayable']} of {ran} that run can be replayed"
    return f"{share}; {outcomes['failed']} fail, {unknown} are for tasks that are not here"


def main() -> None:
    """Versions, a Markdown row for each submission, and the shares below."""
    witnesses = [
        Submission(name="witness", task=task.name, source=task.witness)
        for task in tasks(*catalog.function_names())
    ]
    groups = {"witnesses": Intake(submissions=witnesses)}
    for path in map(Path, sys.argv[1:]):
        groups[path.name] = read_submissions(path)
    shares: dict[str, str] = {}
    print(f"{_setting()}\n")
    print("| submission | task | launches | not replayable because it |")
    print("|---|---|---|---|")
    with recorder() as recording:
        for name, given in groups.items():
            outcomes: Counter[str] = Counter()
            for submission in given.submissions:
                found, obstacle = recording.tried(submission)
                print(_row(submission, found, obstacle), flush=True)
                outcomes[_kind(found, obstacle)] += 1
            shares[name] = _share(outcomes, len(given.unknown))
    for name, share in shares.items():
        print(f"\n{name}: {share}")


if __name__ == "__main__":
    main()
