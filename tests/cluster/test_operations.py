"""An actor's functions: found by name, and the same verdict as the stages give."""

import msgspec
import pytest

from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.cluster.messages import EvaluationAnswer, EvaluationRequest, TrialRequest
from kernelbenchx.cluster.operations import (
    EVALUATE,
    TRY_OUT,
    ActorCache,
    JobContext,
    LimitNotes,
    evaluate,
    find_operation,
    paper_rules,
    try_out,
)
from kernelbenchx.cluster.remote_turn import RemoteTurn
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.rules import Rules
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.own_tests import OwnTest
from kernelbenchx.evaluate.own_tests import try_out as run_here
from kernelbenchx.evaluate.paper_rules import PaperRules
from kernelbenchx.evaluate.pipeline import Pipeline
from ruled import by_kernelbenchx

TASK = "activation/relu"
ONE = Submission(name="one", task=TASK, source=witness_source(TASK))


def _request(pipeline: Pipeline, **changed: object) -> bytes:
    wanted = EvaluationRequest(
        submission=ONE, seed=pipeline.seed, task_digest=evaluation_digest(TASK)
    )
    return to_json(msgspec.structs.replace(wanted, **changed))


@pytest.fixture
def context(pipeline: Pipeline) -> JobContext:
    return JobContext(pipeline, RemoteTurn("job"), LimitNotes(), ActorCache())


def test_a_verdict_crosses_the_border_as_it_was_made(
    pipeline: Pipeline, context: JobContext
) -> None:
    answer = from_json(evaluate(context, _request(pipeline, limit_s=4.5)), EvaluationAnswer)
    assert answer.limit_s == 4.5, "as the driver told it"
    here, there = pipeline.evaluate(ONE), answer.evaluation
    assert msgspec.structs.replace(there, seconds=0.0) == msgspec.structs.replace(here, seconds=0.0)


def test_another_task_of_the_same_name_is_refused(pipeline: Pipeline, context: JobContext) -> None:
    with pytest.raises(BadInput, match="is another one on this node"):
        evaluate(context, _request(pipeline, task_digest="0" * 64))


def test_a_test_of_its_author_is_run(context: JobContext) -> None:
    test = "def test():\n    assert 1 + 1 == 3\n"
    request = to_json(TrialRequest(task=TASK, source=ONE.source, test=test, wall_s=20.0))
    found = from_json(try_out(context, request), Trial)
    assert found == run_here(context.pipeline, OwnTest(TASK, ONE.source, test), 20.0)
    assert found.detail.startswith("AssertionError")


def test_the_papers_rules_are_applied(context: JobContext, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Submission] = []

    def judge(_self: PaperRules, submission: Submission) -> Rules:
        judged.append(submission)
        return by_kernelbenchx(called=True, correct=False)

    monkeypatch.setattr(PaperRules, "judge", judge)
    for _ in range(2):
        found = from_json(paper_rules(context, to_json(ONE)), Rules)
        assert found == by_kernelbenchx(called=True, correct=False)
    assert judged == [ONE, ONE]


def test_operations_are_functions_of_kbx() -> None:
    assert find_operation(EVALUATE) is evaluate and find_operation(TRY_OUT) is try_out
    with pytest.raises(BadInput, match="no operation 'os:system'"):
        find_operation("os:system")


def test_what_jobs_share_is_made_once() -> None:
    made: list[int] = []
    kept = ActorCache()

    def make() -> int:
        made.append(1)
        return len(made)

    assert [
        kept.get_or_make("a", make),
        kept.get_or_make("a", make),
        kept.get_or_make("b", make),
    ] == [1, 1, 2]
