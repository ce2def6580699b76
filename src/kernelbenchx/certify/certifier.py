"""Certifying by the stages of this machine, or by the nodes of a cluster.

Nothing here decides a result, so certificates do not depend on it: see `catalog/digests.py`.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from dataclasses import replace as replaced
from typing import Protocol, TypeVar

from kernelbenchx.certify.catching import Catch, Catcher
from kernelbenchx.certify.certificate import Certificate
from kernelbenchx.certify.certifying import certify
from kernelbenchx.certify.problems.certifying import certify_problem
from kernelbenchx.certify.problems.problem_certificate import ProblemCertificate
from kernelbenchx.cluster.operations import JobContext
from kernelbenchx.core.record import Record, from_json, to_json
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.engine import RemoteCalls
from kernelbenchx.evaluate.pipeline import Pipeline

C = TypeVar("C")
_HERE = "kernelbenchx.certify.certifier:"
_one_problem = threading.Lock()
"""What makes a module answer wrongly sees the modules of every thread."""


def certify_all(
    names: Iterable[str],
    certify_one: Callable[[str], C],
    on_done: Callable[[C], None],
    at_once: int,
) -> list[C]:
    """Several tasks at once, in order."""
    found = []
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        for certificate in pool.map(certify_one, names):
            on_done(certificate)
            found.append(certificate)
    return found


class CatchRequest(Record, frozen=True, kw_only=True):
    """A wrong submission, and the seed of the cases that are to catch it."""

    submission: Submission
    seed: int


class Certifier(Protocol):
    """Safe from many threads."""

    @property
    def at_once(self) -> int:
        """How many tasks are certified at once."""

    def certify(self, name: str) -> Certificate: ...

    def certify_problem(self, name: str) -> ProblemCertificate: ...

    def catch_with(self, seed: int) -> Callable[[Submission], Catch | None]:
        """Runs wrong submissions on the cases of this seed."""


@dataclass(frozen=True)
class LocalCertifier:
    """By the stages of this machine."""

    pipeline: Pipeline

    @property
    def at_once(self) -> int:
        return self.pipeline.settings.jobs

    def certify(self, name: str) -> Certificate:
        """Everything that can be shown of one task."""
        return certify(name, self.pipeline)

    def certify_problem(self, name: str) -> ProblemCertificate:
        """The same of a KernelBench problem, one after another."""
        with _one_problem:
            return certify_problem(name, self.pipeline)

    def catch_with(self, seed: int) -> Callable[[Submission], Catch | None]:
        """What a catcher knows of the witness is kept for its next submission."""
        return Catcher(replaced(self.pipeline, seed=seed)).catch


@dataclass(frozen=True)
class RemoteCertifier:
    """By the nodes of a cluster; each mutant under each seed is a job."""

    calls: RemoteCalls

    @property
    def at_once(self) -> int:
        return self.calls.slots

    def certify(self, name: str) -> Certificate:
        """Everything that can be shown of one task."""
        return from_json(self.calls.call(f"{_HERE}certify_there", to_json(name)), Certificate)

    def certify_problem(self, name: str) -> ProblemCertificate:
        """The same of a KernelBench problem."""
        found = self.calls.call(f"{_HERE}certify_problem_there", to_json(name))
        return from_json(found, ProblemCertificate)

    def catch_with(self, seed: int) -> Callable[[Submission], Catch | None]:
        """On any node, each time."""

        def catch(submission: Submission) -> Catch | None:
            request = to_json(CatchRequest(submission=submission, seed=seed))
            return from_json(self.calls.call(f"{_HERE}catch_there", request), _CatchReply).catch

        return catch


class _CatchReply(Record, frozen=True, kw_only=True):
    """What a node answers."""

    catch: Catch | None


def certify_there(context: JobContext, request: bytes) -> bytes:
    """On a node: one task."""
    return to_json(LocalCertifier(context.pipeline).certify(from_json(request, str)))


def certify_problem_there(context: JobContext, request: bytes) -> bytes:
    """On a node: one problem."""
    return to_json(LocalCertifier(context.pipeline).certify_problem(from_json(request, str)))


def catch_there(context: JobContext, request: bytes) -> bytes:
    """On a node: one wrong submission."""
    wanted = from_json(request, CatchRequest)
    made = LocalCertifier(context.pipeline)
    catch = context.get_or_make(f"catch with {wanted.seed}", lambda: made.catch_with(wanted.seed))
    return to_json(_CatchReply(catch=catch(wanted.submission)))
