"""What a model may know of a KernelBench problem: the source of `Model` and the published size.

For functions no reference is shown (`test_leaks.py`). KernelBench shows it, so here it is the
rule. Secret stay the other sizes, how inputs and weights are drawn, the seed, and the witness.
"""

from dataclasses import replace
from functools import cache

import msgspec
import pytest

from desks import FakeModel, Memory, desk, office
from generate.test_leaks import (
    SEED,
    Asked,
    Leaking,
    RecordedBench,
    _nobody,
    _tried,
    lines_leaked,
    numbers_leaked,
    values,
)
from kernelbenchx import catalog
from kernelbenchx.catalog.arithmetic_intensity import intensity
from kernelbenchx.catalog.module_source import module_source
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Worst, Wrong
from kernelbenchx.evaluate.calls import drawn_cases
from kernelbenchx.generate import methods
from kernelbenchx.generate.feedback import feedback
from kernelbenchx.generate.hardware import TEMPLATES
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.prompts import FormPrompts, Prompting, forms
from samples import evaluation

TASKS = ("level1/elu", "level2/gemm_multiply_leaky_relu")
FULL = Prompting(examples=3, hardware="L40S", facts=tuple(TEMPLATES))
SOURCE = "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    pass\n"


def failed(task: str) -> Evaluation:
    """Wrong in the first case that the run has drawn."""
    case = drawn_cases(task, SEED)[0].case.name
    worst = Worst(output="out", index=(0, 1), got="1.5", expected="2.25", error=7.0, bad=1, total=9)
    outcome = Wrong(case=case, reason=Reason.BAD_VALUES, detail="1 of 9", worst=worst)
    return msgspec.structs.replace(evaluation(outcome=outcome), task=task)


def asked_by(method: Method, task: str, chosen: Prompting = FULL) -> Asked:
    """Run a method where no task can be loaded and no witness read; its first kernel is wrong."""
    stated, known = statement(task), {SOURCE: failed(task)}
    assert intensity(task)
    replies = (SOURCE, SOURCE + "# repaired\n")
    model = FakeModel(lambda _, step: f"```python\n{replies['1' in step.path]}```")
    bench = RecordedBench(known=dict(known), trial=_tried, clock=False)
    prompts = FormPrompts(chosen, modules=True)
    made = replace(office(model, bench=bench, memory=Memory()), prompts=prompts)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("kernelbenchx.catalog.load", _nobody)
        patched.setattr("kernelbenchx.catalog.witness.witness_source", _nobody)
        method.run(stated, desk(made, task))
    reports = {feedback(bench.known[one], one, stated) for one in bench.seen} - {""}
    texts = [one.content for _, request in model.asked for one in request.messages]
    return Asked(task, tuple(texts), replies, tuple(reports))


@cache
def shapes(task: str) -> frozenset[str]:
    """Of all tensors that the run's calls hold, published ones apart."""
    public = statement(task).text()
    every = {
        str(tuple(tensor.shape))
        for one in drawn_cases(task, SEED)
        for tensor in (*one.call.tensors(), *one.call.state.values())
    }
    return frozenset(one for one in every if one not in public)


def sizes_leaked(seen: Asked) -> set[str]:
    """Names of cases anywhere; shapes where no feedback had told them."""
    names = {one.case.name for one in drawn_cases(seen.task, SEED)}
    beside, everything = "\n".join(seen.beside()), "\n".join(seen.prompts)
    return {one for one in shapes(seen.task) if one in beside} | {
        one for one in names if one in everything
    }


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", methods.names())
def test_a_method_asks_nothing_that_it_may_not_know(name: str, task: str) -> None:
    options: dict[str, dict[str, object]]
    options = {
        "kernel_agent": {"judged": True},
        "geak": {"rounds": 2, "candidates": 2},
        "refine": {"optimization": "always"},
    }
    own = name in ("geak", "kernel_agent")
    chosen = msgspec.structs.replace(FULL, examples=0) if own else FULL
    seen = asked_by(methods.make_method(name, options.get(name, {})), task, chosen)
    assert module_source(task) in "\n".join(seen.prompts)  # it sees the module, as in the paper
    assert lines_leaked(seen) == []
    assert numbers_leaked(seen) == set()
    assert sizes_leaked(seen) == set()


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("task", TASKS)
def test_every_form_shows_the_module_and_no_more(form: str, task: str) -> None:
    for examples in (0, 3):
        chosen = msgspec.structs.replace(FULL, form=form, examples=examples)
        seen = asked_by(methods.make_method("one_shot", {}), task, chosen)
        assert module_source(task) in "\n".join(seen.prompts)
        assert lines_leaked(seen) == [] and sizes_leaked(seen) == set()


@pytest.mark.parametrize("task", TASKS)
def test_every_kind_of_leak_would_be_seen(task: str) -> None:
    first = drawn_cases(task, SEED)[0]
    number = float(first.call.tensors()[0].flatten()[0])
    small = next(
        line
        for line in catalog.path_of(task).read_text(encoding="utf-8").splitlines()
        if line.strip().startswith("ranges=")
    )
    body = next(line for line in witness_source(task).splitlines() if "tl.load(" in line)
    for line in (small, body):
        assert lines_leaked(asked_by(Leaking(line), task))
    assert values(task) and numbers_leaked(asked_by(Leaking(f"[{number:.9g}]"), task))
    assert sizes_leaked(asked_by(Leaking(first.case.name), task))
    assert sizes_leaked(asked_by(Leaking(f"x {tuple(first.call.tensors()[0].shape)}"), task))
    assert not sizes_leaked(asked_by(Leaking("be quick"), task))
