import io

import pytest
from rich.console import Console

from kernelbenchx.cli.generation_activity import GenerationActivity, Meter, describe_spending
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.run_tasks import End, TaskEnd
from kernelbenchx.generate.tally import Tally
from samples import evaluation

TASKS = [f"activation/t{number}" for number in range(4)] + ["activation/relu"]


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _drawn(view: GenerationActivity) -> list[str]:
    console = Console(file=io.StringIO(), record=True, width=80, force_terminal=True)
    console.print(view)
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_tasks_solved_requests_and_money_are_on_top() -> None:
    clock, tally = _Clock(), Tally()
    view = GenerationActivity(
        clock=clock, tally=tally, meter=lambda: Meter(1_234_567, 3.4, None, 20.0, 2)
    )
    tally.begin(TASKS)
    view.begin(len(TASKS), 0)
    tally.set_task_end(TaskEnd(TASKS[0], End.DONE))  # remembered from an earlier start
    for task in TASKS[1:3]:
        tally.asking(MethodStep(task, "round 1"))
        view.stage(f"{task} round 1", "asking")
    tally.add_verdict(evaluation("relu__only"))
    clock.now += 10
    view.leave(f"{TASKS[1]} round 1")
    view.finish("relu__only", "correct")
    tally.set_task_end(TaskEnd(TASKS[1], End.DONE))
    lines = _drawn(view)
    assert lines[0].startswith("2/5") and lines[0].endswith("360/h  0:30 left  0:10 so far")
    assert lines[1] == "1 solved  2 requests, 2 in flight  1.23M tokens, $3.40 of $20.00"
    assert lines[2] == "asking  1  activation/t2 round 1 0:10"
    assert lines[3] == "1 correct, 1 finished before"


@pytest.mark.parametrize(
    ("meter", "said"),
    [
        (Meter(), "0 tokens"),
        (Meter(tokens=1500, token_cap=2_000_000), "1.50k of 2.00M tokens"),
        (Meter(tokens=10, dollars=0.0123), "10 tokens, $0.0123"),
    ],
)
def test_what_was_spent_in_words(meter: Meter, said: str) -> None:
    assert describe_spending(meter) == said
