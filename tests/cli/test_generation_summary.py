import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from desks import reply
from kernelbenchx.cli.generation_activity import Meter
from kernelbenchx.cli.generation_summary import document, exit_code, print_generation
from kernelbenchx.core.outcome import Composition, Reason, Void
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.transcript import Exchange, Message, Request
from kernelbenchx.generate.model import ENDED
from kernelbenchx.generate.run_tasks import End, TaskEnd
from kernelbenchx.generate.tally import Tally
from samples import evaluation, timed

RELU, ADD, GELU = "activation/relu", "math/add", "activation/gelu"


def _tally(cost: float | None = None) -> Tally:
    tally = Tally()
    tally.begin([RELU, ADD, GELU])
    request = Request(model="m", messages=(Message("user", "x"),), max_tokens=5)
    tally.add_reply(
        Exchange(key="k", task=RELU, step="a", request=request, reply=reply("abc"), cost=cost)
    )
    right = msgspec.structs.replace(
        evaluation("relu__round1", performance=timed(1.5)), origin=Origin(round="1", step="round 1")
    )
    tally.add_verdict(right)
    tally.add_verdict(msgspec.structs.replace(right, task=GELU, composition=Composition.MIXED))
    lost = evaluation("add__round0", Void(reason=Reason.EVALUATOR, detail="lost"))
    tally.add_verdict(msgspec.structs.replace(lost, task=ADD))
    tally.set_task_end(TaskEnd(RELU, End.DONE))
    tally.set_task_end(TaskEnd(ADD, End.UNANSWERED, "HTTP 500"))
    tally.set_task_end(TaskEnd(GELU, End.OUT_OF_BUDGET, "spent"))
    return tally


def _shown(tally: Tally, meter: Meter) -> str:
    screen = io.StringIO()
    print_generation(tally, meter, Path("RUN"), Console(file=screen, width=100))
    return screen.getvalue()


def test_what_nobody_saw_the_end_of_is_told_apart() -> None:
    said = _shown(_tally(), Meter(tokens=38_800, lost=36_436))
    assert "at most 36.4k of these tokens belong to requests without a recorded end" in said
    assert "nobody saw" not in _shown(_tally(), Meter(tokens=38_800))
    assert document(_tally(), Meter(tokens=9, lost=3), Path("RUN"))["lost_tokens"] == 3


def test_people_see_a_row_for_each_task_and_why_some_did_not_end() -> None:
    said = _shown(_tally(0.5), Meter(tokens=12_345, dollars=0.5, dollar_cap=2.0))
    rows = [line.split() for line in said.splitlines() if line.startswith(("relu", "add", "gelu"))]
    assert rows[0] == ["relu", "yes", "1/1", "round1", "1.50x", "1", "103", "$0.5000", "done"]
    assert rows[1] == ["add", "no", "0/1", "0", "0", "unanswered"]
    assert rows[2][:4] == ["gelu", "mixed", "1/1", "round1"]
    assert "2 of 3 tasks solved (1 of them only mixed with torch: counted apart)" in said
    assert "3 attempts, 1 request, 12.3k tokens, $0.5000 of $2.00" in said
    assert "1 void" in said and "run kept in RUN" in said
    assert "1 task unanswered: HTTP 500; repeat the command to ask again" in said
    assert "1 task out of budget: spent; repeat the command with a larger cap to resume" in said


def test_what_nobody_knows_has_no_column() -> None:
    said = _shown(_tally(), Meter(tokens=103))
    assert "cost" not in said and "$" not in said
    assert "speedup" in said


def test_replies_to_other_prompts_are_counted() -> None:
    tally = _tally()
    assert "recorded for other prompts" not in _shown(tally, Meter())
    tally.tasks[RELU].by_place = 2
    assert "2 replies recorded for other prompts at the same place" in _shown(tally, Meter())


def test_scripts_read_the_same() -> None:
    made = document(_tally(0.5), Meter(tokens=9, dollars=0.5), Path("RUN"))
    assert (made["run"], made["solved"], made["tokens"], made["dollars"]) == ("RUN", 2, 9, 0.5)
    relu, add, _ = made["tasks"]
    assert relu["best"] == "relu__round1" and relu["speedup"] == 1.5 and relu["cost"] == 0.5
    assert (add["solved"], add["best"], add["ended"], add["why"]) == (
        False,
        None,
        "unanswered",
        "HTTP 500",
    )


@pytest.mark.parametrize(
    ("end", "code"),
    [(End.DONE, 0), (End.OUT_OF_BUDGET, 0), (End.UNANSWERED, 1), (End.STOPPED, 1), (End.FAULT, 1)],
)
def test_a_cap_that_is_kept_is_no_failure_but_silence_is(end: End, code: int) -> None:
    tally = Tally()
    tally.begin([RELU, ADD])
    tally.set_task_end(TaskEnd(RELU, End.DONE))
    tally.set_task_end(TaskEnd(ADD, end))
    assert exit_code(tally) == code


def test_of_those_who_were_stopped_the_one_that_knows_why_is_quoted() -> None:
    tally = Tally()
    tally.begin([RELU, ADD])
    tally.set_task_end(TaskEnd(RELU, End.STOPPED, ENDED))
    tally.set_task_end(TaskEnd(ADD, End.STOPPED, "the run cannot be written: disk is full"))
    said = _shown(tally, Meter())
    assert "2 tasks stopped: the run cannot be written: disk is full; repeat the" in said
    tally.set_task_end(TaskEnd(ADD, End.STOPPED, ENDED))
    assert f"2 tasks stopped: {ENDED}; repeat the command to resume" in _shown(tally, Meter())
