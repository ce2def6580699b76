"""Audits a published problem: which trivial answers pass it, at reduced sizes."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import torch

from kernelbenchx.catalog.audit_cache import CachedAudit, load_audit, store_audit
from kernelbenchx.catalog.problem_folders import PublishedProblem
from kernelbenchx.evaluate import imported_problems
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.problem_files import ProblemFiles
from kernelbenchx.spec.element_comparison import multiples
from kernelbenchx.spec.imported_problem import (
    AnsweredCall,
    BadProblem,
    CallRequest,
    Probe,
    given_contract,
)

Answer = tuple[torch.Tensor, ...]
_OTHER = 9
"""A seed that no call of an audit has."""
_LOCKS: dict[str, threading.Lock] = {}
_LOCK = threading.Lock()


def require_audit(files: ProblemFiles, text: str) -> CachedAudit:
    """The cached audit, or a new one; its probe is then known to `files`."""
    with _LOCK:
        own = _LOCKS.setdefault(text, threading.Lock())
    with own:
        found = load_audit(text)
        if found is None:
            found = audit(files, text)
            store_audit(text, found)
    if not found.failed:
        files.know(text, _probe_of(found))
    return found


def audit(files: ProblemFiles, text: str) -> CachedAudit:
    """Draw calls of the problem, and find which trivial answers pass."""
    began = time.monotonic()
    try:
        found = _audit_problem(files, text)
    except BadProblem as error:
        found = CachedAudit(failed=str(error))
    except MemoryError:
        found = CachedAudit(failed="its tensors do not fit into memory")
    return msgspec.structs.replace(found, seconds=round(time.monotonic() - began, 1))


def _probe_of(found: CachedAudit) -> Probe:
    return Probe(
        sizes={
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.sizes.items()
        },
        values=found.values,
        random=found.random,
        constants=found.constants,
        weights=found.weights,
    )


def _audit_problem(files: ProblemFiles, text: str) -> CachedAudit:
    probe = files.probe(text)
    # Other weights for each kind, as in a run: some draws make an answer constant.
    kinds = enumerate(probe.values, 1)
    seen = [_KindAudit(files, text, CallRequest(kind, seed, seed)) for seed, kind in kinds]
    ours = set.intersection(*(one.find_trivial_within_budget() for one in seen))
    published = _KindAudit(files, text, CallRequest("published", 1, 1, "seed alone", moves=False))
    return CachedAudit(
        sizes={
            name: tuple(value) if isinstance(value, list) else value
            for name, value in probe.sizes.items()
        },
        values=probe.values,
        random=probe.random,
        constants=probe.constants,
        weights=dict(probe.weights),
        ours=tuple(sorted(ours)),
        honest=max(one.measure_honest_error() for one in seen),
        published_1e_2=published.find_passing_their_rule(1e-2),
        published_1e_4=published.find_passing_their_rule(1e-4),
    )


class _KindAudit:
    """One kind of inputs: a call, and the answers that need no work."""

    def __init__(self, files: ProblemFiles, text: str, request: CallRequest) -> None:
        self.call = files.draw(text, request)
        self._elsewhere = files.draw(text, replace(request, inputs_seed=_OTHER, moves=False))
        self._reweighted: AnsweredCall | None = None
        if any(one.is_floating_point() for one in self.call.state.values()):
            other = replace(request, weights_seed=_OTHER, moves=False)
            self._reweighted = files.draw(text, other)

    def measure_honest_error(self) -> float:
        """The largest error of torch's own answer, as a multiple of its budget."""
        return self._error(_native(self.call))

    def find_trivial_within_budget(self) -> set[str]:
        """Trivial answers within the budget of every element."""
        return {name for name, answer in self._trivial() if self._error(answer) <= 1}

    def find_passing_their_rule(self, tolerance: float) -> tuple[str, ...]:
        """Trivial answers that KernelBench's rule takes: absolute and relative tolerance."""
        truth = _native(self.call)
        return tuple(
            name for name, answer in self._trivial() if _all_close(answer, truth, tolerance)
        )

    def _trivial(self) -> Iterator[tuple[str, Answer]]:
        truth, elsewhere = _native(self.call), _native(self._elsewhere)
        yield "zeros", tuple(map(torch.zeros_like, truth))
        yield "constant", tuple(map(_constant, elsewhere))
        yield "other input", elsewhere
        if self._reweighted is not None:
            yield "other weights", _native(self._reweighted)
        given = [one for one in self.call.args if isinstance(one, torch.Tensor)]
        for one in given:
            if all(one.numel() == value.numel() for value in truth):
                yield "input", tuple(one.reshape(value.shape).to(value.dtype) for value in truth)

    def _error(self, answer: Answer) -> float:
        known = self.call.known
        if [one.shape for one in answer] != [one.shape for one in known.truth]:
            return float("inf")
        native = _native(self.call)
        contract = given_contract(object, "fp32")
        budgets = contract.budgets(self.call, known.truth, [one.dtype for one in native])
        ratios = [
            multiples(mine, true, budget)
            for mine, true, budget in zip(answer, known.truth, budgets, strict=True)
        ]
        return max((float(one.max()) for one in ratios if one.numel()), default=0.0)


def _native(call: AnsweredCall) -> Answer:
    return tuple(leaf.value for leaf in call.known.native)


def _constant(answer: torch.Tensor) -> torch.Tensor:
    """The mean of another answer: all that a kernel without inputs can know."""
    return answer.double().mean().expand(answer.shape).to(answer.dtype)


def _all_close(answer: Answer, truth: Answer, tolerance: float) -> bool:
    if [one.shape for one in answer] != [one.shape for one in truth]:
        return False
    pairs = zip(answer, truth, strict=True)
    return all(
        torch.allclose(one.double(), true.double(), atol=tolerance, rtol=tolerance)
        for one, true in pairs
    )


def audit_all(
    problems: Sequence[PublishedProblem], jobs: int, isolation: str, *, again: bool = False
) -> Iterator[tuple[PublishedProblem, CachedAudit]]:
    """Audit in the order given; yields each as soon as it is known."""
    torch.set_num_threads(1)
    level = choose(None if isolation == "auto" else isolation)

    def audit_one(problem: PublishedProblem) -> CachedAudit:
        if again:
            store_audit(problem.text, audit(files, problem.text))
        return require_audit(files, problem.text)

    with imported_problems.open_files(level, jobs) as files, ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(audit_one, problem) for problem in problems]
        try:
            for problem, found in zip(problems, waiting, strict=True):
                yield problem, found.result()
        finally:
            for future in waiting:
                future.cancel()
