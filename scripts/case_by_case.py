"""Judge kernels on each case of their task by itself, and print where each one fails.

`kbx eval` calls nothing more once a call broke; this goes on, so that one sees whether a kernel
breaks everywhere or in a corner. In the interpreter, without the source checks:

    python scripts/case_by_case.py KERNELS.jsonl [ID...]
"""

import sys
from collections.abc import Iterator

from kernelbenchx import Settings, Submission, catalog, read_submissions
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Wrong
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.calls import Drawn, Slot, drawn_cases
from kernelbenchx.evaluate.case_results import judge_cases
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.session import Session


def main() -> None:
    """One Markdown row for each kernel and each reason for which it fails somewhere."""
    wanted = set(sys.argv[2:])
    found = [
        one for one in read_submissions(sys.argv[1]).submissions if not wanted or one.name in wanted
    ]
    print("| id | task | passes | fails with | in these cases |")
    print("|---|---|---|---|---|")
    settings = Settings(device="interpreter")
    with Session(settings) as session:
        for submission in found:
            for row in _rows(session.pipeline, submission):
                print(f"| {row} |", flush=True)


def _rows(pipeline: Pipeline, submission: Submission) -> Iterator[str]:
    drawn = drawn_cases(submission.task, pipeline.seed)
    failures: dict[str, list[str]] = {}
    for one in drawn:
        outcome = _judged(pipeline, submission, one)
        if not isinstance(outcome, Correct):
            failures.setdefault(_said(outcome), []).append(one.case.name)
    passed = len(drawn) - sum(map(len, failures.values()))
    head = f"{submission.name} | {submission.task.partition('/')[2]} | {passed} of {len(drawn)}"
    for said, cases in failures.items():
        yield f"{head} | {said} | {_listed(cases)}"
    if not failures:
        yield f"{head} | | "


def _judged(pipeline: Pipeline, submission: Submission, drawn: Drawn) -> Outcome:
    known = facts(submission.task)
    attempt = Attempt(submission, known, accepted_entries(known))
    repetitions = range(catalog.load(submission.task).contract.calls)
    slots = tuple(Slot(drawn, repetition) for repetition in repetitions)
    settings = pipeline.settings
    plan = stages.plan_for(attempt, "interpret", slots, pipeline.seed, settings)
    run = pipeline.workers.run(plan, settings.wall_s)
    failed = stages.call_outcome(run, slots)
    return failed or judge_cases(attempt, run.report, slots, "interpreter")


def _said(outcome: Outcome) -> str:
    if isinstance(outcome, Broken):
        return f"broken, line {outcome.line}: {_flat(outcome.detail)}"
    if isinstance(outcome, Wrong):
        return f"wrong: {outcome.reason.value}"
    return type(outcome).__name__.lower()


def _listed(cases: list[str], most: int = 3) -> str:
    more = f"; and {len(cases) - most} more" if len(cases) > most else ""
    return "; ".join(f"`{case}`" for case in cases[:most]) + more


def _flat(text: str) -> str:
    return " ".join(text.split())[:120].replace("|", "\\|")


if __name__ == "__main__":
    main()
