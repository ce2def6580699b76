"""The first prompt of a run, in every form."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate import methods
from kernelbenchx.generate.examples import EXAMPLES
from kernelbenchx.generate.method import OPENING
from kernelbenchx.generate.prompts import PLAIN, FormPrompts, Prompting, forms
from kernelbenchx.generate.templates import names

GELU = statement("activation/gelu")


def text_of(**chosen: object) -> str:
    opening = FormPrompts(Prompting(**chosen)).opening(GELU)  # type: ignore[arg-type]
    return "\n".join(message.content for message in opening.messages)


def test_every_published_model_has_its_form() -> None:
    assert forms() == (PLAIN, "autotriton", "claude", "deepseek_coder", "kernelllm")


@pytest.mark.parametrize("form", forms())
def test_a_form_says_all_of_the_statement(form: str) -> None:
    text = text_of(form=form)
    said = " ".join(text.split())
    assert " ".join(GELU.description.split()) in said
    assert " ".join(GELU.contract.split()) in said
    assert "Every argument must stay as it is." in said
    assert "input: torch.Tensor, approximate: str='none') -> torch.Tensor" in text
    assert "```python" in text
    assert "$" not in text and "\n\n\n" not in text.replace("\n\n\n@", "").replace(
        "\n\n\nclass", ""
    ).replace("\n\n\ndef", "")


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("count", range(len(EXAMPLES) + 1))
def test_as_many_examples_are_shown_as_are_wanted(form: str, count: int) -> None:
    opening = FormPrompts(Prompting(form=form, examples=count)).opening(GELU)
    text = opening.messages[-1].content
    shown = [example.code.strip() in text for example in EXAMPLES]
    assert shown == [number < count for number in range(len(EXAMPLES))]
    used = {example.template for example in EXAMPLES[:count]}
    assert {name for name in opening.templates if name.startswith("example_")} == used


@pytest.mark.parametrize("form", forms())
def test_hardware_is_told_only_where_it_is_wanted(form: str) -> None:
    assert "NVIDIA" not in text_of(form=form)
    assert "NVIDIA H200" in text_of(form=form, hardware="H200")
    used = FormPrompts(Prompting(form=form, hardware="H200")).opening(GELU).templates
    assert "hardware" in used
    assert "hardware" not in FormPrompts(Prompting(form=form)).opening(GELU).templates


@pytest.mark.parametrize("form", forms())
def test_every_template_that_is_named_was_used_and_has_a_version(form: str) -> None:
    prompts = FormPrompts(Prompting(form=form, examples=1, hardware="B200"))
    found = prompts.digests((OPENING,))
    assert set(found) == set(prompts.opening(GELU).templates) < set(names())
    for name, digest in found.items():
        assert prompts.digest(name) == digest


@pytest.mark.parametrize("form", forms())
def test_every_word_of_an_opening_comes_from_a_template_that_is_named(form: str) -> None:
    prompts = FormPrompts(Prompting(form=form, examples=1))
    assert (f"form_{form}_system" in prompts.used) == (form in ("plain", "claude"))
    assert ("module" in prompts.used) == (form == "kernelllm")
    assert prompts.used[0] == f"form_{form}"


@pytest.mark.parametrize("name", methods.names())
def test_a_method_uses_its_own_templates_and_no_others(name: str) -> None:
    used = set(FormPrompts(Prompting()).digests(methods.load(name).uses))
    own = {one for one in names() if one.startswith(f"{name}_")}
    assert own <= used
    others = {one for other in methods.names() for one in names() if one.startswith(f"{other}_")}
    shared = {one for one in names() if one.startswith("refine_")} if name == "search" else set()
    assert used & others == own | shared
    assert ("form_plain" in used) == (name in ("one_shot", "sample", "refine", "search"))
    assert "form_claude" not in used and "hardware" not in used
    told = FormPrompts(Prompting(hardware="H200")).digests(methods.load(name).uses)
    assert set(told) == used | {"hardware"}


def test_the_published_form_has_the_published_headings() -> None:
    for form in ("autotriton", "deepseek_coder"):
        text = text_of(form=form)
        heads = ("Functional Description: Gaussian", "Wrapper Entry Information: gelu(input")
        assert [text.count(head) for head in heads] == [1, 1]
        assert text.index(heads[0]) < text.index(heads[1])


def test_a_module_is_asked_for_as_a_module() -> None:
    text = text_of(form="kernelllm")
    assert "class Model(nn.Module):" in text
    assert "def forward(self, input: torch.Tensor, approximate: str='none')" in text
    assert "Write `ModelNew`" in text and "Write `gelu`" not in text


def test_a_system_message_stands_first_where_the_form_has_one() -> None:
    roles = {
        form: [one.role for one in FormPrompts(Prompting(form=form)).opening(GELU).messages]
        for form in forms()
    }
    assert roles["plain"] == roles["claude"] == ["system", "user"]
    assert roles["kernelllm"] == roles["autotriton"] == roles["deepseek_coder"] == ["user"]


@pytest.mark.parametrize("form", forms())
def test_every_task_can_be_asked_for_in_every_form(form: str) -> None:
    prompts = FormPrompts(Prompting(form=form))
    for task in catalog.names():
        # A deep network has hundreds of weights, each with a line.
        room = 10_000 + 100 * len(statement(task).weights)
        assert 500 < len(prompts.opening(statement(task)).messages[-1].content) < room


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        (Prompting(form="autotriton_example"), "unknown prompt"),
        (Prompting(form="../secret"), "unknown prompt"),
        (Prompting(examples=4), "0 to 3 examples"),
        (Prompting(examples=-1), "0 to 3 examples"),
        (Prompting(hardware="abacus"), "unknown GPU"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(chosen: Prompting, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        FormPrompts(chosen)


@pytest.mark.parametrize("chosen", [Prompting(form="claude"), Prompting(examples=1)])
def test_what_a_method_would_not_use_is_refused(chosen: Prompting) -> None:
    for name in ("geak", "kernel_agent"):
        with pytest.raises(BadInput, match="its own prompts"):
            FormPrompts(chosen).digests(methods.load(name).uses)
        told = FormPrompts(Prompting(hardware="H200")).digests(methods.load(name).uses)
        assert "hardware" in told
    assert f"form_{chosen.form}" in FormPrompts(chosen).digests(methods.load("search").uses)
