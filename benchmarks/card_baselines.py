"""Whether what submissions are timed against is right: eager on every timing case of every task.

    python benchmarks/card_baselines.py [--compile] [--checks N] [TASK ...]

Each timing case is drawn as it is for timing, eager is called on it, and its answer is judged by
the task's own contract, like a submission's. `--compile` does the same with torch.compile, and
says what is wrong without holding it against the catalogue: there is no rule that it must be
right, only that its times are left out where it is not. `--checks` takes N ordinary check cases of
each task in place of its timing cases: whether the contract accepts what inductor computes.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import torch
from _reports import Report, parser_of, setting

from kernelbenchx import catalog
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import cases_of
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.measure.baseline import set_precision
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Task

SEED = 7
CARD = "cuda:0"


@dataclass(frozen=True)
class Answer:
    """Of one baseline in one case."""

    task: str
    case: str
    kind: str
    wrong: str
    """Empty where it is right."""
    worst: float | None
    """Its largest error as a multiple of the budget."""


def answer_of(name: str, task: Task, case: Case, kind: str) -> Answer:
    """Called as often as the contract needs."""
    call = task.draw(case, derive_seed(SEED, name, case.name), CARD)
    function = task.baseline if kind == "eager" else torch.compile(task.baseline, dynamic=False)
    try:
        returned = [_returned(task, function, call, at) for at in range(task.calls(case))]
        verdict = judge_case(task, case, call, returned, "cuda", truth_of(task, call, CARD))
    except (RuntimeError, TypeError, ValueError) as error:
        return Answer(name, case.name, kind, f"{type(error).__name__}: {error}"[:160], None)
    if isinstance(verdict, Wrong):
        worst = verdict.worst
        return Answer(name, case.name, kind, verdict.detail[:160], worst and worst.error)
    return Answer(name, case.name, kind, "", verdict.worst)


def _returned(task: Task, function: Callable[..., Any], call: Any, repetition: int) -> CallResult:
    arguments = call.repeat(repetition).copy().concrete(CARD)
    torch.manual_seed(repetition + 1)
    outputs = task.outputs(function, arguments)
    leaves = tuple(leaf.value for leaf in outputs.leaves[: outputs.returned])
    return CallResult(leaves[0] if len(leaves) == 1 else leaves, arguments, outputs.aliases)


def main() -> int:
    """All tasks, or those that are named."""
    parser = parser_of(__doc__)
    parser.add_argument("tasks", nargs="*", help="names or patterns; all without one")
    parser.add_argument("--compile", action="store_true", help="also torch.compile")
    parser.add_argument("--checks", type=int, metavar="N", help="N check cases of each task")
    options = parser.parse_args()
    report = Report()
    report.say(setting(environment("cuda"), seed=SEED))
    kinds = ("eager", "compile") if options.compile else ("eager",)
    found: list[Answer] = []
    for name in catalog.function_names():
        if options.tasks and name not in catalog.select(*options.tasks):
            continue
        task = catalog.load(name)
        set_precision(task)
        for case in _cases(name, task, options.checks):
            found += [answer_of(name, task, case, kind) for kind in kinds]
            torch.cuda.empty_cache()
    rows = [(one.task, one.case, one.kind, _budgets(one.worst), one.wrong) for one in found]
    report.table(("task", "case", "baseline", "budgets", "wrong"), rows)
    wrong = {kind: [one for one in found if one.kind == kind and one.wrong] for kind in kinds}
    for kind in kinds[1:]:
        report.say(f"torch.compile is wrong in {len(wrong[kind])} cases")
    total = sum(one.kind == "eager" for one in found)
    if options.checks:
        report.say(f"eager is wrong in {len(wrong['eager'])} of {total} check cases")
    else:
        report.must(f"eager is right in all {total} timing cases", not wrong["eager"])
    counts = {kind: len(cases) for kind, cases in wrong.items()}
    return report.end({"cases": total, "wrong": counts}, options.out)


def _cases(name: str, task: Task, checks: int | None) -> Sequence[Case]:
    """Timing cases; or ordinary calls, in turn from each dtype."""
    if not checks:
        return task.timings
    kinds: dict[object, list[Case]] = {}
    for case in cases_of(name, SEED):
        if not case.needs:
            kinds.setdefault(case.params.get("dtype"), []).append(case)
    turns = zip_longest(*kinds.values())
    return [case for turn in turns for case in turn if case][:checks]


def _budgets(worst: float | None) -> str:
    return "" if worst is None else f"{worst:.2f}"


if __name__ == "__main__":
    sys.exit(main())
