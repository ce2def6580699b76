"""What the truths of all check cases take, once per run: `python benchmarks/check_truths.py`.

Drawn and computed as an evaluation does it: in float64, on one core, in the process that holds no
submission. Where there is a card the same truths are computed there, too, for comparison.
"""

import sys
import time
from dataclasses import dataclass

import torch
from _reports import Report, parser_of, setting

from kernelbenchx import catalog
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.task import Task

SEED = 7
MOST_S = 0.5
"""For a task on average: a process that would do it on a card takes as long to begin."""
SHOWN = 5


@dataclass(frozen=True)
class Cost:
    """Of one task."""

    task: str
    cases: int
    drawing_s: float
    truths_s: float
    on_card_s: float | None

    @property
    def here_s(self) -> float:
        """What an evaluation pays."""
        return self.drawing_s + self.truths_s


def cost_of(name: str, card: str | None) -> Cost:
    """On this machine's processor, and on its card if there is one."""
    marks = [time.perf_counter()]
    task, calls = _drawn(name)
    marks.append(time.perf_counter())
    for call in calls:
        truth_of(task, call)
    marks.append(time.perf_counter())
    on_card = None if card is None else _on_card(name, card)
    return Cost(name, len(calls), marks[1] - marks[0], marks[2] - marks[1], on_card)


def _drawn(name: str) -> tuple[Task, list[Call]]:
    task = catalog.load(name)
    return task, [task.draw(case, derive_seed(SEED, name, case.name)) for case in task.cases(0)]


def _on_card(name: str, card: str) -> float:
    """The second time counts: the first one loads what torch needs."""
    task, calls = _drawn(name)
    for _ in range(2):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for call in calls:
            truth_of(task, call, card)
        torch.cuda.synchronize()
        took = time.perf_counter() - began
    return took


def main() -> int:
    """All tasks of the catalogue."""
    options = parser_of(__doc__).parse_args()
    torch.set_num_threads(1)
    card = "cuda:0" if torch.cuda.is_available() else None
    report = Report()
    report.say(setting(environment("cuda" if card else "cpu")))
    costs = sorted(
        (cost_of(one, card) for one in catalog.function_names()), key=lambda one: -one.here_s
    )
    head = ("the slowest", "cases", "drawing s", "truths s", "truths on the card s")
    rows = [
        (
            one.task,
            one.cases,
            f"{one.drawing_s:.3f}",
            f"{one.truths_s:.3f}",
            _seconds(one.on_card_s),
        )
        for one in costs[:SHOWN]
    ]
    report.table(head, rows)
    total = sum(one.here_s for one in costs)
    report.say(f"all {len(costs)} tasks: {total:.2f} s on one core, once per run")
    if card:
        report.say(f"truths alone: {sum(one.truths_s for one in costs):.2f} s on one core, "
                   f"{sum(one.on_card_s or 0.0 for one in costs):.2f} s on the card")  # fmt: skip
    each = total / len(costs)
    report.must(f"{each:.3f} s per task (at most {MOST_S} s)", each <= MOST_S)
    return report.end({"tasks": len(costs), "all_s": round(total, 2)}, options.out)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())
