"""The first prompt for a KernelBench problem, in every form."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.module_source import module_source
from kernelbenchx.catalog.statement import statement
from kernelbenchx.generate.hardware import TEMPLATES
from kernelbenchx.generate.method import OPENING
from kernelbenchx.generate.module_examples import MODULE_EXAMPLES
from kernelbenchx.generate.prompts import FormPrompts, Prompting, forms
from kernelbenchx.generate.templates import names

ELU, GEMM = statement("level1/elu"), statement("level2/gemm_multiply_leaky_relu")
GELU = statement("activation/gelu")


def text_of(opening: object) -> str:
    return "\n".join(one.content for one in opening.messages)  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", forms())
def test_a_form_says_all_of_the_statement_once(form: str) -> None:
    text = text_of(FormPrompts(Prompting(form=form), modules=True).opening(GEMM))
    assert text.count(module_source("level2/gemm_multiply_leaky_relu")) == 1
    assert text.count("Every argument must stay as it is.") == 1
    assert text.count("- `gemm.weight`: (out_features, in_features)") == 1
    assert "negative_slope: float" in text and "ModelNew" in text
    assert "$" not in text and "function of the task" not in text


@pytest.mark.parametrize("form", forms())
def test_examples_are_pairs_of_modules_and_some_are_left_out(form: str) -> None:
    prompts = FormPrompts(Prompting(form=form, examples=3), modules=True)
    fusion, tiling, attention = MODULE_EXAMPLES
    opening = prompts.opening(GEMM)
    text = text_of(opening)
    assert opening.left_out == (tiling.name,)
    assert [one.code in text for one in MODULE_EXAMPLES] == [True, False, True]
    assert fusion.source in text and attention.description in text
    assert tiling.template not in opening.templates and fusion.template in opening.templates
    assert prompts.opening(ELU).left_out == ()
    assert set(opening.templates) < set(prompts.digests((OPENING,))) < set(names())


@pytest.mark.parametrize("count", range(4))
def test_as_many_examples_are_shown_as_are_wanted(count: int) -> None:
    text = text_of(FormPrompts(Prompting(examples=count), modules=True).opening(ELU))
    assert [one.code in text for one in MODULE_EXAMPLES] == [at < count for at in range(3)]


def test_kinds_of_hardware_facts_are_switches() -> None:
    for kind, template in TEMPLATES.items():
        prompts = FormPrompts(Prompting(hardware="A10G", facts=(kind,)), modules=True)
        assert prompts.hardware in text_of(prompts.opening(ELU))
        assert set(prompts.opening(ELU).templates) & set(TEMPLATES.values()) == {template}
        assert set(prompts.digests(())) == {template}


def test_a_run_depends_on_the_texts_of_its_own_tasks_alone() -> None:
    modules = set(FormPrompts(Prompting(), functions=False, modules=True).digests((OPENING,)))
    functions = set(FormPrompts(Prompting()).digests((OPENING,)))
    both = set(FormPrompts(Prompting(), modules=True).digests((OPENING,)))
    assert modules == {"form_plain_module", "form_plain_module_system"}
    assert not modules & functions and both == modules | functions
    for stated, used in ((ELU, modules), (GELU, functions)):
        assert set(FormPrompts(Prompting(), modules=True).opening(stated).templates) == used


@pytest.mark.parametrize("name", catalog.problem_names())
def test_every_problem_can_be_asked_for(name: str) -> None:
    opening = FormPrompts(Prompting(examples=3, hardware="T4"), modules=True).opening(
        statement(name)
    )
    assert [one.role for one in opening.messages] == ["system", "user"]
    room = 22_000 + 100 * len(statement(name).weights)
    assert 6_000 < len(text_of(opening)) < room
