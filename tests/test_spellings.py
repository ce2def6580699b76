"""Any honest signature is called in its own form, and gets the verdict that the witness gets."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from kernelbenchx import Evaluator, catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.checks.binding import bind
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, CaseState, Correct, Reason, Rejected, Wrong
from kernelbenchx.core.record import to_plain
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.expectation import expectation_of
from kernelbenchx.worker.binding import arrange, default_value
from spellings import KINDS, SPELLINGS, Spelling, lacking, rewrite, spell
from tiers import mark_slow

FAST = (
    ("activation/tanh", "published file"),
    ("index/index_fill_", "torch"),
    ("math/abs", "published prompt"),
    ("optimizer/Lion", "published file"),
)


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(device="interpreter", compile=False, jobs=1) as found:
        yield found


@pytest.fixture(scope="module")
def witnesses() -> dict[str, Evaluation]:
    """Verdicts on witnesses by task, for all spellings of one."""
    return {}


def _case_states(found: Evaluation) -> dict[str, CaseState]:
    return {one.case: one.state for one in found.cases}


@pytest.mark.parametrize(("task", "kind"), mark_slow(SPELLINGS, fast=FAST))
def test_a_kernel_is_right_in_every_spelling(
    evaluator: Evaluator, witnesses: dict[str, Evaluation], task: str, kind: str
) -> None:
    own = evaluator.evaluate(spell(task, kind), task=task)
    assert isinstance(own.outcome, Correct), own.outcome
    if task not in witnesses:
        witnesses[task] = evaluator.evaluate(witness_source(task), task=task)
    witness = witnesses[task]
    assert own.outcome.cases == getattr(witness.outcome, "cases", None)
    assert _case_states(own) == _case_states(witness)
    assert own.composition is witness.composition


def test_there_are_forty_kernels_over_twenty_tasks_in_every_spelling() -> None:
    assert len(set(SPELLINGS)) >= 40
    assert len({task for task, _ in SPELLINGS}) >= 20
    assert {kind for _, kind in SPELLINGS} == set(KINDS)


@pytest.mark.parametrize(("task", "kind"), SPELLINGS)
def test_no_honest_spelling_is_refused(task: str, kind: str) -> None:
    report = check(spell(task, kind), expectation_of(facts(task), "triton"))
    assert [one.why for one in report.fatal] == []
    assert report.binding.lacks in ((), ("dtype",), ("out",))


@pytest.mark.parametrize(
    ("task", "signature", "why"),
    [
        ("math/abs", "abs()", "abs(input) cannot be called: it has no parameter for `input`"),
        ("math/add", "add(input)", "add(input, other) cannot be called: it has no parameter for "
         "`other`"),
        ("math/add", "add(a, b, c, d, e)", "add(input, other) cannot be called: it requires `e`, "
         "which the task does not have"),
        ("math/softmax", "softmax(input, *, dtype=None)", "softmax(input, dim) cannot be called: "
         "it has no parameter for `dim`"),
        ("index/index_fill_", "index_fill_(x, index, value)", "index_fill_(dim, x, index, value) "
         "cannot be called: it has no parameter for `dim`"),
        ("optimizer/Lion", "lion_step(params, lr=0.0001)", "lion_step(param, grad, exp_avg) cannot "
         "be called: it has no parameter for `grad`"),
        ("math/abs", "abs(input, *, n)", "abs(input) cannot be called: it requires `n`, which the "
         "task does not have"),
    ],
)  # fmt: skip
def test_a_signature_that_no_call_fits_is_refused_with_the_call(
    task: str, signature: str, why: str
) -> None:
    source = rewrite(witness_source(task), facts(task).entry, Spelling(signature, {}), ())
    report = check(source, expectation_of(facts(task), "triton"))
    assert [one.why for one in report.fatal if one.rule == "entry"] == [why]


MODULES = (
    ("level1/elu", "alpha: float = 1.0", "*, alpha=2.0, unused=3"),
    ("level1/elu", "alpha: float = 1.0", "alpha"),
    ("level1/elu", "x: torch.Tensor", "*, x"),
    ("level1/max_pooling_2d", "kernel_size: int, stride: int, padding: int, dilation: int",
     "kernel_size, *, dilation, padding, stride"),
    ("level1/max_pooling_2d", "x: torch.Tensor", "x, /, mask=None"),
    ("level1/hinge_loss", "predictions: torch.Tensor, targets: torch.Tensor",
     "*, targets, predictions"),
    ("level1/hinge_loss", "predictions: torch.Tensor, targets: torch.Tensor",
     "predictions, *, targets, margin=1.0"),
)  # fmt: skip
"""What a module's witness is made or called with, and another way to write it."""


@pytest.mark.parametrize(("task", "own", "other"), mark_slow(MODULES, fast=2))
def test_a_module_is_made_and_called_in_its_own_form(
    evaluator: Evaluator, task: str, own: str, other: str
) -> None:
    source = witness_source(task)
    assert source.count(own) == 1
    found = evaluator.evaluate(source.replace(own, other), task=task)
    assert isinstance(found.outcome, Correct), found.outcome


@pytest.mark.parametrize(
    ("own", "other", "call"),
    [
        ("alpha: float = 1.0", "beta, gamma, alpha", "ModelNew.__init__()"),
        ("x: torch.Tensor", "x, mask", "ModelNew.forward(x)"),
        ("x: torch.Tensor", "*, y", "ModelNew.forward(x)"),
    ],
)
def test_a_module_that_cannot_be_called_is_refused_with_the_call(
    own: str, other: str, call: str
) -> None:
    source = witness_source("level1/elu").replace(own, other)
    report = check(source, expectation_of(facts("level1/elu"), "triton"))
    (why,) = [one.why for one in report.fatal]
    assert why.startswith(f"{call} cannot be called: it ")


