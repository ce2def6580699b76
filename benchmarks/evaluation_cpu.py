"""CPU time of one evaluation in the interpreter, for every witness and for each of its processes.

    python benchmarks/evaluation_cpu.py [--against FILE] [--sources FILE] [--json] [TASK ...]

`interpret` and `compile` are the CPU seconds of the child that runs the calls and of the child that
compiles them; `judge` is this process: source checks, orders, results, verdicts. Truths are drawn
before the clock starts, because a run draws them once. `--against` reads what `--json` printed for
another version and adds the ratio of each total and their median. `--sources` names a JSON file
with another kernel for each task: with the witnesses of the other version both judge the same code.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernelbenchx import Correct, Evaluator, Submission, TaskInfo, catalog, tasks
from kernelbenchx.evaluate.calls import ablated_cases, drawn_cases, repeated_case
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.runner.orders import CallPlan

SEED = 20_260_101
Times = dict[str, float]


@dataclass(frozen=True)
class Counting(Workers):
    """Workers that add up what their children used."""

    used: dict[str, float] = field(default_factory=dict)

    def run(self, plan: CallPlan, wall_s: float, call_s: float = math.inf) -> WorkerRun:
        """Also note the CPU time of the child."""
        run = super().run(plan, wall_s, call_s)
        self.used[plan.mode] = self.used.get(plan.mode, 0.0) + run.ending.cpu_seconds
        return run


def main() -> None:
    """Measure and print; nothing is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--against", type=Path)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    before = json.loads(options.against.read_text()) if options.against else {}
    sources = json.loads(options.sources.read_text()) if options.sources else None
    found: dict[str, Times] = {}
    with _pipeline() as pipeline:
        for one in tasks(*(options.tasks or catalog.function_names())):
            source = one.witness if sources is None else sources.get(one.name)
            times = source and times_of(pipeline, one, source)
            if not times:
                continue
            found[one.name] = times
            if not options.json:
                print(_line(one.name, found[one.name], before.get(one.name)), flush=True)
    for line in [json.dumps(found)] if options.json else _closing(found, before):
        print(line)


@contextmanager
def _pipeline() -> Iterator[Pipeline]:
    with Evaluator(device="interpreter", seed=SEED) as evaluator:
        # The stages over other workers: the CPU time of each child is no result of an evaluation.
        made = evaluator.session.pipeline
        yield Pipeline(_counting(made.workers), SEED, made.environment)


def _counting(workers: Workers) -> Counting:
    return Counting(workers.zygotes, workers.settings, workers.isolation)


def times_of(pipeline: Pipeline, task: TaskInfo, source: str) -> Times | None:
    """CPU seconds of one evaluation; None where the kernel is not correct, which a witness is."""
    for draw in (drawn_cases, ablated_cases, repeated_case):
        draw(task.name, SEED)  # type: ignore[operator]
    submission = Submission(name=task.name, task=task.name, source=source)
    used: dict[str, Any] = getattr(pipeline.workers, "used")  # noqa: B009 - of `Counting` alone
    used.clear()
    started = time.process_time()
    evaluation = pipeline.evaluate(submission)
    own = time.process_time() - started
    if not isinstance(evaluation.outcome, Correct):
        if source == task.witness:
            raise SystemExit(f"{task.name} is not correct: {evaluation.outcome}")
        print(f"{task.name} is left out: this kernel is not correct", file=sys.stderr)
        return None
    return {"judge": own, "interpret": used.get("interpret", 0.0), "compile": used["compile"]}


def _line(name: str, times: Times, before: Times | None) -> str:
    parts = ", ".join(f"{part} {seconds:.2f}" for part, seconds in times.items())
    ratio = f", {_ratio(times, before):.2f} times before" if before else ""
    return f"{name}: {_total(times):.2f} s ({parts}){ratio}"


def _closing(found: dict[str, Times], before: dict[str, Times]) -> Iterator[str]:
    totals = [_total(times) for times in found.values()]
    yield f"median of {len(totals)}: {statistics.median(totals):.2f} s, sum {sum(totals):.1f} s"
    ratios = [_ratio(found[name], before[name]) for name in found if name in before]
    if ratios:
        yield f"median ratio of {len(ratios)}: {statistics.median(ratios):.2f}"


def _ratio(times: Times, before: Times) -> float:
    return _total(times) / _total(before)


def _total(times: Times) -> float:
    return sum(times.values())


if __name__ == "__main__":
    main()
