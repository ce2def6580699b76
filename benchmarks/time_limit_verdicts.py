"""Does `--time-limit auto` change a verdict of `--time-limit 60`? On kernels that models wrote.

    python benchmarks/time_limit_verdicts.py FILE_OR_FOLDER ... [--only PART] [--most N]

Each path is read as `kbx eval` reads it. All are judged with both limits on the same inputs, first
with 60 seconds. Verdicts are compared by outcome, reason and case by case. A timeout that comes
sooner is no difference: a case that timed out with 60 seconds, or that no process reached behind
one. Everything else is printed, and the exit code is 1. `--only` keeps names that contain a text.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from kernelbenchx import Evaluation, Evaluator, Submission, read_submissions
from kernelbenchx.core.outcome import Broken, CaseState, Reason

SEED = 20_260_101


def main() -> None:
    """Judge twice, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    every = read_submissions(*options.paths).submissions
    chosen = [one for one in every if options.only in one.name][: options.most]
    before, auto = _judged(chosen, 60.0), _judged(chosen, "auto")
    changed = 0
    for first, second in zip(before, auto, strict=True):
        for line in differences(first, second):
            changed += 1
            print(f"{first.submission} ({first.task}): {line}")
    timeouts = sum(map(timed_out, before)), sum(map(timed_out, auto))
    spent = sum(one.seconds for one in before), sum(one.seconds for one in auto)
    print(f"{len(chosen)} of {len(every)} kernels, {changed} differences")
    print(f"timeouts: {timeouts[0]} with 60 s, {timeouts[1]} with auto")
    print(f"seconds of all evaluations: {spent[0]:.0f} with 60 s, {spent[1]:.0f} with auto")
    sys.exit(1 if changed else 0)


def _judged(submissions: list[Submission], limit: object) -> list[Evaluation]:
    with Evaluator(device="interpreter", seed=SEED, time_limit_s=limit) as evaluator:  # type: ignore[arg-type]
        found = []
        for one in evaluator.map(submissions):
            found.append(one)
            print(f"{limit}: {one.submission} {one.verdict} {one.seconds:.1f} s", file=sys.stderr)
        return found


def timed_out(one: Evaluation) -> bool:
    """Whether its outcome is a timeout."""
    return isinstance(one.outcome, Broken) and one.outcome.reason is Reason.TIMEOUT


def differences(before: Evaluation, auto: Evaluation) -> Iterator[str]:
    """What is not the same, apart from timeouts that come sooner."""
    if timed_out(before) and timed_out(auto):
        return
    if before.verdict != auto.verdict:
        yield f"{before.verdict} with 60 s, {auto.verdict} with auto: {auto.outcome}"
        return
    states = {one.case: one for one in before.cases}
    for one in auto.cases:
        known = states.get(one.case)
        late = known is not None and known.state in (CaseState.BROKEN, CaseState.NOT_REACHED)
        if known is not None and known.state is not one.state and not late:
            yield f"case {one.case} {known.state.value} with 60 s, {one.state.value} with auto"


if __name__ == "__main__":
    main()
