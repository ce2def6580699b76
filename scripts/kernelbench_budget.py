"""Measure the budget of modules on KernelBench's problems as published, at reduced sizes.

    python scripts/kernelbench_budget.py FOLDER [--levels 1,2,3] [--only 37,40] [--precision fp32]
                                         [--rows ROWS.jsonl [--kept]] [--mutants 60]

A row for each problem: the largest error over the budget (1.00 is the border) of honest and of
imprecise answers, which trivial answers pass, and how many generated mutants die. Each problem
runs in a child process with limits on memory and time. `benchmarks/kernelbench_budget.txt` is
its print.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent))

from kernelbench_table import line, summary

from kernelbenchx.catalog.problem_folders import PublishedProblem, published_in
from kernelbenchx.problem_worker.call_cost import warm_up
from kernelbenchx.problem_worker.draw_call import KINDS, make_deterministic, patch_torch_rand
from kernelbenchx.problem_worker.problem_source import ProblemSource, Sizes
from kernelbenchx.problem_worker.size_reduction import find_smaller_sizes
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.element_comparison import multiples
from kernelbenchx.spec.graph_mutants import GraphMutant, mutants_of
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.modules import ModuleCall, build_under_seed, draw_weights, run_module
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import DTYPES, Precision, contract_at
from kernelbenchx.spec.reordered_sums import (
    NarrowSums,
    ReorderedSums,
    RoundedOperands,
    through,
    to_tf32,
)

MEMORY = 8 << 30
SECONDS = 300
"""Of processor time for each problem."""
PATIENCE = 3000
"""Seconds by the clock: other processes may be at work."""
FOR_MUTANTS = 60.0
"""Seconds after which no further mutant is begun."""
MOST = 60
INPUTS = 1 << 20
"""Inputs of the stream that draws the weights would be proportional to a row of them, and products
far larger than in any real call."""
Outputs = tuple[torch.Tensor, ...]
Drawn = tuple[Callable[..., Any], ModuleCall]


@dataclass(frozen=True)
class Judged:
    """One call, its truth and what each element may be wrong by."""

    model: Callable[..., Any]
    call: ModuleCall
    truth: Outputs
    budgets: Outputs

    def error(self, outputs: Outputs) -> float:
        """The largest multiple of the budget."""
        if [one.shape for one in outputs] != [one.shape for one in self.truth]:
            return float("inf")
        ratios = (
            multiples(mine, true, budget)
            for mine, true, budget in zip(outputs, self.truth, self.budgets, strict=True)
        )
        return max((float(one.max()) for one in ratios if one.numel()), default=0.0)

    def under(self, mode: AbstractContextManager[Any]) -> float:
        """The error of the module in the dtype of the call, computed under a mode."""
        with mode:
            return self.error(answers(self.model, self.call))

    def mutated(self, mutant: GraphMutant, dtype: torch.dtype) -> float:
        """The error of a mutant that rounds nothing but its result."""
        with mutant.mode():
            found = answers(self.model, self.call.widen())
        return self.error(tuple(one.to(dtype) if one.is_floating_point() else one for one in found))


def answers(model: Callable[..., Any], call: Any) -> Outputs:
    """All tensors that the module gives."""
    return tuple(leaf.value for leaf in flatten(run_module(model, call.copy())))


def drawn_calls(
    problem: PublishedProblem, dtype: torch.dtype, sizes: Sizes, seed: int
) -> list[Drawn]:
    """One for each kind of input."""
    module = ProblemSource(problem.text).load(sizes)
    model = make_deterministic(module.Model)
    found = []
    for kind in KINDS:
        torch.manual_seed(INPUTS + seed)
        with patch_torch_rand(kind):
            given = [_cast(one, dtype) for one in module.get_inputs()]
        init = tuple(module.get_init_inputs())
        state = draw_weights(build_under_seed(seed, model, init), Draw.from_seed(seed), dtype)
        found.append((model, ModuleCall(args=tuple(given), init=init, state=state)))
    return found


def judged(drawn: Drawn, precision: Precision) -> Judged:
    """With truth and budget."""
    model, call = drawn
    truth = answers(model, call.widen())
    dtypes = [one.dtype for one in answers(model, call)]
    contract: Close = contract_at(model, precision)
    return Judged(model, call, truth, contract.budgets(call, truth, dtypes))


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(dtype)
    return value


def measured(
    problem: PublishedProblem, precision: Precision, sizes: Sizes, for_mutants: float = FOR_MUTANTS
) -> dict[str, Any]:
    """A row of the table."""
    dtype = DTYPES[precision]
    calls = [judged(one, precision) for one in drawn_calls(problem, dtype, sizes, 1)]
    others = [call for _, call in drawn_calls(problem, dtype, sizes, 2)]
    row: dict[str, Any] = {"level": problem.level, "number": problem.number, "sizes": sizes}
    row["honest"] = [one.under(nullcontext()) for one in calls]
    narrow = dtype.itemsize < 4
    if narrow:
        row["narrow"] = [one.under(NarrowSums()) for one in calls]
    else:
        row["reordered"] = [one.under(ReorderedSums()) for one in calls]
        row["tf32"] = _of_products(calls, to_tf32)
        row["bf16"] = _of_products(calls, through(torch.bfloat16))
    elsewhere = [
        (one, answers(one.model, replace(one.call, args=other.args)))
        for one, other in zip(calls, others, strict=True)
    ]
    row["trivial"] = {
        "zeros": [one.error(tuple(map(torch.zeros_like, one.truth))) for one in calls],
        "constant": [one.error(tuple(map(_constant, there))) for one, there in elsewhere],
        "other input": [one.error(there) for one, there in elsewhere],
    }
    if any(value.is_floating_point() for value in calls[0].call.state.values()):
        row["trivial"]["other weights"] = [
            one.error(answers(one.model, replace(one.call, state=other.state)))
            for one, other in zip(calls, others, strict=True)
        ]
    row["mutants"], row["generated"] = {}, 0
    if not narrow:
        every = mutants_of(calls[0].model, calls[0].call)
        row["generated"] = len(every)
        for mutant in spread(every, MOST):
            if time.process_time() > for_mutants:
                break
            row["mutants"][mutant.name] = _deadly(mutant, calls, dtype)
    return row


def spread(every: tuple[GraphMutant, ...], most: int) -> list[GraphMutant]:
    """Some of them, so that the first ones already are from everywhere."""
    few = [every[n * len(every) // most] for n in range(most)] if len(every) > most else list(every)
    return [one for start in range(7) for one in few[start::7]]


def _of_products(
    calls: list[Judged], rounding: Callable[[torch.Tensor], torch.Tensor]
) -> list[float] | None:
    modes = [RoundedOperands(rounding) for _ in calls]
    errors = [one.under(mode) for one, mode in zip(calls, modes, strict=True)]
    return errors if modes[0].products else None


def _deadly(mutant: GraphMutant, calls: list[Judged], dtype: torch.dtype) -> list[float]:
    """The errors for one kind of input after the other, until one is too large."""
    found: list[float] = []
    for one in calls:
        found.append(one.mutated(mutant, dtype))
        if not found[-1] <= 1:
            break
    return found


def _constant(answer: torch.Tensor) -> torch.Tensor:
    """The mean of another answer: what a kernel may know that reads nothing."""
    return answer.double().mean().expand(answer.shape).to(answer.dtype)


def in_child(problem: PublishedProblem, precision: Precision, for_mutants: float) -> dict[str, Any]:
    """The row that a child process measures, or why there is none."""
    fork = multiprocessing.get_context("fork")  # importing torch takes longer than most problems
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=_measure, args=(there, problem, precision, for_mutants))
    child.start()
    there.close()
    found: dict[str, Any] = {"level": problem.level, "number": problem.number}
    try:
        found |= here.recv() if here.poll(PATIENCE) else {"failed": "no answer"}
    except EOFError:
        found |= {"failed": f"more than {SECONDS} s, or killed"}
    child.kill()
    child.join()
    return found


def _measure(
    there: Any, problem: PublishedProblem, precision: Precision, for_mutants: float
) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        sizes = find_smaller_sizes(ProblemSource(problem.text))
        found = measured(problem, precision, sizes, for_mutants)
        found["seconds"] = time.process_time()
    except Exception as error:  # noqa: BLE001 - the row says which
        traceback.print_exc()
        found = {"failed": f"{type(error).__name__}: {error}"[:150]}
    there.send(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--levels", default="1,2,3")
    parser.add_argument("--only", default="")
    parser.add_argument("--precision", default="fp32", choices=list(DTYPES))
    parser.add_argument(
        "--rows",
        type=Path,
        help="what was measured; rows in it are kept, failed ones are tried again",
    )
    parser.add_argument(
        "--mutants", type=float, default=FOR_MUTANTS, help="seconds for mutants of a problem"
    )
    parser.add_argument("--kept", action="store_true", help="print ROWS, measure nothing")
    given = parser.parse_args()
    levels = [int(level) for level in given.levels.split(",")]
    problems = published_in(given.folder.resolve()).problems.values()
    every = [problem for problem in problems if problem.level in levels]
    torch.set_num_threads(1)
    warm_up()
    only = {int(number) for number in given.only.split(",") if number}
    kept, rows = _kept(given.rows), []
    for problem in every:
        if only and problem.number not in only:
            continue
        row = kept.get((problem.level, problem.number))
        if row is None and given.kept:
            continue
        if row is None:
            row = in_child(problem, given.precision, given.mutants)
            if given.rows:
                with given.rows.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        rows.append(row)
        print(line(row), flush=True)
    print(*summary(rows), sep="\n")


def _kept(path: Path | None) -> dict[tuple[int, int], dict[str, Any]]:
    if path is None or not path.exists():
        return {}
    rows = (json.loads(text) for text in path.read_text().splitlines())
    return {(row["level"], row["number"]): row for row in rows if "failed" not in row}


if __name__ == "__main__":
    main()
