"""Adds what the papers' rules say to the evaluations of a run, where its settings ask for it."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.rules import Rules
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.engine import RemoteJudge, RulesJudge
from kernelbenchx.evaluate.evaluation_job import EvaluationJob, SubmissionJudge
from kernelbenchx.evaluate.slot_scheduler import SlotScheduler
from kernelbenchx.evaluate.watcher import Watcher
from kernelbenchx.store.database import Database
from kernelbenchx.store.evaluation_lookup import StoredEvaluation

if TYPE_CHECKING:
    from kernelbenchx.evaluate.pipeline import Pipeline


class OpenRun(Protocol):
    """The part of a session that rules need."""

    @property
    def database(self) -> Database: ...

    @property
    def remote(self) -> RemoteJudge | None: ...

    @property
    def pipeline(self) -> "Pipeline": ...

    def open_judge(self) -> tuple[SubmissionJudge, SlotScheduler]: ...

    def refuse_closed(self) -> None: ...


class RunRules:
    """Applies rules when verdicts are stored; those of a finished run stay as they are."""

    def __init__(
        self,
        run: OpenRun,
        settings: ResolvedSettings,
        at_end: Callable[[Callable[[], None]], object],
    ) -> None:
        """`at_end` registers what ends with the run."""
        self._run = run
        self._wanted = settings.paper_rules
        self._at_end = at_end

    def complete(self, job: EvaluationJob, found: Evaluation) -> Evaluation:
        """The evaluation with its rules, which are stored beside it; unchanged if they are
        known."""
        if not self._wanted or (found.rules is not None and found.rules.known):
            return found
        return msgspec.structs.replace(found, rules=self.add(job.row, job.submission))

    def add(self, row: str, submission: Submission) -> Rules:
        """Apply the papers' own rules to the submission of a row, whose verdict stays as it is."""
        rules = self._run.open_judge()[1].run(lambda _turn: self._judge.judge(submission))
        self._run.refuse_closed()
        self._run.database.keep_rules(row, rules)
        return rules

    def add_to_all(
        self, kept: Sequence[tuple[StoredEvaluation, Submission]], watcher: Watcher | None = None
    ) -> None:
        """Apply them to the rows of a finished run that lack them; equal sources are judged
        once."""
        equal: dict[tuple[str, str], list[tuple[StoredEvaluation, Submission]]] = {}
        for one, submission in kept:
            if one.evaluation.rules is None or not one.evaluation.rules.known:
                equal.setdefault((submission.digest, submission.task), []).append((one, submission))
        if watcher is not None:
            watcher.begin(len(kept), len(kept) - sum(map(len, equal.values())))
        lock = Lock()

        def judge(same: list[tuple[StoredEvaluation, Submission]]) -> None:
            rules = self.add(same[0][0].key, same[0][1])
            with lock:
                for one, _ in same:
                    found = msgspec.structs.replace(one.evaluation, rules=rules)
                    self.keep(one.key, found)
                    if watcher is not None:
                        watcher.done(found)

        if equal:
            with ThreadPoolExecutor(self._run.open_judge()[1].count) as pool:
                list(pool.map(judge, equal.values()))

    def keep(self, row: str, evaluation: Evaluation) -> Evaluation:
        """Store the rules of an evaluation of an equal source, if there is such a row."""
        if evaluation.rules is not None:
            self._run.database.keep_rules(row, evaluation.rules)
        return evaluation

    def are_finished(self, row: str) -> bool:
        """Whether a row has its verdict, and its rules if they are requested."""
        database = self._run.database
        if not database.is_finished(row) or not self._wanted:
            return database.is_finished(row)
        rules = database.rules(row)
        return rules is not None and rules.known

    @cached_property
    def _judge(self) -> RulesJudge:
        if self._run.remote is not None:
            return self._run.remote.paper_rules
        from kernelbenchx.evaluate.paper_rules import PaperRules

        judge = PaperRules(self._run.pipeline)
        self._at_end(judge.close)
        return judge