@pytest.mark.slow
def test_a_wrong_kernel_is_wrong_in_every_spelling(evaluator: Evaluator) -> None:
    wrong = spell("math/exp_sqrt", "nameless")
    assert "tl.exp(" in wrong
    found = evaluator.evaluate(wrong.replace("tl.exp(", "1.01 * tl.exp("), task="math/exp_sqrt")
    assert isinstance(found.outcome, Wrong)
    swapped = spell("math/sub", "reversed").replace(
        "sub(out, alpha, other, input)", ("sub(out, alpha, input, other)")
    )
    # Names decide: another order changes nothing, and other names do.
    assert isinstance(evaluator.evaluate(swapped, task="math/sub").outcome, Correct)
    swapped = spell("math/sub", "nameless").replace("sub(p0, p1,", "sub(p1, p0,")
    assert not isinstance(evaluator.evaluate(swapped, task="math/sub").outcome, Correct)


def test_a_function_beside_a_class_of_the_task_s_name_is_what_is_called(
    evaluator: Evaluator,
) -> None:
    source = spell("optimizer/Lion", "published file")
    held = "\n\nclass Lion:\n    def __init__(self, lr):\n        self.lr = lr\n"
    found = evaluator.evaluate(source + held, task="optimizer/Lion")
    assert isinstance(found.outcome, Correct), found.outcome


def test_what_a_signature_lacks_fails_the_calls_that_give_it(evaluator: Evaluator) -> None:
    found = evaluator.evaluate(lacking("math/exp_sqrt", "out"), task="math/exp_sqrt")
    assert isinstance(found.outcome, Broken)
    assert found.outcome.reason is Reason.SIGNATURE
    assert found.outcome.detail == "the signature has no `out`"
    failed = {one.case for one in found.cases if one.state is not CaseState.PASSED}
    assert failed == {one.case for one in found.cases if ",out=" in one.case}
    assert 0 < len(failed) < len(found.cases)
    assert all(Scope.LAYOUT in (one.needs or ()) for one in found.cases if one.case in failed)
    assert found.core_correct


def test_no_core_call_is_spared_by_a_signature_that_lacks_an_argument(
    evaluator: Evaluator,
) -> None:
    found = evaluator.evaluate(lacking("math/sub", "alpha"), task="math/sub")
    assert isinstance(found.outcome, Broken)
    assert not found.core_correct
    broken = [one for one in found.cases if one.state is CaseState.BROKEN]
    assert {one.detail for one in broken} == {"signature: the signature has no `alpha`"}
    assert {one.state for one in found.cases if one not in broken} == {CaseState.PASSED}


def test_a_signature_that_takes_no_core_call_is_refused(evaluator: Evaluator) -> None:
    task = "optimizer/SGD"
    found = evaluator.evaluate(lacking(task, "momentum_buffer"), task=task)
    assert isinstance(found.outcome, Rejected)
    (finding,) = found.outcome.findings
    assert finding.why.startswith("no core call can be made; shape=")
    assert finding.why.endswith(": the signature has no `momentum_buffer`")
    # One that some of the core calls give is no reason to refuse the others.
    found = evaluator.evaluate(lacking(task, "nesterov"), task=task)
    assert isinstance(found.outcome, Broken)
    assert any(one.state is CaseState.PASSED for one in found.cases)


def test_an_argument_is_judged_as_the_task_s_whatever_it_is_called(evaluator: Evaluator) -> None:
    """Writing into an input is wrong under any name, and `out` must be what is returned."""
    honest = spell("math/exp_sqrt", "nameless")
    for old, new, reason in (
        ("    return ", "    p0.zero_()\n    return ", Reason.INPUT_CHANGED),
        ("def exp_sqrt(p0, p1=None):", "def exp_sqrt(p0, p1=None):\n    p1 = None", None),
    ):
        assert honest.count(old) >= 1
        found = evaluator.evaluate(new.join(honest.rsplit(old, 1)), task="math/exp_sqrt")
        assert not isinstance(found.outcome, Correct)
        assert reason is None or getattr(found.outcome, "reason", None) is reason


def _received(task: str, kind: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """For each corner what the task's call gives, and what reaches the names of a spelling."""
    wanted = expectation_of(facts(task), "triton").parameters
    spelling = KINDS[kind](task, wanted)
    other = expectation_of(facts(task), "triton").other_names
    binding = bind(wanted, parse_signature(spelling.signature)[1], other)
    scope: dict[str, Any] = {"torch": torch}
    name = spelling.signature.partition("(")[0]
    exec(f"def {spelling.signature}: return locals()", scope)
    known = catalog.load(task)
    for case in known.cases(0):
        if case.needs:
            continue
        call = known.draw(case, 0)
        form = None if binding is None else to_plain(binding)
        args, kwargs = arrange(form, call.args, call.kwargs)
        found = scope[name](*args, **kwargs)
        yield known.bound(call), {spelling.means.get(key, key): one for key, one in found.items()}


CALLED = [one for one in catalog.function_names() if one != "random/rand"]


@pytest.mark.parametrize("task", mark_slow(CALLED, fast=6))
def test_every_argument_of_every_call_arrives_where_it_belongs(task: str) -> None:
    default = {one.name: one.default for one in parse_signature(facts(task).signature)[1]}
    for kind in ("nameless", "by name", "options by name", "reversed", "positional", "tuned"):
        for given, found in _received(task, kind):
            for name, value in given.items():
                assert found[name] is value or found[name] == value, (kind, name)
            for name in found.keys() - given.keys() - {"BLOCK_SIZE"}:
                assert found[name] == default_value(default[name]), (kind, name)
