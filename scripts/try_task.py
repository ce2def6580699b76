"""Try a task's space without kernels: what the reference passes and which mutants live.

    python scripts/try_task.py CATEGORY/NAME... [--seeds 3]

For authors of tasks, before there is a witness. Printed for each seed are the cases that the
reference itself fails, and the mutants that fewer than two cases reject.
"""

import argparse
import time
from collections import Counter

from kernelbenchx import catalog
from kernelbenchx.certify.wrong_answers import is_rejected, run_answer
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task


def main() -> None:
    """Print what can be seen of each task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    for name in given.names:
        task = catalog.load(name)
        if task.space is not None:
            left = find_uncovered_pairs(task.space, range(PARTS))
            print(f"{name}: {len(left)} of {len(task.space.possible_pairs())} pairs not called")
        for seed in range(given.seeds):
            try_seed(task, name, seed)


def try_seed(task: Task, name: str, seed: int) -> None:
    """One run."""
    started = time.perf_counter()
    drawn = []
    for case in task.cases(seed):
        call = task.draw(case, derive_seed(seed, name, case.name))
        drawn.append(DrawnCase(case, call, truth_of(task, call)))
    seconds = time.perf_counter() - started
    kinds = Counter("+".join(sorted(one.case.needs or ())) or "core" for one in drawn)
    print(f"  seed {seed}: {len(drawn)} cases drawn in {seconds:.1f} s; {dict(kinds)}")
    for one in drawn:
        returned = [
            run_answer(task, task.faithful, one.call, n) for n in range(task.calls(one.case))
        ]
        verdict = judge_case(task, one.case, one.call, returned, "cuda", one.truth)
        if isinstance(verdict, Wrong):
            print(f"    reference fails {one.case.name}: {verdict.detail}")
    for mutant in (*task.mutants, *(promise.mutant for promise in task.promises)):
        if isinstance(mutant, Mutant):
            by = [one.case.name for one in drawn if is_rejected(task, mutant.answer, one)]
            if len(by) < 2:
                print(f"    {mutant.name!r} is rejected by {by or 'no case'}")


if __name__ == "__main__":
    main()
